package dialect

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

var paramTools = []tool.Definition{
	{Name: "write", Parameters: schema.MustCompile(`{"type": "object", "properties": {
		"path": {"type": "string"}, "content": {"type": "string"}, "mode": {"type": "integer"},
		"tags": {"type": "array", "items": {"type": "string"}}, "meta": {"type": "object"},
		"note": {"type": ["string", "null"]}, "ratio": {"type": "number"}, "force": {"type": "boolean"}}}`)},
	{Name: "ping", Parameters: schema.MustCompile(`{"type": "object", "properties": {}}`)},
	{Name: "ask", Parameters: schema.MustCompile(`{"type": "object", "properties": {"arguments": {"type": "object"}}}`)},
}

// told says what events are, in one line: text in quotes, reasoning in
// parentheses, calls as they are, and ! for what is invalid. Control markup is
// left out.
func told(events []Event) string {
	var b []string
	for _, e := range merged(events) {
		switch e.Kind {
		case Text:
			b = append(b, fmt.Sprintf("%q", e.Text))
		case Reasoning:
			b = append(b, fmt.Sprintf("(%s)", e.Text))
		case ToolCall:
			b = append(b, e.Call.Name+string(e.Call.Arguments))
		case Invalid:
			b = append(b, "!")
		}
	}
	return strings.Join(b, " ")
}

// tell decodes input and checks on the way that chunks make no difference and
// that no byte is lost.
func tell(t testing.TB, d *Dialect, o Options, input string) string {
	t.Helper()
	want := told(decodeIn(d, o, input, 0))
	r := rand.New(rand.NewPCG(1, uint64(len(input))))
	for _, n := range []int{1, 2, 7, 1 + r.IntN(40)} {
		events := decodeIn(d, o, input, n)
		if got := told(events); got != want {
			t.Errorf("%s: %q\n in chunks of %d: %s\n as a whole:     %s", d.name, input, n, got, want)
		}
		var b strings.Builder
		for _, e := range events {
			if e.Kind != Invalid {
				b.WriteString(e.Text)
			}
		}
		if b.String() != input {
			t.Errorf("%s: %q came out as %q", d.name, input, b.String())
		}
	}
	return want
}

func TestParams(t *testing.T) {
	t.Parallel()
	const all = true // tools are declared
	for _, c := range []struct {
		why      string
		dialect  *Dialect
		declared bool
		input    string
		want     string
	}{
		{"as the model was trained", &qwen3Coder, all,
			"Hm.\n<tool_call>\n<function=write>\n<parameter=path>\na.go\n</parameter>\n<parameter=mode>\n420\n</parameter>\n</function>\n</tool_call>\nBye.",
			`"Hm.\n" write{"path":"a.go","mode":420} "\nBye."`},
		{"on one line", &qwen3Coder, all,
			"<tool_call><function=write><parameter=path>a.go</parameter></function></tool_call>",
			`write{"path":"a.go"}`},
		{"two calls in one section", &qwen3Coder, all,
			"<tool_call><function=ping></function>\n<function=write><parameter=path>a</parameter></function></tool_call>",
			`ping{} write{"path":"a"}`},
		{"without the section", &qwen3Coder, all,
			"ok <function=ping></function> bye",
			`"ok " ping{} " bye"`},
		{"without the section's opener", &qwen3Coder, all,
			"<function=ping>\n</function>\n</tool_call> bye",
			`ping{} " bye"`},
		{"without the section's closer", &qwen3Coder, all,
			"<tool_call>\n<function=ping>\n</function>\n<tool_call>\n<function=ping>\n</function>\n</tool_call>",
			`ping{} ping{}`},
		{"without the call's closer", &qwen3Coder, all,
			"<tool_call><function=write><parameter=path>a</parameter></tool_call>",
			`write{"path":"a"}`},
		{"without a value's closer", &qwen3Coder, all,
			"<tool_call>\n<function=write>\n<parameter=path>\na\n<parameter=content>\nb\n</function>\n</tool_call>",
			`write{"path":"a","content":"b"}`},
		{"without any closer but the section's", &qwen3Coder, all,
			"<tool_call><function=write><parameter=path>a</tool_call>",
			`"<tool_call><function=write><parameter=path>a</tool_call>" !`},
		{"two calls, the first without its closer", &qwen3Coder, all,
			"<tool_call><function=write><parameter=path>a</parameter><function=ping></function></tool_call>",
			`write{"path":"a"} ping{}`},
		{"another word for function", &qwen3Coder, all,
			"<tool_call><invoke=ping></invoke></tool_call>", `ping{}`},
		{"attributes and blanks", &qwen3Coder, all,
			`<tool_call><function name=" write "><parameter name='path'>a</parameter><parameter= mode >1</parameter></function></tool_call>`,
			`write{"path":"a","mode":1}`},
		{"names between tags", &qwen3Coder, all,
			"<tool_call>\n<function=write>\n<parameter>path</parameter>\na </parameter> b\n<parameter>mode</parameter>\n1\n</parameter>\n</function>\n</tool_call>",
			`write{"path":"a </parameter> b","mode":1}`},
		{"tags without names", &qwen3Coder, all,
			"<tool_call><function=ping>\n<parameter/>\n</function><function=write><parameter /><parameter=path>a</parameter><parameter/></function></tool_call>",
			`ping{} write{"path":"a"}`},
		{"a tag without a name, and text", &qwen3Coder, all,
			"<tool_call><function=write><parameter/>a</parameter></function></tool_call>",
			`"<tool_call><function=write><parameter/>" ! "a</parameter></function></tool_call>"`},
		{"elements of declared names", &qwen3Coder, all,
			"<tool_call><function=write>\n<path>\na\n</path>\n<content><b>x</b></parameter></content></function></tool_call>",
			`write{"path":"a","content":"<b>x</b></parameter>"}`},
		{"elements of other names", &qwen3Coder, all,
			"<tool_call><function=write>\n<file>a</file></function></tool_call>",
			`"<tool_call><function=write>\n" ! "<file>a</file></function></tool_call>"`},
		{"JSON in the section", &qwen3Coder, all,
			"<tool_call>\n{\"name\": \"write\", \"arguments\": {\"path\": \"</tool_call>\"}}\n</tool_call>",
			`write{"path": "</tool_call>"}`},
		{"an unknown tool", &qwen3Coder, all,
			"<tool_call><function=rm><parameter=path>/</parameter></function></tool_call>",
			`"<tool_call><function=rm><parameter=path>/</parameter></function>" ! "</tool_call>"`},
		{"a tool that is mentioned", &qwen3Coder, !all,
			"<function=f></function> is an empty call", `"<function=f></function>" ! " is an empty call"`},
		{"a tag that is mentioned", &qwen3Coder, all,
			"Use <tool_call> or <function=write> here, or </tool_call>.",
			`"Use <tool_call> " ! "or <function=write> " ! "here, or </tool_call>."`},
		{"a name without an end", &qwen3Coder, all,
			"<tool_call>\n<function=write\n</function>\n</tool_call><tool_call><function=ping></function></tool_call>",
			`"<tool_call>\n<" ! "function=write\n</function>\n</tool_call>" ping{}`},

		{"a parameter's closer in a value", &qwen3Coder, all,
			"<tool_call>\n<function=write>\n<parameter=content>\na </parameter> b\n</parameter>\n</function>\n</tool_call>",
			`write{"content":"a </parameter> b"}`},
		{"a call's closer in a value", &qwen3Coder, all,
			"<tool_call>\n<function=write>\n<parameter=content>\na </function> b\n</parameter>\n</function>\n</tool_call>",
			`write{"content":"a </function> b"}`},
		{"a section's closer in a value", &qwen3Coder, all,
			"<tool_call>\n<function=write>\n<parameter=content>\na </tool_call>\n</parameter>\n</function>\n</tool_call>",
			`write{"content":"a </tool_call>"}`},
		{"a call's opener in a value", &qwen3Coder, all,
			"<tool_call>\n<function=write>\n<parameter=content>\na <function=ping> b\n</parameter>\n</function>\n</tool_call>",
			`write{"content":"a <function=ping> b"}`},
		{"a whole parameter in a value", &qwen3Coder, all,
			"<tool_call>\n<function=write>\n<parameter=content>\na <parameter=path>x</parameter> b\n</parameter>\n</function>\n</tool_call>",
			`write{"content":"a <parameter=path>x</parameter> b"}`},
		{"a whole call in a value", &qwen3Coder, all,
			"<tool_call><function=write><parameter=content>\nSay\n<tool_call>\n<function=write>\n<parameter=path>\nx\n</parameter>\n</function>\n</tool_call>\n\n</parameter><parameter=path>a</parameter></function></tool_call>",
			`write{"content":"Say\n<tool_call>\n<function=write>\n<parameter=path>\nx\n</parameter>\n</function>\n</tool_call>\n","path":"a"}`},
		{"an empty call in a value", &qwen3Coder, all,
			"<tool_call><function=write><parameter=content><tool_call>\n<function=ping>\n</function>\n</tool_call></parameter></function></tool_call>",
			`write{"content":"<tool_call>\n<function=ping>\n</function>\n</tool_call>"}`},
		{"a call without closers and a whole one", &qwen3Coder, all,
			"<tool_call><function=write><parameter=content>a\n<tool_call><function=write><parameter=path>b</parameter></function></tool_call>",
			`"<tool_call><function=write><parameter=content>a\n<tool_call><function=write><parameter=path>b</parameter></function></tool_call>" !`},
		{"an undeclared opener in a value", &qwen3Coder, all,
			"<function=write><parameter=content>a <parameter=x> b</parameter></function>",
			`"<function=write><parameter=content>a <parameter=x> b" ! "</parameter></function>"`},
		{"an undeclared parameter", &qwen3Coder, all,
			"<function=write><parameter=x>1</parameter><parameter=path>a</parameter></function>",
			`write{"x":"1","path":"a"}`},
		{"an opener behind a closer, without definitions", &qwen3Coder, !all,
			"<function=f><parameter=a>1 </parameter> 2 <parameter=b>3</parameter></function>",
			`"<function=f><parameter=a>1 </parameter> 2 <parameter=b>3" ! "</parameter></function>"`},

		{"cut in a value", &qwen3Coder, all,
			"<tool_call><function=write><parameter=path>/etc",
			`"<tool_call><function=write><parameter=path>/etc" !`},
		{"cut behind a value", &qwen3Coder, all,
			"<function=write><parameter=path>/etc</parameter>\n",
			`"<function=write><parameter=path>/etc</parameter>\n" !`},
		{"cut in a closer", &qwen3Coder, all,
			"<function=write><parameter=path>/etc</parameter></functio",
			`"<function=write><parameter=path>/etc</parameter></functio" !`},
		{"cut behind the call", &qwen3Coder, all,
			"<tool_call><function=write><parameter=path>/etc</parameter></function>\n",
			`write{"path":"/etc"}`},

		{"quotes are not part of a string", &qwen3Coder, all,
			"<function=write><parameter=path>\n \"a\\\"\\u00e9\"\n</parameter><parameter=content>\"a\" and \"b\"</parameter></function>",
			`write{"path":"a\"\u00e9","content":"\"a\" and \"b\""}`},
		{"but elsewhere they are", &step3p5, all,
			"<tool_call><function=write><parameter=path>\n\"a\"\n</parameter></function></tool_call>",
			`write{"path":"\"a\""}`},
		{"newlines at the ends", &step3p5, all,
			"<tool_call><function=write><parameter=path>\n\na\n\n</parameter><parameter=content>b\n</parameter><parameter=note>\n\n</parameter></function></tool_call>",
			`write{"path":"\na\n","content":"b\n","note":""}`},
		{"newlines are the value's", &minimaxM2, all,
			"<minimax:tool_call><invoke name=\"write\"><parameter name=\"path\">\n a\n</parameter></invoke></minimax:tool_call>",
			`write{"path":"\n a\n"}`},
		{"types", &qwen3Coder, all,
			"<function=write><parameter=path>007</parameter><parameter=mode>7.0</parameter><parameter=tags>['a']</parameter><parameter=meta>{\"b\": 1, \"a\": 2}</parameter><parameter=note>null</parameter><parameter=ratio>1.50</parameter><parameter=force>True</parameter></function>",
			`write{"path":"007","mode":7,"tags":["a"],"meta":{"b": 1, "a": 2},"note":null,"ratio":1.50,"force":true}`},
		{"entities are the value's", &minimaxM2, all,
			`<invoke name="write"><parameter name="path">a&amp;b</parameter></invoke>`,
			`write{"path":"a&amp;b"}`},
		{"twice", &minimaxM2, all,
			`<invoke name="write"><parameter name="path">a</parameter><parameter name="tags">1</parameter><parameter name="tags">2</parameter><parameter name="path">b</parameter></invoke>`,
			`write{"path":"b","tags":["1","2"]}`},

		{"only the whole word is a name", &anthropicInvoke, all,
			`<function_calls><invoke filename="x" name="write"><parameter type="y" name="path">a</parameter></invoke></function_calls>`,
			`write{"path":"a"}`},
		{"text nested in a value", &anthropicInvoke, !all,
			"<invoke name=\"f\"><param name=\"a\">x <param name=\"b\">y</param> z</param></invoke>",
			`f{"a":"x <param name=\"b\">y</param> z"}`},
		{"closed by the wrong tag", &anthropicInvoke, all,
			`<function_calls><invoke name="write"><parameter name="path">a</invoke></function_calls>`,
			`write{"path":"a"}`},
		{"no closer and no content", &anthropicInvoke, all,
			`<function_calls><invoke name="write"><parameter name="path"/></invoke><invoke name="ping"/></function_calls>`,
			`write{"path":""} ping{}`},
		{"prose about the tag", &anthropicInvoke, all,
			`An <invoke name="ping"> tag, or <invoke nam`,
			`"An <invoke name=\"ping\"> " ! "tag, or <invoke " ! "nam"`},
		{"entities in names", &anthropicInvoke, !all,
			`<invoke name="a&amp;b"><parameter name="&quot;">1</parameter></invoke>`,
			`a&b{"\"":"1"}`},

		{"the early form", &anthropicInvoke, all,
			"a <function_calls>\n<invoke>\n<tool_name>write</tool_name>\n<parameters>\n<path>a</path>\n<mode>7</mode>\n</parameters>\n</invoke>\n<invoke>\n<tool_name> ping </tool_name>\n</invoke>\n</function_calls> b",
			`"a " write{"path":"a","mode":7} ping{} " b"`},
		{"the early form alone", &anthropicInvoke, all,
			"<invoke><tool_name>write</tool_name><parameters><content></invoke></content></parameters></invoke> b",
			`write{"content":"</invoke>"} " b"`},
		{"the early form without a name", &anthropicInvoke, all,
			"<invoke><tool_name><b></tool_name></invoke>", `"<invoke><tool_name>" ! "<b></tool_name></invoke>"`},
		{"the early form, cut", &anthropicInvoke, all,
			"<invoke><tool_name>write</tool_name><parameters><path>a", `"<invoke><tool_name>write</tool_name><parameters><path>a" !`},

		{"both bodies", &dots, all,
			`<dots_function_call><invoke name="ping"></invoke>{"name": "write", "arguments": {"mode": "7"}}</dots_function_call>`,
			`ping{} write{"mode":7}`},

		{"the model says what is a string", &deepseekDSML, all,
			`<｜DSML｜tool_calls><｜DSML｜invoke name="write"><｜DSML｜parameter name="note" string="true">null</｜DSML｜parameter><｜DSML｜parameter name="path" string="false">7</｜DSML｜parameter><｜DSML｜parameter name="mode" string="true">7</｜DSML｜parameter><｜DSML｜parameter name="x" string="false">7</｜DSML｜parameter><｜DSML｜parameter name="y" string="true">7</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`,
			`write{"note":"null","path":"7","mode":7,"x":7,"y":"7"}`},
		{"an object in place of parameters", &deepseekDSML, all,
			"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"write\">\n{\"path\": \"</｜DSML｜invoke>\", }\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
			`write{"path":"</｜DSML｜invoke>"}`},
		{"an object that has no end", &deepseekDSML, all,
			"<｜DSML｜invoke name=\"write\">{\"path\": [1</｜DSML｜invoke><｜DSML｜invoke name=\"ping\"></｜DSML｜invoke>",
			`"<｜DSML｜invoke name=\"write\">{\"path\": [1" ! "</｜DSML｜invoke>" ping{}`},
		{"an object and a parameter", &deepseekDSML, all,
			"<｜DSML｜invoke name=\"write\">{}<｜DSML｜parameter name=\"path\">a</｜DSML｜parameter></｜DSML｜invoke>",
			`"<｜DSML｜invoke name=\"write\">{}" ! "<｜DSML｜parameter name=\"path\">a</｜DSML｜parameter></｜DSML｜invoke>"`},
		{"all in one parameter", &deepseekDSML, all,
			`<｜DSML｜invoke name="write"><｜DSML｜parameter name="arguments" string="false">{"path": "a"}</｜DSML｜parameter></｜DSML｜invoke>`,
			`write{"path": "a"}`},
		{"which is declared", &deepseekDSML, all,
			`<｜DSML｜invoke name="ask"><｜DSML｜parameter name="arguments" string="false">{"path": "a"}</｜DSML｜parameter></｜DSML｜invoke>`,
			`ask{"arguments":{"path": "a"}}`},
		{"or whose keys are not", &deepseekDSML, all,
			`<｜DSML｜invoke name="write"><｜DSML｜parameter name="arguments" string="false">{"x": "a"}</｜DSML｜parameter></｜DSML｜invoke>`,
			`write{"arguments":{"x": "a"}}`},

		{"a section in a section", &step3, all,
			"<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"ping\"></steptml:invoke><｜tool_call_end｜>\n<｜tool_call_begin｜><steptml:invoke name=\"write\"><steptml:parameter name=\"path\">a</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>.",
			`ping{} write{"path":"a"} "."`},
	} {
		var o Options
		if c.declared {
			o.Tools = paramTools
		}
		if got := tell(t, c.dialect, o, c.input); got != c.want {
			t.Errorf("%s: %s: %s\n got  %s\n want %s", c.dialect.name, c.why, c.input, got, c.want)
		}
	}
}

// paramDialects are those whose calls are tags around values.
var paramDialects = []*Dialect{
	&qwen3Coder, &step3p5, &seedOSS, &anthropicInvoke, &dots, &minimaxM2, &deepseekDSML, &step3, &glimmer, &minicpm5XML,
}

func TestParamsRoundTrip(t *testing.T) {
	t.Parallel()
	texts := []string{
		"", " ", "\n", "\na\n", "\n\n", "a\n", " a ", "007", "null", "True", `"`, `"quoted"`, `'`, `\n \ \\`, "日本語 🌟",
		"<b>&amp;</b> a < b && c > d", "</tool_call>", "a </parameter> b", "</function> </invoke>", "[1, 2]", "{", "]]>", "<![CDATA[x]]>",
		"```\n</tool_call>\n```", "line\r\nline\t.", "<parameter", "\r\n",
	}
	for _, d := range paramDialects {
		calls := []message.ToolCall{
			{Name: "ping", Arguments: json.RawMessage(`{}`)},
			{Name: "write", Arguments: json.RawMessage(`{"mode":-7,"ratio":1.50,"force":true,"tags":["a","</parameter>"],"meta":{"b":{"c":[]},"a":null}}`)},
		}
		for _, text := range texts {
			calls = append(calls, message.ToolCall{Name: "write", Arguments: json.RawMessage(`{"path":"x","content":` + quote(text) + `,"mode":1}`)})
		}
		for i := range calls { // alone and together
			checkRoundTrip(t, d, calls[i:i+1])
		}
		checkRoundTrip(t, d, calls)
	}
}

func checkRoundTrip(t *testing.T, d *Dialect, calls []message.ToolCall) {
	t.Helper()
	written := d.Write(calls)
	var got []string
	for _, e := range decodeIn(d, Options{Tools: paramTools}, written, 0) {
		switch {
		case e.Kind == ToolCall:
			got = append(got, e.Call.Name+canonical(t, e.Call.Arguments))
		case e.Kind != Control && strings.TrimSpace(e.Text) != "":
			t.Errorf("%s: %s: %q of %q", d.name, e.Kind, e.Text, written)
		}
	}
	for i, c := range calls {
		if want := c.Name + canonical(t, c.Arguments); i >= len(got) || got[i] != want {
			t.Errorf("%s: %s was written as %q and read as %v", d.name, want, written, got)
			return
		}
	}
}

// canonical is JSON without the choices that its writer has.
func canonical(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Nothing that a model repeats makes a byte be looked at more than a few times:
// a scanner that goes back would take minutes here.
func TestParamsLinear(t *testing.T) {
	t.Parallel()
	const size = 64 << 10
	for _, c := range []struct {
		d             *Dialect
		prefix, units string
	}{
		{&qwen3Coder, "", "<tool_call>|<function=ping>|<parameter=\""},
		{&qwen3Coder, "<function=write><parameter=content>", "a|<| |</parameter> |<parameter=mode>|<parameter=x>a</parameter>|</function> |</tool_call> |<function=ping> </function>|<function=ping> <parameter=x>"},
		{&qwen3Coder, "<function=write><parameter=content></parameter>", " "},
		{&minicpm5XML, `<function name="write"><param name="content">`, "a|&amp;|<![CDATA[]]>"},
		{&minicpm5XML, `<function name="write"><param name="content"><![CDATA[`, "a|]"},
		{&glimmer, " to=user<|message|>", "a|<"},
	} {
		for unit := range strings.SplitSeq(c.units, "|") {
			input := c.prefix + strings.Repeat(unit, size/len(unit))
			decoder := c.d.NewDecoder(Options{Tools: paramTools})
			for i := range len(input) {
				decoder.Feed(input[i : i+1])
			}
			decoder.End()
		}
	}
}

func FuzzParams(f *testing.F) {
	for i := range paramDialects {
		for _, seed := range []string{
			"<tool_call><function=write><parameter=content>a</parameter> b</parameter></function></tool_call>",
			"<minimax:tool_call><invoke name=\"write\"><parameter name=\"path\">x<parameter name=\"mode\">1</invoke></minimax:tool_call>",
			"<｜DSML｜tool_calls><｜DSML｜invoke name=\"write\">{\"path\": 1}</｜DSML｜invoke></｜DSML｜tool_calls>",
			" to=user<|message|>a<|eot|><|start|>assistant to=write<|message|><atem:function_calls><atem:invoke name=\"ping\"></atem:invoke></atem:function_calls>",
			"<function name=\"write\"><param name=\"path\"><![CDATA[a]]>&lt;</param></function>",
		} {
			f.Add(byte(i), seed)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, input string) {
		d := paramDialects[int(which)%len(paramDialects)]
		for _, o := range []Options{{}, {Tools: paramTools}} {
			tell(t, d, o, input)
			for _, e := range decodeIn(d, o, input, 0) {
				if e.Kind == ToolCall && (!json.Valid(e.Call.Arguments) || e.Call.Arguments[0] != '{') {
					t.Errorf("%s: the arguments of %q are %s", d.name, input, e.Call.Arguments)
				}
			}
		}
	})
}
