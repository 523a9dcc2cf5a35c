package dialect

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// The twenty classes of bugs that decoders of tool calls have had again and again,
// one test each. The numbers are those of the list that the project keeps of them.

// trace is what came out, as a line: text in quotes, calls as name(arguments).
func trace(events []Event) string {
	var out []string
	events = slices.DeleteFunc(events, func(e Event) bool { return e.Kind == Invalid || e.Kind == Control })
	for _, e := range merged(events) {
		switch e.Kind {
		case Text, Reply:
			out = append(out, fmt.Sprintf("%q", e.Text))
		case Reasoning:
			out = append(out, fmt.Sprintf("think %q", e.Text))
		case ToolCall:
			out = append(out, e.Call.Name+string(e.Call.Arguments))
		}
	}
	return strings.Join(out, " ")
}

// bugCase is an answer and what must come of it, at any chunk size.
type bugCase struct{ dialect, input, want string }

func (c bugCase) check(t *testing.T, o Options) {
	t.Helper()
	d, err := Lookup(c.dialect)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 2, 3, 5, 16} {
		if got := trace(decodeIn(d, o, c.input, n)); got != c.want {
			t.Errorf("%s, chunks of %d: %q\ngives %s\nwant  %s", c.dialect, n, c.input, got, c.want)
		}
	}
}

func checkBugs(t *testing.T, cases ...bugCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		c.check(t, Options{})
	}
}

func TestBug01_SplitTagLeaksOrLosesTheCall(t *testing.T) {
	checkBugs(t,
		bugCase{"tag", `A<tool_action name="f"><q value="1" /></tool_action>B`, `"A" f{"q":"1"} "B"`},
		bugCase{"hermes", `A<tool_call>{"name":"f","arguments":{}}</tool_call>B`, `"A" f{} "B"`},
		bugCase{"deepseek-v3.1", "A<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"x\":1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>B", `"A" f{"x":1} "B"`},
		bugCase{"kimi-k2", `A<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"x":1}<|tool_call_end|><|tool_calls_section_end|>B`, `"A" f{"x":1} "B"`},
	)
}

func TestBug02_WholeAnswerSwallowed(t *testing.T) {
	checkBugs(t,
		bugCase{"hermes", "The `<tool_call>` tag wraps JSON. Bye", `"The ` + "`<tool_call>`" + ` tag wraps JSON. Bye"`},
		bugCase{"hermes", "A <tool_call> tag wraps JSON. Bye", `"A <tool_call> tag wraps JSON. Bye"`},
		bugCase{"hermes", `<tool_call>{"name":"f","arguments":{"x":`, `"<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":"`},
		bugCase{"tag", "Write <tool_action> with a name.", `"Write <tool_action> with a name."`},
		bugCase{"qwen3-coder", "Say <function=f> to call f.", `"Say <function=f> to call f."`},
	)
	bugCase{"hermes", `<tool_call>{"name":"other","arguments":{}}</tool_call> Bye`, `"<tool_call>{\"name\":\"other\",\"arguments\":{}}</tool_call> Bye"`}.
		check(t, Options{Tools: promiseTools})
}

func TestBug03_TextBehindOrBetweenCallsDropped(t *testing.T) {
	one := `<tool_call>{"name":"f","arguments":{}}</tool_call>`
	checkBugs(t,
		bugCase{"hermes", one + " tail text", `f{} " tail text"`},
		bugCase{"hermes", one + " and " + one + " end", `f{} " and " f{} " end"`},
		bugCase{"tag", `<tool_action name="f"/> and <tool_action name="g"/> end`, `f{} " and " g{} " end"`},
	)
}

func TestBug04_DuplicatedText(t *testing.T) {
	checkBugs(t,
		bugCase{"json-raw", "for { x } do", `"for { x } do"`},
		bugCase{"structured", `{ "a": { x } }`, `"{ \"a\": { x } }"`},
		bugCase{"hermes", "<tool_call<tool_call>no", `"<tool_call<tool_call>no"`},
	)
}

// TestBug05_QuadraticArguments feeds a long argument in small pieces. A decoder
// that scans again what it has would not end within the test's time.
func TestBug05_QuadraticArguments(t *testing.T) {
	t.Parallel()
	value := strings.Repeat("a <b> c\n", 1<<15) // 256 KiB
	arguments, err := json.Marshal(map[string]string{"path": value})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tag", "hermes", "qwen3-coder", "glm-4.5", "deepseek-v3.1", "pythonic", "gemma4", "minimax-m2", "xml-tag"} {
		d, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		text := d.Write([]message.ToolCall{promiseCall("read_file", string(arguments))})
		if calls := callsOf(decodeIn(d, Options{Tools: promiseTools}, text, 4)); len(calls) != 1 {
			t.Errorf("%s: %d calls", name, len(calls))
		}
	}
}

func TestBug06_CloserInsideAValue(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"</tool_call>", "</tool_action>", "</arg_value> x", "a </path> b", "say </parameter> here", "<|tool_call_end|>", "')]", `"}}`, "} ]"} {
		for _, d := range dialects {
			if d.write != nil {
				arrives(t, d, value)
			}
		}
	}
	for _, c := range []bugCase{
		{"tag", `<tool_action name="f"><q value="a </tool_action> /> > b" /></tool_action>`, `f{"q":"a </tool_action> /> > b"}`},
		{"hermes", `<tool_call>{"name":"f","arguments":{"q":"a </tool_call> b"}}</tool_call>`, `f{"q":"a </tool_call> b"}`},
	} {
		c.check(t, Options{})
	}
	bugCase{"qwen3-coder", "<tool_call>\n<function=read_file>\n<parameter=path>\nsay </parameter> and go on\n</parameter>\n</function>\n</tool_call>",
		`read_file{"path":"say </parameter> and go on"}`}.check(t, Options{Tools: promiseTools})
}

func TestBug07_ValueClosedByTheWrongTag(t *testing.T) {
	t.Parallel()
	for _, c := range []bugCase{
		{"qwen3-coder", "<tool_call>\n<function=read_file>\n<parameter=path>\na\n<parameter=note>\nb\n</parameter>\n</function>\n</tool_call>", `read_file{"path":"a","note":"b"}`},
		{"glm-4.5", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a\n<arg_key>note</arg_key>\n<arg_value>b</arg_value>\n</tool_call>", `read_file{"path":"a","note":"b"}`},
	} {
		c.check(t, Options{Tools: promiseTools})
	}
}

func TestBug08_WhiteSpaceOfValuesLost(t *testing.T) {
	t.Parallel()
	for _, value := range []string{" x ", "\tx", "a\n\nb", "    indented\n        more", "x\u00a0"} {
		for _, d := range dialects {
			if d.write != nil {
				arrives(t, d, value)
			}
		}
	}
	bugCase{"tag", "<tool_action name=\"f\"><q value=\"  a\n\tb  \" /></tool_action>", `f{"q":"  a\n\tb  "}`}.check(t, Options{})
	bugCase{"minimax-m2", `<minimax:tool_call><invoke name="f"><parameter name="q"> a </parameter></invoke></minimax:tool_call>`, `f{"q":" a "}`}.check(t, Options{})
}

func TestBug09_Entities(t *testing.T) {
	checkBugs(t,
		bugCase{"tag", `<tool_action name="f"><q value="a &lt; b &amp;lt; &#65;&#x42; &copy; &quot;" /></tool_action>`, `f{"q":"a < b &lt; AB &copy; \""}`},
		bugCase{"tag", `<tool_action name="a&amp;b"/>`, `a&b{}`},
		bugCase{"qwen3-coder", "<tool_call>\n<function=f>\n<parameter=q>\na &lt; b\n</parameter>\n</function>\n</tool_call>", `f{"q":"a &lt; b"}`},
		bugCase{"glm-4.5", "<tool_call>f\n<arg_key>q</arg_key>\n<arg_value>a &amp; b</arg_value>\n</tool_call>", `f{"q":"a &amp; b"}`},
	)
}

// TestBug10_RuneCut cuts inside runes, of text, markers and values.
func TestBug10_RuneCut(t *testing.T) {
	checkBugs(t,
		bugCase{"tag", `你好<tool_action name="搜索"><查询 value="天气🌟" /></tool_action>再见`, `"你好" 搜索{"查询":"天气🌟"} "再见"`},
		bugCase{"deepseek-v3", "你好<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"q\":\"é\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", `"你好" f{"q":"é"}`},
		bugCase{"hermes", "a<｜b｜c", `"a<｜b｜c"`},
	)
}

// TestBug11_SeveralTokensInOneDelta has a closer, text and the next opener arrive
// together.
func TestBug11_SeveralTokensInOneDelta(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		if d.write == nil {
			continue
		}
		text := "Text." + d.Write([]message.ToolCall{promiseCall("read_file", `{"path":"a"}`), promiseCall("now", `{}`)})
		whole := callsOf(decodeIn(d, Options{Tools: promiseTools}, text, 0))
		if pieces := callsOf(decodeIn(d, Options{Tools: promiseTools}, text, 4)); !reflect.DeepEqual(whole, pieces) {
			t.Errorf("%s: %q and %q", d, whole, pieces)
		}
	}
}

func TestBug12_TypeCoercion(t *testing.T) {
	t.Parallel()
	tools := []tool.Definition{{Name: "f", Parameters: schema.MustCompile(
		`{"type":"object","properties":{"s":{"type":"string"},"u":{"type":["string","integer"]},"n":{"type":"integer"},"b":{"type":"boolean"}}}`)}}
	for _, c := range []bugCase{
		{"tag", `<tool_action name="f"><s value="007" /><u value="007" /><n value="7" /><b value="true" /></tool_action>`, `f{"s":"007","u":"007","n":7,"b":true}`},
		{"qwen3-coder", "<tool_call>\n<function=f>\n<parameter=s>\n007\n</parameter>\n<parameter=u>\ntrue\n</parameter>\n<parameter=n>\n7\n</parameter>\n</function>\n</tool_call>", `f{"s":"007","u":"true","n":7}`},
		{"glm-4.5", "<tool_call>f\n<arg_key>s</arg_key>\n<arg_value>null</arg_value>\n<arg_key>n</arg_key>\n<arg_value>7</arg_value>\n</tool_call>", `f{"s":"null","n":7}`},
		{"tag", `<tool_action name="f"><n value="007" /></tool_action>`, `f{"n":"007"}`},
	} {
		c.check(t, Options{Tools: tools})
	}
}

func TestBug13_LastBraceMissingOrDoubled(t *testing.T) {
	checkBugs(t,
		bugCase{"hermes", `<tool_call>{"name":"f","arguments":{"x":1}</tool_call> ok`, `f{"x":1} " ok"`},
		bugCase{"hermes", `<tool_call>{"name":"f","arguments":{"x":1}}}</tool_call> ok`, `f{"x":1} " ok"`},
		bugCase{"hermes", `<tool_call>{"name":"f","arguments":{"x":"cut</tool_call> ok`, `"<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":\"cut</tool_call> ok"`},
	)
}

// TestBug14_DelayedText looks at each Feed.
func TestBug14_DelayedText(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		decoder := d.NewDecoder(Options{Tools: promiseTools})
		for i, piece := range []string{"First, ", "trailing space ", "\n", "a newline, ", "and (brackets) ", "end "} {
			if got := textOf(decoder.Feed(piece), Text); got != piece {
				t.Errorf("%s: piece %d: %q came out as %q", d, i, piece, got)
			}
		}
	}
}

func TestBug15_CallsInCodeProseOrOtherTags(t *testing.T) {
	t.Parallel()
	call := `<tool_call>{"name":"f","arguments":{}}</tool_call>`
	for _, input := range []string{"```\n" + call + "\n```\n", "```xml\n" + call + "\n```", "Write `" + call + "` to call.", "Write ``" + call + "``.", "   ````\n```\n" + call + "\n````\n",
		"1. Example:\n\n    ```xml\n    " + call + "\n    ```\n", "- ```xml\n  " + call, "> ```\n> " + call + "\n> ```\n", "So: ```\n" + call + "\n```\n", "```markdown\n```xml\n" + call + "\n```\n"} {
		bugCase{"hermes", input, fmt.Sprintf("%q", input)}.check(t, Options{})
	}
	bugCase{"hermes", "```\nx\n```\n" + call, `"` + "```\\nx\\n```\\n" + `" f{}`}.check(t, Options{})
	bugCase{"hermes", "`a` " + call, "\"`a` \" f{}"}.check(t, Options{})
	bugCase{"hermes", "a stray ` here\n" + call, "\"a stray ` here\\n\" f{}"}.check(t, Options{})
	bugCase{"hermes", "```\n" + call + "\n```", "\"```\\n\" f{} \"\\n```\""}.check(t, Options{CallsInCode: true})
}

func TestBug16_CallsInsideReasoning(t *testing.T) {
	t.Parallel()
	call := `<tool_call>{"name":"f","arguments":{}}</tool_call>`
	input := "<think>maybe " + call + " no</think>" + call
	bugCase{"hermes", input, `think "maybe <tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call> no" f{}`}.check(t, Options{})
	bugCase{"hermes", "maybe " + call + " no</think>" + call, `think "maybe <tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call> no" f{}`}.check(t, Options{Reasoning: ReasoningOpen})
	bugCase{"hermes", "<think>maybe " + call + " on", `think "maybe " f{} " on"`}.check(t, Options{CallsInReasoning: true})
	bugCase{"hermes", "<think>a</think>b", `"<think>a</think>b"`}.check(t, Options{Reasoning: ReasoningNone})
	bugCase{"hermes", "</think>b", `"b"`}.check(t, Options{})
	bugCase{"hermes", "a</think>b", `"a</think>b"`}.check(t, Options{})
}

func TestBug17_FabricatedCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []bugCase{
		{"hermes", `<tool_call>{"name":"other","arguments":{"q":"I ran now {} before"}}</tool_call>`, `"<tool_call>{\"name\":\"other\",\"arguments\":{\"q\":\"I ran now {} before\"}}</tool_call>"`},
		{"json-raw", `{"text":"now","arguments":{}}`, `"{\"text\":\"now\",\"arguments\":{}}"`},
		{"pythonic", "I called now() before [see](now)", `"I called now() before [see](now)"`},
		{"xml-tag", "The <nowhere> tag", `"The <nowhere> tag"`},
	} {
		c.check(t, Options{Tools: promiseTools})
	}
}

func TestBug18_HarmonyHeaderNoise(t *testing.T) {
	t.Parallel()
	for _, input := range []string{
		"<|channel|>commentary to=functions.f to=functions.f <|constrain|>json<|message|>{\"x\":1}<|call|>",
		"<|channel|>commentary to=functions.f code<|message|>{\"x\":1}<|call|>",
		"<|start|>assistant<|channel|>commentary to=functions.f<|constrain|><|constrain|>json<|message|>{\"x\":1}<|end|>",
	} {
		bugCase{"harmony", input, `f{"x":1}`}.check(t, Options{})
	}
	for _, input := range []string{"<|channel|>", "<|channel|><|channel|><|message|>", "<|weird|> text", "<|start|><|end|>x"} {
		d, err := Lookup("harmony")
		if err != nil {
			t.Fatal(err)
		}
		keepsPromises(t, d, Options{}, input, 1)
	}
}

// TestBug19_TextIsNeverEvaluated: literals of a language are read, not run.
func TestBug19_TextIsNeverEvaluated(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`__import__("os").system("id")`, "open('/etc/passwd').read()", "1+1", "lambda: 0", "[x for x in y]", "f'{1}'"} {
		for _, name := range []string{"pythonic", "lfm2", "olmo3-pythonic", "llama4-pythonic"} {
			d, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			input := strings.Replace(d.Write([]message.ToolCall{promiseCall("read_file", `{"path":"VALUE"}`)}), "'VALUE'", value, 1)
			for _, e := range decodeIn(d, Options{Tools: promiseTools}, input, 0) {
				if e.Kind == ToolCall && !strings.Contains(string(e.Call.Arguments), strings.Trim(string(jsonString(value)), `"`)) {
					t.Errorf("%s: %q became %s", name, input, e.Call.Arguments)
				}
			}
		}
	}
}

// TestBug20_VariantsOfDeepSeek: arguments over lines, fences and newlines that
// differ, and no limit of 8 KB.
func TestBug20_VariantsOfDeepSeek(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	wrap := func(body string) string {
		return "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>" + body + "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
	}
	checkBugs(t,
		bugCase{"deepseek-v3", wrap("function<｜tool▁sep｜>f\n```json\n{\n\"q\":\n\"a\"\n}\n```"), "f{\n\"q\":\n\"a\"\n}"},
		bugCase{"deepseek-v3", wrap("function<｜tool▁sep｜>f\n```json\n{\"q\":\"a\"}```"), `f{"q":"a"}`},
		bugCase{"deepseek-v3", wrap("function<｜tool▁sep｜>f\n```json\n{\"q\":\"" + long + "\"}\n```"), `f{"q":"` + long + `"}`},
		bugCase{"deepseek-v3.1", wrap("f<｜tool▁sep｜>{\"q\":\n\"a\"}"), "f{\"q\":\n\"a\"}"},
	)
	if !utf8.ValidString("｜▁") {
		t.Fatal("the file is not UTF-8")
	}
}
