package dialect

import (
	"fmt"
	"strings"
	"testing"

	"helve/tool"
)

func TestReadName(t *testing.T) {
	t.Parallel()
	ends := []string{"<sep>", "<separator>", "{"}
	known := map[string]*tool.Definition{"look up": nil, "天气": nil}
	for _, c := range []struct {
		in    string
		tools map[string]*tool.Definition
		want  string
	}{
		{"f<sep>x", nil, `"f" 1+5`},
		{"f<separator>x", nil, `"f" 1+11`},
		{" \n f \n <sep>", nil, `"f" 7+5`},
		{"a.b-c/d:0{", nil, `"a.b-c/d:0" 9+1`},
		{"天气<sep>", nil, `"天气" 6+5`},
		{"天气<sep>", known, `"天气" 6+5`},
		{"look up<sep>", known, `"look up" 7+5`},
		{"look up<sep>", nil, "fail 5"},
		{"look under<sep>", known, `"look under" 10+5`},
		{" tag is a tag", nil, "fail 5"},
		{"标签<sep>", known, "fail 0"},
		{"<sep>", nil, "fail 0"},
		{"", nil, "more"},
		{"f", nil, "more"},
		{"f <se", nil, "more"},
		{"f<sex", nil, "fail 1"},
	} {
		d := &Decoder{tools: c.tools}
		name, at, n, v := d.readName(c.in, ends, false)
		got := fmt.Sprintf("%q %d+%d", name, at, n)
		switch v {
		case more:
			got = "more"
		case fail:
			got = fmt.Sprintf("fail %d", at)
		}
		if got != c.want {
			t.Errorf("%.40q: %s, want %s", c.in, got, c.want)
		}
		// What is said once stays said.
		for i := range c.in {
			if _, early, _, w := d.readName(c.in[:i], ends, false); w != more && (w != v || early != at) {
				t.Errorf("%.40q: another answer after %d bytes", c.in, i)
			}
		}
	}
}

func TestNameInFrontOfJSON(t *testing.T) {
	t.Parallel()
	tools := Options{Tools: transcriptTools}
	long := strings.Repeat("x", maxHeader)

	transcripts{
		{"an array", `Well. [TOOL_CALLS] [{"name": "now", "arguments": {}, "id": "9"}, {"name":"write","arguments":{"text":"x"}}] Done.`,
			`"Well. " now{} write{"text":"x"} " Done."`},
		{"an object", `[TOOL_CALLS]{"name":"now"}`, `now{}`},
		{"a name", `[TOOL_CALLS]now{}[TOOL_CALLS] write {"text":"[TOOL_CALLS]b[ARGS]{}"}`, `now{} write{"text":"[TOOL_CALLS]b[ARGS]{}"}`},
		{"a name with a space", `[TOOL_CALLS]look up[ARGS]{}`, `look up{}`},
		{"arguments that are no object", `[TOOL_CALLS]now[ARGS][1]!`, `"[TOOL_CALLS]now[ARGS][1]" !now "!"`},
		{"the marker in prose", `The [TOOL_CALLS] marker, [TOOL_CALLS]now{}`, `"The [TOOL_CALLS] marker" ! ", " now{}`},
		{"the marker twice", `[TOOL_CALLS][TOOL_CALLS]now{}`, `"[TOOL_CALLS]" ! now{}`},
		{"a broken call in front", `[TOOL_CALLS]write{"text": [TOOL_CALLS]now{}`, `"[TOOL_CALLS]write{\"text\": " !write now{}`},
		{"a raw newline", "[TOOL_CALLS]write[ARGS]\n{\"text\":\"a\nb\"}", `write{"text":"a\nb"}`},
		{"an undeclared name", `[TOOL_CALLS]other{"a":1} x`, `"[TOOL_CALLS]other{\"a\":1}" !other " x"`},
		{"a name without an end", `[TOOL_CALLS]` + long + `y`, `"[TOOL_CALLS]` + long + `" ! "y"`},
		{"half of it", `[TOOL_CALLS]write[ARGS]{"text":"a`, `"[TOOL_CALLS]write[ARGS]{\"text\":\"a" !`},
		{"thinking", `[THINK]hm[/THINK]Hi [x`, `think "hm" "Hi [x"`},
	}.run(t, &mistral, tools)

	const (
		begin, end = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
		call, over = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "<｜tool▁call▁end｜>"
	)
	transcripts{
		{"two", "Hi" + begin + call + "now\n```json\n{}\n```" + over + "\n" + call + "write\n```json\n{\"text\":\"```\\n\"}```" + over + end + "Bye",
			"\"Hi\" now{} write{\"text\":\"```\\n\"} \"Bye\""},
		{"no section", call + "now\n```json\n{}\n```" + over, "now{}"},
		{"ends are missing", begin + call + "now\n```json\n{}\n```" + end, "now{}"},
		{"all ends are missing", begin + call + "now\n```json\n{}", "now{}"},
		{"the fence does not name JSON", begin + call + "now\n```\n{}\n```" + over + end, "now{}"},
		{"there is no fence", begin + call + "now\n{}" + over + end, "now{}"},
		{"ASCII", "<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>now\n```json\n{}\n```<|tool_call_end|><|tool_calls_end|>", "now{}"},
		{"escaped", `<｜tool\_calls\_begin｜><｜tool\_call\_begin｜>function<｜tool\_sep｜>now {}<｜tool\_call\_end｜><｜tool\_calls\_end｜>`, "now{}"},
		{"begun twice", begin + begin + call + "now\n```json\n{}\n```" + over + end, "now{}"},
		{"an empty section", begin + end, `"` + begin + end + `"`},
		{"V3.1's form", begin + "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}" + over + end,
			`"` + begin + `<｜tool▁call▁begin｜>now" ! "<｜tool▁sep｜>{}` + over + end + `"`},
		// A broken call leaves its fence open. What follows is no code for that.
		{"the fence of a broken call", begin + call + "write\n```json\n{\"text\": " + over + call + "now\n```json\n{}\n```" + over + end,
			"\"" + begin + call + "write\\n```json\\n{\\\"text\\\": " + over + "\" !write now{} \"" + end + "\""},
		{"the fence of an undeclared one", begin + call + "other\n```json\n{}```" + over + end + "\n" + begin + call + "now\n```json\n{}\n```" + over + end,
			"\"" + begin + call + "other\\n```json\\n{}```" + over + "\" !other \"" + end + "\\n\" now{}"},
		{"hermes", `<tool_call>{"name":"now"}</tool_call>`, `now{}`},
		{"in the answer's own code", "```\n" + begin + call + "now\n{}" + over + end + "\n```\n", "\"```\\n" + begin + call + "now\\n{}" + over + end + "\\n```\\n\""},
	}.run(t, &deepseekV3, tools)

	transcripts{
		{"two", begin + "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}" + over + "<｜tool▁call▁begin｜>write<｜tool▁sep｜>{\"text\":\"" + over + "\"}" + over + end,
			`now{} write{"text":"` + over + `"}`},
		{"V3's form", begin + call + "now\n```json\n{}\n```" + over + end + ".",
			"\"" + begin + call + "\" !function \"now\\n```json\\n{}\\n```" + over + end + ".\""},
		{"invented results", "It is <｜tool▁output▁begin｜>22°<｜tool▁output▁end｜>.", `"It is " "22°" "."`},
	}.run(t, &deepseekV31, tools)

	const (
		kimi, kimiEnd = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"
		argument      = "<|tool_call_argument_begin|>"
	)
	transcripts{
		{"an id", "Hi " + kimi + "<|tool_call_begin|>functions.now:0" + argument + "{}<|tool_call_end|>\n<|tool_call_begin|> write:1 \n" + argument + ` {"text":"x"} <|tool_call_end|>` + kimiEnd + " Bye",
			`"Hi " now{} write{"text":"x"} " Bye"`},
		{"a plain name", "<|tool_call_begin|>now" + argument + "{}<|tool_call_end|>", `now{}`},
		{"the singular", "<|tool_call_section_begin|><|tool_call_begin|>now:0" + argument + "{}<|tool_call_end|><|tool_call_section_end|>", `now{}`},
		{"no end of a call", kimi + "<|tool_call_begin|>now:0" + argument + "{}<|tool_call_begin|>now:1" + argument + "{}" + kimiEnd, `now{} now{}`},
		{"an empty section", "a" + kimi + kimiEnd + "b", `"a" "b"`},
		{"text between calls", kimi + "<|tool_call_begin|>now:0" + argument + "{}<|tool_call_end|> and <|tool_call_begin|>now:1" + argument + "{}<|tool_call_end|>" + kimiEnd, `now{} " and " now{}`},
		{"a call in reasoning", "<think>I call<|tool_call_begin|>now:0" + argument + "{}<|tool_call_end|>", `think "I call" now{}`},
		{"prose", "The <|tool_call_begin|> token is one.", `"The <|tool_call_begin|> token " ! "is one."`},
		{"an undeclared one of two", kimi + "<|tool_call_begin|>functions.other:0" + argument + "{}<|tool_call_end|><|tool_call_begin|>now:1" + argument + "{}<|tool_call_end|>" + kimiEnd,
			`"` + kimi + "<|tool_call_begin|>functions.other:0" + argument + `{}<|tool_call_end|>" !functions.other:0 now{} "` + kimiEnd + `"`},
	}.run(t, &kimiK2, tools)

	transcripts{{"any name", "<|tool_call_begin|>functions.other:0" + argument + "{}<|tool_call_end|>", `other{}`}}.
		run(t, &kimiK2, Options{Tools: transcriptTools, AnyName: true})
}

var namePieces = []string{
	"[TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "[", "]", "{}", `{"text":"`, `"}`, `{"name":"now"}`, "now", "write", "look up", " ", "\n", ",",
	"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "function", "<｜tool▁sep｜>", "```json", "```",
	"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<|tool_call_end|>", "functions.", ":0", "<|tool_call_argument_begin|>",
	"<think>", "</think>", "<", "x", "日", strings.Repeat(" ", maxHeader/2),
}

func FuzzNameInFrontOfJSON(f *testing.F) {
	f.Add(uint8(0), []byte{0, 9, 1, 5, 0, 10, 6, 33, 7})
	f.Add(uint8(1), []byte{15, 17, 19, 20, 9, 13, 21, 13, 5, 13, 22, 18, 16})
	f.Add(uint8(2), []byte{15, 17, 9, 20, 5, 18, 16})
	f.Add(uint8(3), []byte{23, 25, 27, 9, 28, 29, 5, 26, 24})
	f.Fuzz(func(t *testing.T, which uint8, program []byte) {
		d := []*Dialect{&mistral, &deepseekV3, &deepseekV31, &kimiK2}[which%4]
		keepsPromises(t, d, Options{Tools: transcriptTools}, spell(namePieces, program), uint64(len(program)))
	})
}
