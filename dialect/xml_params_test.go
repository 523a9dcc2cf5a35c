package dialect

import (
	"strings"
	"testing"
)

func TestXMLParams(t *testing.T) {
	t.Parallel()
	write := func(content string) string {
		return `<function name="write"><param name="content">` + content + `</param></function>`
	}
	for _, c := range []struct{ why, input, want string }{
		{"text", "Well: " + write("a b") + ".", `"Well: " write{"content":"a b"} "."`},
		{"white space is the value's", write("\n a\n"), `write{"content":"\n a\n"}`},
		{"nothing", write(""), `write{"content":""}`},
		{"entities", write("a &lt;b&gt; &amp;amp; &#65;"), `write{"content":"a <b> &amp; A"}`},
		{"raw data", write("<![CDATA[if a < b && c { </param></function> ]] }]]>"), `write{"content":"if a < b && c { </param></function> ]] }"}`},
		{"both", write("&lt;<![CDATA[&lt;]]>&lt;<![CDATA[]]>"), `write{"content":"<&lt;<"}`},
		{"two", write("a") + "\n" + write("b"), `write{"content":"a"} "\n" write{"content":"b"}`},
		{"types", `<function name="write"><param name=" mode ">7.0</param> <param name="tags">["a"]</param></function>`, `write{"mode":7,"tags":["a"]}`},
		{"no parameters", `<function name="ping"></function><function name="ping"/>`, `ping{} ping{}`},
		{"an empty parameter", `<function name="write"><param name="path"/></function>`, `write{"path":""}`},
		{"a slip", `<functionname="write"><paramname="path">a</param></function>`, `write{"path":"a"}`},
		{"all in one parameter", `<function name="write"><param name="arguments">{"path": "a"}</param></function>`, `write{"path": "a"}`},
		{"a bare &", write("a & b"), `"<function name=\"write\"><param name=\"content\">a & b" ! "</param></function>"`},
		{"a tag in a value", write("a <b>"), `"<function name=\"write\"><param name=\"content\">a " ! "<b></param></function>"`},
		{"an attribute too many", `<function name="ping" x="y"></function>`, `"<function " ! "name=\"ping\" x=\"y\"></function>"`},
		{"another word", `<functions name="ping"></functions>`, `"<functions name=\"ping\"></functions>"`},
		{"text between parameters", `<function name="ping"> x </function>`, `"<function name=\"ping\"> " ! "x </function>"`},
		{"a call in a call", `<function name="write"><function name="ping"></function>`, `"<function name=\"write\">" ! ping{}`},
		{"an opener that breaks off", `<function name="write"<function name="ping"></function>`, `"<function " ! "name=\"write\"" ping{}`},
		{"cut", strings.TrimSuffix(write("a"), "</function>"), `"<function name=\"write\"><param name=\"content\">a</param>" !`},
		{"cut in raw data", `<function name="write"><param name="content"><![CDATA[a]]`, `"<function name=\"write\"><param name=\"content\"><![CDATA[a]]" !`},
		{"an unknown tool", `<function name="rm"></function>`, `"<function name=\"rm\"></function>" !`},
	} {
		if got := tell(t, &minicpm5XML, Options{Tools: paramTools}, c.input); got != c.want {
			t.Errorf("%s: %s\n got  %s\n want %s", c.why, c.input, got, c.want)
		}
	}
}
