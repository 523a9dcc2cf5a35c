package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

// tools that the tests offer. The first five look like helve's own; the others
// are strangers.
var tools = map[string]definition{}

func define(name, description, parameters string) {
	tools[name] = definition{name, description, schema.MustCompile(parameters)}
}

func init() {
	define("calculate", "Evaluate an arithmetic expression exactly. Operators: + - * / % and ^ or ** for powers; % takes the sign of the divisor. Functions: abs, ceil, cos, exp, floor, ln, log(x) to base 10, max, min, pow, round(x), sin, sqrt, tan; angles in radians. Constants: pi, e.",
		`{"type":"object","properties":{"expression":{"type":"string","description":"The expression, such as 17 * 23 or round(sqrt(2) / 3, 4). No thousands separators, no units, no variables.","examples":["17 * 23"]}},"required":["expression"],"additionalProperties":false}`)
	define("current_time", "Tell the current date, time and weekday in a time zone.",
		`{"type":"object","properties":{"timezone":{"type":"string","description":"An IANA time zone, such as Asia/Shanghai, Europe/Berlin or America/New_York.","default":"UTC","examples":["Asia/Shanghai"]}},"additionalProperties":false}`)
	define("http_get", "Fetch a web page or a file by HTTP GET and return its content. Works for these hosts only: example.com.",
		`{"type":"object","properties":{"url":{"type":"string","description":"The whole URL, such as https://example.com/data.json.","examples":["https://example.com/data.json"]}},"required":["url"],"additionalProperties":false}`)
	define("read_file", "Read a text file. A long file comes in parts: read on with offset.",
		`{"type":"object","properties":{"path":{"type":"string","description":"The file's path, relative to the root folder, such as docs/guide.md.","examples":["docs/guide.md"]},"offset":{"type":"integer","minimum":0,"default":0},"limit":{"type":"integer","minimum":1,"maximum":262144,"default":262144}},"required":["path"],"additionalProperties":false}`)
	define("list_files", "List what is in a folder: files with their sizes in bytes, and folders.",
		`{"type":"object","properties":{"path":{"type":"string","description":"The folder to list, relative to the root folder, such as docs. A dot is the root folder.","default":"."},"pattern":{"type":"string","description":"Only names that match this shell pattern, such as *.md.","examples":["*.md"]},"depth":{"type":"integer","minimum":1,"maximum":10,"default":1}},"additionalProperties":false}`)

	define("get_weather", "Get the weather forecast for a city.",
		`{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["city"],"additionalProperties":false}`)
	define("sql_tool", "Run a read-only SQL query against the sales database.",
		`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)
	define("query_files", "Query data files with SQL (SQLite's dialect). Reads only: one SELECT a call. Tables: sales(region, amount, day). Call it without sql for their types.",
		`{"type":"object","properties":{"sql":{"type":"string","description":"One SELECT statement in SQLite's dialect. Leave it out to list the tables with their columns."}},"additionalProperties":false}`)
	define("send_email", "Send an e-mail.",
		`{"type":"object","properties":{"to":{"type":"string","format":"email"},"subject":{"type":"string"},"body":{"type":"string"}},"required":["to","subject","body"],"additionalProperties":false}`)
	define("search", "Search the handbook.",
		`{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":50}},"required":["query"],"additionalProperties":false}`)
	define("add", "Add two numbers.",
		`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"],"additionalProperties":false}`)
	define("translate", "Translate text into another language.",
		`{"type":"object","properties":{"text":{"type":"string"},"target_language":{"type":"string"}},"required":["text","target_language"],"additionalProperties":false}`)
	define("convertCurrency", "Convert an amount of money from one currency to another.",
		`{"type":"object","properties":{"amount":{"type":"number"},"from":{"type":"string","description":"ISO 4217 currency code"},"to":{"type":"string","description":"ISO 4217 currency code"}},"required":["amount","from","to"]}`)
	define("find_files", "Find files whose name matches a pattern.",
		`{"type":"object","properties":{"pattern":{"type":"string"},"recursive":{"type":"boolean"}},"required":["pattern"]}`)
	define("create_event", "Create a calendar event.",
		`{"type":"object","properties":{"title":{"type":"string"},"date":{"type":"string","format":"date"}},"required":["title","date"]}`)
	define("statistics", "Compute the mean of a list of numbers.",
		`{"type":"object","properties":{"values":{"type":"array","items":{"type":"number"},"minItems":1}},"required":["values"]}`)
	define("book_flight", "Book a flight.",
		`{"type":"object","properties":{"origin":{"type":"string"},"destination":{"type":"string"},"class":{"enum":["economy","business"],"default":"economy"}},"required":["origin","destination"]}`)
	define("ping", "Check that the service is alive.", `{"type":"object","properties":{}}`)
	define("set_user", "Store a user profile.",
		`{"type":"object","properties":{"user":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]}},"required":["user"]}`)
	define("ask_docs", "Answer questions about the product documentation.",
		`{"type":"object","properties":{"question":{"type":"string"}},"required":["question"]}`)
	define("add_note", "Add a note.",
		`{"type":"object","properties":{"text":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},"required":["text"]}`)
	define("schedule", "Schedule a meeting.",
		`{"type":"object","properties":{"title":{"type":"string"},"start":{"type":"string","format":"date-time"},"mode":{"type":"string","enum":["in_person","video_call"],"default":"video_call"},"minutes":{"type":"integer"}},"required":["title","start","mode"]}`)
	define("whois", "Look up who owns something.",
		`{"type":"object","properties":{"target":{"type":"string","examples":["https://example.com"]},"deep":{"type":"object","properties":{"levels":{"type":"integer"}},"required":["levels"]},"marks":{"type":"array"},"fast":{"type":"boolean"}},"required":["target"]}`)
	define("查询订单", "查询一个订单的状态", `{"type":"object","properties":{"编号":{"type":"integer","description":"订单编号"}},"required":["编号"]}`)
}

const (
	builtin  = "calculate current_time http_get list_files read_file"
	strange  = "get_weather sql_tool send_email search"
	everyone = builtin + " " + strange + " add translate convertCurrency find_files create_event statistics book_flight ping set_user ask_docs"
)

func offered(names string) *request {
	req := &request{parallel: true}
	for _, name := range strings.Fields(names) {
		req.tools = append(req.tools, tools[name])
	}
	return req
}

func TestThink(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tools, prompt string
		want          []string
	}{
		// The builtin tools.
		{builtin, "What is 17 * 23, and what time is it in Asia/Shanghai?", []string{`calculate{"expression":"17 * 23"}`, `current_time{"timezone":"Asia/Shanghai"}`}},
		{builtin, "what's 2+2", []string{`calculate{"expression":"2+2"}`}},
		{builtin, "Calculate 17 times 23", []string{`calculate{"expression":"17 * 23"}`}},
		{builtin, "What is 2 to the power of 10?", []string{`calculate{"expression":"2 ^ 10"}`}},
		{builtin, "What is the square root of 16 plus 3?", []string{`calculate{"expression":"sqrt(16) + 3"}`}},
		{builtin, "How much is 15% of 200?", []string{`calculate{"expression":"15 / 100 * 200"}`}},
		{builtin, "twenty-three plus two hundred", []string{`calculate{"expression":"23 + 200"}`}},
		{builtin, "Compute (1 + 2) * 3 and 2^10.", []string{`calculate{"expression":"(1 + 2) * 3"}`, `calculate{"expression":"2^10"}`}},
		{builtin, "max(3, 4) * -2 = ?", []string{`calculate{"expression":"max(3, 4) * -2"}`}},
		{builtin, "17×23等于多少？", []string{`calculate{"expression":"17 * 23"}`}},
		{builtin, "计算 １２＋３４", []string{`calculate{"expression":"12 + 34"}`}},
		{builtin, "十五加二十三等于多少", []string{`calculate{"expression":"15 + 23"}`}},
		{builtin, "2的10次方是多少？现在东京几点？", []string{`calculate{"expression":"2 ^ 10"}`, `current_time{"timezone":"Asia/Tokyo"}`}},
		{builtin, "What time is it?", []string{`current_time{}`}},
		{builtin, "What time is it in New York and in London?", []string{`current_time{"timezone":"America/New_York"}`, `current_time{"timezone":"Europe/London"}`}},
		{builtin, "17乘以23是多少?上海现在几点?", []string{`calculate{"expression":"17 * 23"}`, `current_time{"timezone":"Asia/Shanghai"}`}},
		{builtin, "北京现在几点？", []string{`current_time{"timezone":"Asia/Shanghai"}`}},
		{builtin, "time in asia/tokyo please", []string{`current_time{"timezone":"Asia/Tokyo"}`}},
		{builtin, "Read notes.txt", []string{`read_file{"path":"notes.txt"}`}},
		{builtin, "What is in docs/design.md?", []string{`read_file{"path":"docs/design.md"}`}},
		{builtin, "List the files", []string{`list_files{}`}},
		{builtin, "List the files in the docs folder", []string{`list_files{"path":"docs"}`}},
		{builtin, "Show me the files in src/main", []string{`list_files{"path":"src/main"}`}},
		{builtin, "读取文件 README.md", []string{`read_file{"path":"README.md"}`}},
		{builtin, "列出 docs 目录", []string{`list_files{"path":"docs"}`}},
		{builtin, "Compare a.txt and b.txt", []string{`read_file{"path":"a.txt"}`, `read_file{"path":"b.txt"}`}},
		{builtin, "Fetch https://example.com/a?b=1, please.", []string{`http_get{"url":"https://example.com/a?b=1"}`}},
		{builtin, "打开网页 https://example.com。", []string{`http_get{"url":"https://example.com"}`}},
		{builtin, "Use calculate with expression='1/3'", []string{`calculate{"expression":"1/3"}`}},
		{builtin, "Divide 10 by 4", []string{`calculate{"expression":"10 / 4"}`}},
		{builtin, "subtract 5 from 10", []string{`calculate{"expression":"10 - 5"}`}},
		{builtin, "What is the sum of 4 and 5?", []string{`calculate{"expression":"4 + 5"}`}},
		{builtin, "2 * pi", []string{`calculate{"expression":"2 * pi"}`}},
		{builtin, "List all *.md files in docs/, depth 3", []string{`list_files{"path":"docs/","pattern":"*.md","depth":3}`}},
		{builtin, "read config.yaml, go.mod and main.go", []string{`read_file{"path":"config.yaml"}`, `read_file{"path":"go.mod"}`, `read_file{"path":"main.go"}`}},
		{builtin, "Please compute 17 * 23 and tell me the current time in Shanghai.", []string{`calculate{"expression":"17 * 23"}`, `current_time{"timezone":"Asia/Shanghai"}`}},
		{builtin, "What time is it in Springfield?", nil}, // UTC would be a wrong answer
		{builtin, `{"expression": "6*7"}`, nil},           // JSON that names no tool
		{builtin, `calculate {"expression": "6*7"}`, []string{`calculate{"expression":"6*7"}`}},

		// Tools it has never seen.
		{strange, "What's the weather in Beijing?", []string{`get_weather{"city":"Beijing"}`}},
		{strange, "weather in Springfield, in fahrenheit", []string{`get_weather{"city":"Springfield","unit":"fahrenheit"}`}},
		{strange, "Weather in Paris, London and Tokyo in celsius", []string{`get_weather{"city":"Paris","unit":"celsius"}`, `get_weather{"city":"London","unit":"celsius"}`, `get_weather{"city":"Tokyo","unit":"celsius"}`}},
		{strange, "今天北京的天气怎么样？用华氏度", []string{`get_weather{"city":"北京","unit":"fahrenheit"}`}},
		{strange, "用华氏度，伦敦的天气", []string{`get_weather{"city":"伦敦","unit":"fahrenheit"}`}},
		{strange, "苏州的天气怎么样", []string{`get_weather{"city":"苏州"}`}},
		{strange, "I live in Oslo. Will it rain?", []string{`get_weather{"city":"Oslo"}`}},
		{strange, "Run SELECT name, price FROM products WHERE price > 10 and stock = 'low';", []string{`sql_tool{"query":"SELECT name, price FROM products WHERE price > 10 and stock = 'low';"}`}},
		{strange, "Please run `select count(*) from users` for me", []string{`sql_tool{"query":"select count(*) from users"}`}},
		{strange, "执行 SELECT 1", []string{`sql_tool{"query":"SELECT 1"}`}},
		{strange, `Send an email to bob@example.com with subject "Hi" and body "See you at 5."`, []string{`send_email{"to":"bob@example.com","subject":"Hi","body":"See you at 5."}`}},
		{strange, "Email bob@example.com, subject: Lunch, body: Are you free?", []string{`send_email{"to":"bob@example.com","subject":"Lunch","body":"Are you free"}`}},
		{strange, "Send bob@example.com an email with subject Lunch and body see you tomorrow", []string{`send_email{"to":"bob@example.com","subject":"Lunch","body":"see you tomorrow"}`}},
		{strange, "给 bob@example.com 发邮件，主题是“你好”，正文是“明天见”", []string{`send_email{"to":"bob@example.com","subject":"你好","body":"明天见"}`}},
		{strange, "Search for golang iterators", []string{`search{"query":"golang iterators"}`}},
		{strange, "search for cats and dogs, limit 5", []string{`search{"query":"cats and dogs","limit":5}`}},
		{strange, "Look up \"parental leave\" and show the top 3", []string{`search{"query":"parental leave","limit":3}`}},
		{strange, "search for dogs, up to 10", []string{`search{"query":"dogs","limit":10}`}},
		{strange, "Search for Windows 11", []string{`search{"query":"Windows 11"}`}},
		{strange, "query=holidays limit=7 search", []string{`search{"query":"holidays","limit":7}`}},
		{strange, "帮我搜索人工智能新闻", []string{`search{"query":"人工智能新闻"}`}},
		{strange, "Search for holidays limit=500", []string{`search{"query":"holidays"}`}}, // 500 is over the maximum
		{strange, "What is the weather in Paris, and search for umbrellas", []string{`get_weather{"city":"Paris"}`, `search{"query":"umbrellas"}`}},
		{"add", "Add 2 and 3", []string{`add{"a":2,"b":3}`}},
		{"add", "use add on 2.5 + 40", []string{`add{"a":2.5,"b":40}`}},
		{"add", "add a=1 b=-2", []string{`add{"a":1,"b":-2}`}},
		{"translate", "Translate 'good morning' into French", []string{`translate{"text":"good morning","target_language":"French"}`}},
		{"translate", "translate good morning to German", []string{`translate{"text":"good morning","target_language":"German"}`}},
		{"translate", "把“你好”翻译成英语", []string{`translate{"text":"你好","target_language":"英语"}`}},
		{"convertCurrency", "Convert 100 USD to EUR", []string{`convertCurrency{"amount":100,"from":"USD","to":"EUR"}`}},
		{"convertCurrency", "How many EUR can I get from 1,250.50 USD? Convert please", []string{`convertCurrency{"amount":1250.50,"from":"USD","to":"EUR"}`}},
		{"find_files", "find files recursively, pattern=*.go", []string{`find_files{"pattern":"*.go","recursive":true}`}},
		{"create_event", `Create an event "Review" on 20 November 2026`, []string{`create_event{"title":"Review","date":"2026-11-20"}`}},
		{"create_event", "create event titled 'Launch' on 2026-12-01", []string{`create_event{"title":"Launch","date":"2026-12-01"}`}},
		{"statistics", "Compute the mean of 1, 2.5 and 3", []string{`statistics{"values":[1,2.5,3]}`}},
		{"book_flight", "Book a flight from Paris to Tokyo in business", []string{`book_flight{"origin":"Paris","destination":"Tokyo","class":"business"}`}},
		{"book_flight", "Book a flight to Tokyo from Paris", []string{`book_flight{"origin":"Paris","destination":"Tokyo"}`}},
		{"ping", "ping", []string{`ping{}`}},
		{"set_user", `set_user {"user": {"name": "Ann", "age": 30}}`, []string{`set_user{"user":{"name": "Ann", "age": 30}}`}},
		{"ask_docs", "What does the documentation say about limits?", []string{`ask_docs{"question":"What does the documentation say about limits?"}`}},
		{"add_note", "Add a note: text='buy milk', tags: home, shop and food", []string{`add_note{"text":"buy milk","tags":["home","shop","food"]}`}},
		{"schedule", `Schedule a meeting "Review" on 2026-11-20, in person, 30 minutes`, []string{`schedule{"title":"Review","start":"2026-11-20T00:00:00Z","mode":"in_person","minutes":30}`}},
		{"schedule", `Schedule a meeting titled "Review" at 2026-11-20T15:30`, []string{`schedule{"title":"Review","start":"2026-11-20T15:30:00Z","mode":"video_call"}`}},
		{"whois", "whois https://go.dev", []string{`whois{"target":"https://go.dev"}`}},
		{"whois", "whois https://go.dev, not fast", []string{`whois{"target":"https://go.dev","fast":false}`}},
		{strange, "what's the weather like in springfield today", []string{`get_weather{"city":"springfield"}`}},
		{strange, "Run this query:\n```sql\nSELECT a,\n  b\nFROM t\n```", []string{`sql_tool{"query":"SELECT a,\n  b\nFROM t"}`}},
		{"query_files", "SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY total DESC", []string{`query_files{"sql":"SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY total DESC"}`}},
		{"query_files " + builtin, "SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY total DESC", []string{`query_files{"sql":"SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY total DESC"}`}},
		{"query_files", "Which is best?\nSELECT region,\n       SUM(amount) AS total\nFROM sales\nWHERE note <> 'a; b\nc'\nGROUP BY region\nORDER BY total DESC;\nThank you", []string{`query_files{"sql":"SELECT region,\n       SUM(amount) AS total\nFROM sales\nWHERE note <> 'a; b\nc'\nGROUP BY region\nORDER BY total DESC;"}`}},
		{"query_files", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c LIMIT 3", []string{`query_files{"sql":"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c LIMIT 3"}`}},
		{"query_files", "SELECT a FROM t\nand tell me what you think", []string{`query_files{"sql":"SELECT a FROM t"}`}},
		{"add", "add 007 and 1.50", []string{`add{"a":7,"b":1.50}`}},
		{"查询订单", "查询订单 10086", []string{`查询订单{"编号":10086}`}},

		// All at once: the right one of many.
		{everyone, "What is 17 * 23, and what time is it in Asia/Shanghai?", []string{`calculate{"expression":"17 * 23"}`, `current_time{"timezone":"Asia/Shanghai"}`}},
		{everyone, "What's the weather in Berlin? And read /etc/hosts", []string{`get_weather{"city":"Berlin"}`, `read_file{"path":"/etc/hosts"}`}},

		// Nothing to call.
		{everyone, "Hello!", nil},
		{everyone, "Tell me a joke", nil},
		{everyone, "", nil},
		{"", "What is 2 + 2?", nil},
		{builtin, "Who was in Paris in 1920?", nil},
		{strange, "What's the weather?", nil},
		{strange, "Send an email to bob@example.com", nil},
		{builtin, "Call me at 5", nil},
	} {
		t.Run(test.prompt, func(t *testing.T) {
			t.Parallel()
			p := think(test.prompt, offered(test.tools))
			var got []string
			for _, c := range p.calls {
				got = append(got, fmt.Sprintf("%s%s", c.tool.name, c.json()))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("calls (-want +got):\n%s\ngaps: %+v", diff, p.gaps)
			}
		})
	}
}
