package dialect

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// elementTools have a parameter of every kind.
var elementTools = []tool.Definition{
	{Name: "write", Parameters: schema.MustCompile(`{"type":"object","properties":{
		"path":{"type":"string"},"text":{"type":"string"},"mode":{"type":["integer","null"]}}}`)},
	{Name: "make", Parameters: schema.MustCompile(`{"type":"object","properties":{
		"place":{"type":"object","properties":{"city":{"type":"string"},"zip":{"type":"string"},"at":{"type":"array","items":{"type":"number"}}}},
		"tags":{"type":"array","items":{"type":"string"}},
		"sizes":{"type":"array","items":{"type":"integer"}},
		"people":{"type":"array","items":{"type":"object","properties":{"age":{"type":"integer"}}}},
		"things":{"type":"array"},
		"count":{"type":"integer"},"any":{},"free":{"type":"object"},
		"either":{"anyOf":[{"type":"string"},{"type":"object"}]}}}`)},
	{Name: "now", Parameters: schema.MustCompile(`{"type":"object"}`)},
	{Name: "now_or_never"},
}

func TestElementBodies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"a call", "a <write><path>x</path></write> b", `a «write{"path":"x"}» b`},
		{"no parameters", "<now></now><now/><now /><now>\n</now>< now/>", `«now{}»«now{}»«now{}»«now{}»«now{}»`},
		{"blanks in tags", "< write >< path >x</ path ></ write >", `«write{"path":"x"}»`},
		{"longer names", "<now_or></now_or> <now_or_never/> <nowhere/>", `<now_or></now_or> «now_or_never{}» <nowhere/>`},
		{"undeclared tool", "<read><path>x</path></read> <now/>", `<read><path>x</path></read> «now{}»`},
		{"prose", "The <write> tag. The <now> tag. <now/>", `The <write> tag. The <now> tag. «now{}»`},
		{"attributes", `<write path="x"></write>`, `<write path="x"></write>`},
		{"code", "`<now/>` <now/>", "`<now/>` «now{}»"},

		{"a tag without its end", "a <write\n <path>x</path>\n <text>y /> z</text>\n/> b", `a «write{"path":"x","text":"y /> z"}» b`},
		{"the same with a closer", "<write\n<path>x</path></write>\n<now\n/>", "«write{\"path\":\"x\"}»\n«now{}»"},
		{"its end in a value", "<write\n<text>a</text>/b</text>\n/>", `«write{"text":"a</text>/b"}»`},
		{"a tag without its end on one line", "<write <path>x</path> />", "<write <path>x</path> />"},
		{"a tag without its end before prose", "1 <write\nand <now\n  <pre>", "1 <write\nand <now\n  <pre>"},
		{"a tag without its end before another", "<write\n<other>x</other>\n/><now/>", "<write\n<other>x</other>\n/>«now{}»"},
		{"a tag without its end, cut", "<write\n<path>x</path>\n/", "<write\n<path>x</path>\n/"},

		{"white space is the value's", "<write>\n<path>\n x\n</path>\n</write>", `«write{"path":"\n x\n"}»`},
		{"no value", "<write><path></path><text/></write>", `«write{"path":"","text":""}»`},
		{"markup", "<write><text><!DOCTYPE html>\n<p class=\"a\">1 < 2</p></text></write>", `«write{"text":"<!DOCTYPE html>\n<p class=\"a\">1 < 2</p>"}»`},
		{"entities", "<write><text>&lt;a&gt; &amp;lt; &#65; &nope;</text></write>", `«write{"text":"<a> &lt; A &nope;"}»`},
		{"its own closer", "<write><text>a</text>b</text></write>", `«write{"text":"a</text>b"}»`},
		{"the call's closer", "<write><text>a</write>b</text></write>", `«write{"text":"a</write>b"}»`},
		{"other calls", "<write><text>a <now/> b</text></write>", `«write{"text":"a <now/> b"}»`},
		{"the next parameter's opener", "<write><text>a <path> b</text><path>x</path></write>", `«write{"text":"a <path> b","path":"x"}»`},
		{"undeclared parameter", "<write><other>x</other></write><now/>", `<write><other>x</other></write>«now{}»`},
		{"undeclared parameter behind another", "<write><path>x</path><other>y</other></write>", `<write><path>x</path><other>y</other></write>`},
		{"text between parameters", "<write><path>x</path> and <text>y</text></write>", `<write><path>x</path> and <text>y</text></write>`},
		{"twice", "<write><path>x</path><path>y</path></write>", `<write><path>x</path><path>y</path></write>`},
		{"another call begins", "<write><now/>", `<write>«now{}»`},

		{"cut in a value", "<write><path>/etc", `<write><path>/etc`},
		{"cut behind a value", "<write><path>/etc</path>", `<write><path>/etc</path>`},
		{"cut closer", "<write><path>/etc</path></wri", `<write><path>/etc</path></wri`},
		{"calls in a value that is cut", "<write><text>a <now/> b", `<write><text>a <now/> b`},

		{"null and numbers", "<write><path>null</path><text>007</text><mode> 5.0\n</mode></write><write><mode>null</mode></write>",
			`«write{"path":"null","text":"007","mode":5}»«write{"mode":null}»`},
		{"repeated", "<make><tags>a</tags><count>1</count><tags>b</tags></make>", `«make{"tags":["a","b"],"count":1}»`},
		{"a list of one", "<make><tags>a, b</tags><sizes>3</sizes></make>", `«make{"tags":["a, b"],"sizes":[3]}»`},
		{"items", "<make><tags>\n  <item> a </item>\n  <item>b</item>\n</tags><sizes><0>1</0><1>2</1></sizes></make>", `«make{"tags":["a","b"],"sizes":[1,2]}»`},
		{"list as text", "<make><sizes>1, 2\n3</sizes><tags>['a', \"b\"]</tags></make>", `«make{"sizes":[1,2,3],"tags":["a","b"]}»`},
		{"empty list", "<make><tags> </tags></make>", `«make{"tags":[]}»`},
		{"object", "<make><place>\n<city>Rome</city><zip>00118</zip><at><item>1.50</item><item>2</item></at></place></make>",
			`«make{"place":{"city":"Rome","zip":"00118","at":[1.50,2]}}»`},
		{"object as JSON", "<make><place>{'city': 'Rome',}</place></make>", `«make{"place":{"city":"Rome"}}»`},
		{"objects in a list", "<make><people><item><age>1</age></item><item>{\"age\": 2}</item></people></make>", `«make{"people":[{"age":1},{"age": 2}]}»`},
		{"an element in a list", "<make><things><user><name>A</name></user></things></make>", `«make{"things":[{"user":{"name":"A"}}]}»`},
		{"without a schema", "<make><free><a>1</a><b><item>x</item><item>y</item></b><c>p</c><c>q</c></free></make>", `«make{"free":{"a":"1","b":["x","y"],"c":["p","q"]}}»`},
		{"a number as an item", "<make><count><item>42</item></count></make>", `«make{"count":42}»`},
		{"text wins", "<make><either><a>1</a></either><any><a>1</a></any></make>", `«make{"either":"<a>1</a>","any":"<a>1</a>"}»`},
		{"not well-formed", "<make><place><city>Rome</place></make>", `«make{"place":"<city>Rome"}»`},
		{"not a number", "<make><count>many</count></make>", `«make{"count":"many"}»`},
		{"any parameter", "<now><zone>UTC</zone></now>", `«now{"zone":"UTC"}»`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			decoded(t, &xmlTag, Options{Tools: elementTools}, tt.in, tt.want)
		})
	}
}

// TestElementText is about text without a parameter's tags.
func TestElementText(t *testing.T) {
	t.Parallel()
	tools := append([]tool.Definition{
		{Name: "say", Parameters: schema.MustCompile(`{"type":"object","properties":{"text":{"type":"string"},"loud":{"type":"boolean"}}}`)},
		{Name: "wait", Parameters: schema.MustCompile(`{"type":"object","properties":{"seconds":{"type":"integer"}}}`)},
		{Name: "tell", Parameters: schema.MustCompile(`{"type":"object","properties":{"text":{"type":"string"},"times":{"type":"integer"}},"required":["times"]}`)},
	}, elementTools...)
	long := strings.Repeat("long ", maxHeader/4)
	for _, tt := range []struct{ name, in, want string }{
		{"a call", "<say>Hello!</say>", `«say{"text":"Hello!"}»`},
		{"lines", "So:\n  <say>\nHello,\n\n  you.\n</say> b", "So:\n  «say{\"text\":\"Hello,\\n\\n  you.\"}» b"},
		{"entities and a less-than", "<say>1 &lt; 2 < 3 <4 5</say>", `«say{"text":"1 < 2 < 3 <4 5"}»`},
		{"tags of parameters", "<say><text>Hello!</text></say>", `«say{"text":"Hello!"}»`},
		{"amid a line", "The <say>Hello!</say>", "The <say>Hello!</say>"},
		{"several texts", "<write>x</write>", "<write>x</write>"},
		{"no text", "<wait>5</wait>", "<wait>5</wait>"},
		{"more is required", "<tell>Hello!</tell>", "<tell>Hello!</tell>"},
		{"another tag", "<say>a <now/>", "<say>a «now{}»"},
		{"a parameter's tag", "<say>a <text>b</text></say>", "<say>a <text>b</text></say>"},
		{"behind a parameter", "<say><loud>true</loud>a</say>", "<say><loud>true</loud>a</say>"},
		{"a tag without its end", "<say\nHello!\n/>", "<say\nHello!\n/>"},
		{"too long", "<say>" + long + "</say>", "<say>" + long + "</say>"},
		{"cut", "<say>Hello!</sa", "<say>Hello!</sa"},
		{"code", "`<say>Hello!</say>`", "`<say>Hello!</say>`"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			decoded(t, &xmlTag, Options{Tools: tools}, tt.in, tt.want)
		})
	}
}

func TestMinimaxM3(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{ // ~ stands for the prefix
		{"calls", "a ~<tool_call>\n~<invoke name=\"now\">~</invoke>\n~<invoke name=\"write\">~<path> x ~</path>~</invoke>~</tool_call> b",
			`a «now{}»«write{"path":" x "}» b`},
		{"text has no entities", `~<tool_call>~<invoke name="write">~<text>&lt;a> </text>~</text>~</invoke>~</tool_call>`, `«write{"text":"&lt;a> </text>"}»`},
		{"elements", `~<tool_call>~<invoke name="make">~<place>~<city> Rome ~</city>~<at>~<item>1~</item>~</at>~</place>~<tags>~<item>a~</item>~</tags>~</invoke>~</tool_call>`,
			`«make{"place":{"city":" Rome ","at":[1]},"tags":["a"]}»`},
		{"text keeps its elements", `~<tool_call>~<invoke name="make">~<either>~<a>1~</a>~</either>~</invoke>~</tool_call>`, `«make{"either":"~<a>1~</a>"}»`},
		{"wrong closer", `~<tool_call>~<invoke name="write">~<path>x~</text>~</invoke>~</tool_call>`, `~<tool_call>~<invoke name="write">~<path>x~</text>‹!›~</invoke>~</tool_call>`},
		{"no name", `~<tool_call>~<invoke name=>~</invoke>`, `~<tool_call>~<invoke name=‹!›>~</invoke>`},
		{"cut", `~<tool_call>~<invoke name="write">~<path>x`, `~<tool_call>~<invoke name="write">~<path>x‹!›`},
		{"nothing", "a~<tool_call>~</tool_call>b", "ab"},
		{"other brackets", "a ]<] b ]<]minimax[>[ c", "a ]<] b ]<]minimax[>[ c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			expand := func(s string) string { return strings.ReplaceAll(s, "~", minimaxM3Prefix) }
			decoded(t, &minimaxM3, Options{Tools: elementTools}, expand(tt.in), expand(tt.want))
		})
	}
}

// TestElementsRoundTrip writes what is hard to write and reads it back.
func TestElementsRoundTrip(t *testing.T) {
	t.Parallel()
	values := map[string][]string{
		"write": {`{}`, `{"path":"","text":" a\n\n","mode":null}`, `{"path":"007","text":"</path></write>&lt;\"'<item>1</item>","mode":-3}`, `{"text":"null\r\n\ttrue 日本 😀\u0001\u007f\u0085\ufeff\uffff\u2028"}`},
		"make": {`{"place":{"city":" Rome","zip":"00118","at":[1.50,-2e9]},"tags":["a","b, c","[1]","<b>"],"sizes":[],"people":[{"age":1},{}]}`,
			`{"count":12345678901234567890,"things":[[1,{"a b":null}]],"free":{"a b":{"c":[true]}}}`},
	}
	for _, d := range []*Dialect{&xmlTag, &minimaxM3, &yamlXML} {
		for name, all := range values {
			for _, arguments := range all {
				if d == &minimaxM3 && strings.Contains(arguments, `"things"`) {
					arguments = `{"count":12345678901234567890,"people":[],"free":{}}` // types below a schema's end are lost
				}
				text := d.Write([]message.ToolCall{promiseCall(name, arguments), promiseCall("now", `{}`)})
				calls := 0
				for _, e := range decodeIn(d, Options{Tools: elementTools}, text, 0) {
					if e.Kind == ToolCall && (e.Call.Name == "now" || sameJSON(e.Call.Arguments, []byte(arguments))) {
						calls++
					}
				}
				if calls != 2 {
					t.Errorf("%s: %s is written as\n%s\nand read as\n%s", d, arguments, text, describe(decodeIn(d, Options{Tools: elementTools}, text, 0)))
				}
			}
		}
	}
}

// FuzzElements holds that values made of elements become valid JSON, whatever they
// hold.
func FuzzElements(f *testing.F) {
	for _, s := range []string{"x", "<item>1</item>", "<a><b>1</b><b/></a>", "<a>x</b>", "1, 2", "['x']", "<item><item/></item> y", "{\"a\": 1}"} {
		f.Add(s, "<c>"+s+"</c>")
	}
	properties := elementTools[1].Schema().Properties()
	f.Fuzz(func(t *testing.T, one, two string) {
		for _, e := range []elementReader{{xml: true}, {prefix: "]<"}} {
			for _, p := range properties {
				for _, raw := range [][]string{{one}, {one, two}} {
					if len(raw) == 2 && p.Type != "array" {
						continue
					}
					value := e.value(p, true, raw)
					if !json.Valid(value) || !utf8.Valid(value) && utf8.ValidString(one+two) {
						t.Fatalf("%s: %q is %q", p.Name, raw, value)
					}
				}
			}
		}
	})
}
