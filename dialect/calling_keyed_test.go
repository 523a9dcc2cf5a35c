package dialect

import (
	"strings"
	"testing"
)

func TestKeyedCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"a call", `a [Calling tool="write" path="x" text="y z"] b`, `a «write{"path":"x","text":"y z"}» b`},
		{"types", `[Calling tool="write" mode="3" path="007"]`, `«write{"mode":3,"path":"007"}»`},
		{"white space", "[Calling tool=\"write\"\n  path=\"x\" ]", `«write{"path":"x"}»`},
		{"escapes", `[Calling tool="write" text="a \"b\" ]\n\\"]`, `«write{"text":"a \"b\" ]\n\\"}»`},
		{"what JSON does not escape", "[Calling tool=\"write\" text=\"\\d\n\"]", `«write{"text":"\\d\n"}»`},
		{"a parameter named tool", `[Calling tool="now" tool="x"]`, `«now{"tool":"x"}»`},
		{"both forms", `[Calling tool="write" path="x"] [Calling tool: now({})]`, `«write{"path":"x"}» «now{}»`},
		{"no arguments", `[Calling tool="now"]`, `[Calling tool="now"‹!›]`},
		{"undeclared", `[Calling tool="other" path="x"]`, `[Calling tool="other‹!›" path="x"]`},
		{"no quotes", `[Calling tool="write" path=x]`, `[Calling tool="write" path‹!›=x]`},
		{"prose", "[Calling tool=\"a\nb", "[Calling tool=\"a‹!›\nb"},
		{"a long name", `[Calling tool="` + strings.Repeat("x", maxHeader+1), `[Calling tool="` + strings.Repeat("x", maxHeader) + "‹!›x"},
		{"cut in a value", `[Calling tool="write" path="/etc`, `[Calling tool="write" path="/etc‹!›`},
		{"cut behind a value", `[Calling tool="write" path="/etc"`, `[Calling tool="write" path="/etc"‹!›`},
		{"code", "`[Calling tool=\"write\" path=\"x\"]`", "`[Calling tool=\"write\" path=\"x\"]`"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			decoded(t, &minimaxM2, Options{Tools: elementTools}, tt.in, tt.want)
			decoded(t, &hyV3, Options{Tools: elementTools}, tt.in, tt.want)
			decoded(t, &callingTool, Options{Tools: elementTools}, tt.in, strings.ReplaceAll(tt.want, "‹!›", ""))
		})
	}
}
