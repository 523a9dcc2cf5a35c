package dialect

import "testing"

func TestGlimmerFrames(t *testing.T) {
	t.Parallel()
	const ping = "<atem:function_calls>\n<atem:invoke name=\"ping\">\n</atem:invoke>\n</atem:function_calls>"
	for _, c := range []struct{ why, input, want string }{
		{"to the user", " to=user<|message|>Hi `x <|eot|>", "\"Hi `x \""},
		{"to nobody", "<|message|>Hi " + ping + "<|eot|>", `"Hi " ping{}`},
		{"no frame", "Hi " + ping, `"Hi " ping{}`},
		{"nothing", "", ``},
		{"no frame but its beginning", " to", `" to"`},
		{"to a tool", " to=ping<|message|>" + ping + "<|eot|>", `ping{}`},
		{"an example for the user", " to=user<|message|>" + ping + "<|eot|>", `"<atem:function_calls>\n<atem:invoke name=\"ping\">\n</atem:invoke>\n</atem:function_calls>"`},
		{"thoughts", " to=self<|message|>Call <atem:invoke name=\"ping\">?<|eom|><|start|>assistant to=ping<|message|>" + ping + "<|eot|>",
			`(Call <atem:invoke name="ping">?) ping{}`},
		{"thoughts without an end", " to=self<|message|>a < b<|start|>assistant to=user<|message|>c", `(a < b) "c"`},
		{"code without an end", " to=user<|message|>```\n<|eom|><|start|>assistant to=ping<|message|>" + ping, "\"```\\n\" ping{}"},
		{"two calls", " to=ping<|message|>" + ping + "<|eom|><|start|>assistant to=ping<|message|>" + ping + "<|eot|>", `ping{} ping{}`},
		{"a marker as text", " to=user<|message|>Use `<|start|>` and <|message|>.", "\"Use `<|start|>` and <|message|>.\""},
		{"a header that breaks off", " to=user", `" to=user" !`},
		{"a header with another tag", " to=user<b>x", `" to=user" ! "<b>x"`},
		{"a namespace", "<atem:invoke name=\"tools.ping\">\n</atem:invoke>", `ping{}`},
		{"a marker in the name", "<atem:invoke name=\"pi<|message|>ng\"></atem:invoke>", `ping{}`},
	} {
		if got := tell(t, &glimmer, Options{Tools: paramTools}, c.input); got != c.want {
			t.Errorf("%s: %s\n got  %s\n want %s", c.why, c.input, got, c.want)
		}
	}
	if got, want := tell(t, &glimmer, Options{Reasoning: ReasoningNone}, " to=self<|message|>a<|eot|>"), `"a"`; got != want {
		t.Errorf("reasoning as text: %s, want %s", got, want)
	}
	if got, want := tell(t, &glimmer, Options{}, `<atem:invoke name="a.b"><atem:parameter name="c"> d</atem:parameter></atem:invoke>`), `a.b{"c":" d"}`; got != want {
		t.Errorf("without definitions: %s, want %s", got, want)
	}
}
