package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"helve/message"
)

func TestPairs(t *testing.T) {
	t.Parallel()
	const text = "<arg_key>text</arg_key>\n<arg_value>"
	space := strings.Repeat(" ", maxHeader)
	cases := transcripts{
		{"in lines", "Hi\n<tool_call>write\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n<arg_key>mode</arg_key>\n<arg_value> 420 </arg_value>\n</tool_call>\nBye",
			`"Hi\n" write{"text":"a","mode":420} "\nBye"`},
		{"in one line", "<tool_call>set<arg_key>on</arg_key><arg_value>True</arg_value><arg_key>list</arg_key><arg_value>[1, \"a\"]</arg_value></tool_call><tool_call>now</tool_call>",
			`set{"on":true,"list":[1, "a"]} now{}`},
		{"newlines in letters", `<tool_call>write\n<arg_key>text</arg_key>\n<arg_value>a\nb</arg_value>\n</tool_call>`, `write{"text":"a\\nb"}`},
		{"no arguments", "<tool_call>now</tool_call>", `now{}`},
		{"a name with a space", "<tool_call>look up\n</tool_call>", `look up{}`},
		{"verbatim", "<tool_call>write\n" + text + "\n  &lt;007&gt; <![CDATA[<b>]]> \n</arg_value>\n</tool_call>", `write{"text":"\n  &lt;007&gt; <![CDATA[<b>]]> \n"}`},
		{"text stays text", "<tool_call>write\n" + text + "007</arg_value>\n</tool_call>", `write{"text":"007"}`},
		{"empty", "<tool_call>write\n" + text + "</arg_value>\n</tool_call>", `write{"text":""}`},
		{"the last counts", "<tool_call>write\n" + text + "a</arg_value>\n" + text + "b</arg_value>\n</tool_call>", `write{"text":"b"}`},

		{"a value's closer in a value", "<tool_call>write\n" + text + "a</arg_value> is a tag</arg_value>\n</tool_call>", `write{"text":"a</arg_value> is a tag"}`},
		{"a call's closer in a value", "<tool_call>write\n" + text + "a </tool_call> ends it</arg_value>\n</tool_call>", `write{"text":"a </tool_call> ends it"}`},
		{"a key in a value", "<tool_call>write\n" + text + "<arg_key>k</arg_key><arg_value></arg_value>\n</tool_call>", `write{"text":"<arg_key>k</arg_key><arg_value>"}`},
		{"an opener in a value", "<tool_call>write\n" + text + "<tool_call>now</arg_value>\n</tool_call>", `write{"text":"<tool_call>now"}`},
		{"much space behind a closer", "<tool_call>write\n" + text + "a</arg_value>" + space + "</tool_call>", `write{"text":"a"}`},
		{"too much", "<tool_call>write\n" + text + "a</arg_value>" + space + " </arg_value>\n</tool_call>", `write{"text":"a</arg_value>` + space + ` "}`},

		{"values without closers", "<tool_call>write\n" + text + "a\n<arg_key>mode</arg_key>\n<arg_value>1</tool_call>", `write{"text":"a","mode":1}`},
		{"the last value has none, and another call follows", "<tool_call>write\n" + text + "a</tool_call>\n<tool_call>now</tool_call>", `write{"text":"a"} "\n" now{}`},
		{"a value without an opener", "<tool_call>write\n<arg_key>text</arg_key>\na</arg_value>\n</tool_call>", `write{"text":"a"}`},
		{"keys without closers", "<tool_call>write<arg_key>text<arg_value>a</arg_value><arg_key>mode\n<arg_value>1</arg_value></tool_call>", `write{"text":"a","mode":1}`},
		{"a key without an opener", "<tool_call>write\n" + text + "a</arg_value>\nmode</arg_key>\n<arg_value>1</arg_value>\n</tool_call>", `write{"text":"a","mode":1}`},
		{"two tags are missing", "<tool_call>write\n<arg_key>text\na</arg_value>\n</tool_call>", `"<tool_call>write\n" !write "<arg_key>text\na</arg_value>\n</tool_call>"`},
		{"an array without an end", "<tool_call>set<arg_key>list</arg_key><arg_value>{\"a\": 1</arg_value></tool_call>", `set{"list":"{\"a\": 1"}`},
		{"an escaped array", `<tool_call>set<arg_key>list</arg_key><arg_value>[{\"a\": 1}]</arg_value></tool_call>`, `set{"list":[{"a": 1}]}`},

		{"an undeclared key behind a closer", "<tool_call>write\n" + text + "a</arg_value>\n<arg_key>fake</arg_key>\n<arg_value>b</arg_value>\n</tool_call>",
			`"<tool_call>write\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n" !write "<arg_key>fake</arg_key>\n<arg_value>b</arg_value>\n</tool_call>"`},
		{"an opener behind a closer", "<tool_call>write\n" + text + "a</arg_value>\n<tool_call>now</tool_call>",
			`"<tool_call>write\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n" !write now{}`},
		{"an opener behind the name", "<tool_call>write\n<tool_call>now</tool_call>", `"<tool_call>write\n" ! now{}`},
		{"no end", "<tool_call>write\n" + text + "a</arg_value>\n", `"<tool_call>write\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n" !`},
		{"no name", "<tool_call></tool_call>", `"<tool_call>" ! "</tool_call>"`},
		{"an empty key", "<tool_call>write<arg_key></arg_key>x</tool_call>", `"<tool_call>write" !write "<arg_key></arg_key>x</tool_call>"`},
		{"prose", "The <tool_call> tag. A <tool_call>name wraps it.", `"The <tool_call> tag. " ! "A <tool_call>name " ! "wraps it."`},
		{"a tag that only begins so", "<tool_calling> <tool_call now>", `"<tool_calling> <tool_call now>"`},
		{"an undeclared tool", "<tool_call>other</tool_call>!", `"<tool_call>other</tool_call>" !other "!"`},

		{"JSON", "<tool_call>\n{\"name\": \"now\"}\n</tool_call>", `now{}`},
		{"JSON behind the name", "<tool_call>write\n{\"text\":\"</tool_call>\"}\n</tool_call>", `write{"text":"</tool_call>"}`},
		{"thinking", "<think>Which <tool_call>now</tool_call>?</think>Hi", `think "Which <tool_call>now</tool_call>?" "Hi"`},
	}
	for _, d := range []*Dialect{&glm45, &glm47, &ling3, &poolsideV1, &hyV3} {
		cases.run(t, d, Options{Tools: transcriptTools})
	}

	transcripts{
		{"all are text", "<tool_call>f<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>", `f{"a":"1"}`},
		{"CJK", "<tool_call>天气<arg_key>城市</arg_key><arg_value>北京</arg_value></tool_call>", `天气{"城市":"北京"}`},
	}.run(t, &glm47, Options{})

	transcripts{
		{"a section", "Hi<tool_calls><tool_call>write<tool_sep><arg_key>text</arg_key><arg_value>a</arg_value></tool_call>\n<tool_call>now</tool_call></tool_calls>Bye", `"Hi" write{"text":"a"} now{} "Bye"`},
		{"the last value has no closer", "<tool_calls><tool_call>write<arg_key>text</arg_key><arg_value>a</tool_call></tool_calls>", `write{"text":"a"}`},
		{"the open models", "<tool_call:opensource>write<tool_sep:opensource><arg_key:opensource>text</arg_key:opensource><arg_value:opensource>a</arg_value></arg_value:opensource><end_of_tool_call:opensource>", `write{"text":"a</arg_value>"}`},
		{"JSON", "<tool_call>write<tool_sep>{\"text\":\"a\"}</tool_call>", `write{"text":"a"}`},
	}.run(t, &hyV3, Options{Tools: transcriptTools})
}

func TestKimiK3(t *testing.T) {
	t.Parallel()
	const begin, end = "<|open|>tools<|sep|>", "<|close|>tools<|sep|><|close|>message<|sep|>"
	const closing = "<|close|>argument<|sep|>"
	transcripts{
		{"frames", "Hm.<|close|>think<|sep|><|open|>response<|sep|>Hi<|close|>response<|sep|><|close|>message<|sep|>", `think "Hm." "Hi"`},
	}.run(t, &kimiK3, Options{Reasoning: ReasoningOpen})
	transcripts{
		{"two calls", begin + `<|open|>call tool="write" index="1"<|sep|><|open|>argument key="text" type="string"<|sep|> 1 ` + closing +
			`<|open|>argument type="number" key="mode"<|sep|>2` + closing + `<|close|>call<|sep|><|open|>call index="2" tool="now"<|sep|><|close|>call<|sep|>` + end,
			`write{"text":" 1 ","mode":2} now{}`},
		{"attributes", begin + `<|open|>call tool="look&#32;up"<|sep|><|open|>argument key="a&quot;<|sep|>" type="object"<|sep|>{"x": [1]}` + closing + `<|close|>call<|sep|>` + end,
			`look up{"a\"<|sep|>":{"x": [1]}}`},
		{"no type", begin + `<|open|>call tool="write"<|sep|><|open|>argument key="mode"<|sep|>2` + closing + `<|close|>call<|sep|>` + end, `write{"mode":2}`},
		{"not of its type", begin + `<|open|>call tool="look up"<|sep|><|open|>argument key="a" type="number"<|sep|>two` + closing + `<|close|>call<|sep|>` + end, `look up{"a":"two"}`},
		{"a closer in a value", begin + `<|open|>call tool="write"<|sep|><|open|>argument key="text" type="string"<|sep|>a` + closing + "b" + closing + `<|close|>call<|sep|>` + end, `write{"text":"a` + closing + `b"}`},
		{"half a call", begin + `<|open|>call tool="write"<|sep|>`, `"` + begin + `<|open|>call tool=\"write\"<|sep|>" !`},
		{"no tool", begin + `<|open|>call index="1"<|sep|>`, `"` + begin + `<|open|>call index=\"1\"<|sep|>" !`},
		{"an attribute without quotes", begin + `<|open|>call tool=now<|sep|>`, `"` + begin + `<|open|>call " ! "tool=now<|sep|>"`},
		{"prose", "The <|open|> token.", `"The <|open|> token."`},
	}.run(t, &kimiK3, Options{Tools: transcriptTools})
}

// TestPairsOfAnyArguments writes what must not make the writer fail, or the reader
// take a value for a tag.
func TestPairsOfAnyArguments(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		``:                          `look up{}`,
		`{"a"`:                      `look up{}`,
		`[1]`:                       `look up{}`,
		` {"a": "1"} `:              `look up{"a":"1"}`,
		`{"a":"</arg_value>"}`:      `look up{"a":"</arg_value>"}`,
		`{"a":"\u003c/arg_value>"}`: `look up{"a":"</arg_value>"}`,
		`{" a ":"1"}`:               `look up{" a ":"1"}`,
		`{"<b>":"1","":"2"}`:        `look up{"<b>":"1","":"2"}`,
		`{"a":"<|close|>call<|sep|>","b \"":"x"}`: `look up{"a":"<|close|>call<|sep|>","b \"":"x"}`,
	} {
		for _, d := range []*Dialect{&glm45, &glm47, &hyV3, &kimiK3} {
			call := message.ToolCall{Name: "look up", Arguments: json.RawMessage(arguments)}
			text := d.Write([]message.ToolCall{call})
			var got string
			for _, e := range decodeIn(d, Options{Tools: transcriptTools}, text, 0) {
				if e.Kind == ToolCall {
					got += e.Call.Name + compactJSON(string(e.Call.Arguments))
				}
			}
			if want := "look up" + compactJSON(strings.TrimPrefix(want, "look up")); got != want {
				t.Errorf("%s: %q gives %s, want %s", d, text, got, want)
			}
		}
	}
}

var pairPieces = []string{
	"<tool_call>", "</tool_call>", "<tool_calls>", "</tool_calls>", "<tool_sep>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>",
	"write", "now", "text", "mode", "fake", "\n", `\n`, " ", "a", "1", "{", "}", `{"name":"now"}`, "<", "</", "<think>", "</think>", "`", `\`,
	"<tool_call:opensource>", "<end_of_tool_call:opensource>", "<arg_key:opensource>", "</arg_key:opensource>", "<arg_value:opensource>", "</arg_value:opensource>",
	strings.Repeat(" ", maxHeader/2),
}

func FuzzPairs(f *testing.F) {
	f.Add(uint8(0), []byte{0, 9, 14, 5, 11, 6, 14, 7, 17, 8, 14, 1, 17, 0, 10, 1})
	f.Add(uint8(1), []byte{2, 0, 9, 4, 5, 11, 6, 7, 17, 1, 0, 10, 1, 3})
	f.Fuzz(func(t *testing.T, which uint8, program []byte) {
		d := []*Dialect{&glm45, &hyV3}[which%2]
		o := Options{Tools: transcriptTools}
		if which&2 != 0 {
			o.Tools = nil
		}
		keepsPromises(t, d, o, spell(pairPieces, program), uint64(len(program)))
	})
}
