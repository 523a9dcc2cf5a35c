package dialect

import "testing"

func TestSection(t *testing.T) {
	t.Parallel()
	const ping = `<invoke name="ping"></invoke>`
	for _, c := range []struct{ why, input, want string }{
		{"empty", "a<function_calls> \n</function_calls>b", `"a" "b"`},
		{"one call", "<function_calls>" + ping + "</function_calls>", `ping{}`},
		{"text between calls", "<function_calls>" + ping + " then " + ping + "\n</function_calls>.", `ping{} " then " ping{} "."`},
		{"text before them", "<function_calls> first " + ping + "</function_calls>.", `"<function_calls> " ! "first " ping{} "."`},
		{"a broken call between them", "<function_calls>" + ping + `<invoke name="write"> x </invoke>` + ping + "</function_calls>",
			`ping{} "<invoke name=\"write\"> " ! "x </invoke>" ping{}`},
		{"an unknown tool first", "<function_calls>" + `<invoke name="rm"></invoke>` + ping + "</function_calls>.",
			`"<function_calls><invoke name=\"rm\"></invoke>" ! ping{} "."`},
		{"an unknown tool later", "<function_calls>" + ping + `<invoke name="rm"></invoke>` + ping + "</function_calls>.",
			`ping{} "<invoke name=\"rm\"></invoke>" ! ping{} "."`},
		{"no closer", "<function_calls>" + ping + "\n", `ping{}`},
		{"no closer, and another", "<function_calls>" + ping + "<function_calls>" + ping + "</function_calls>", `ping{} ping{}`},
		{"no call and no closer", "<function_calls>\n", `"<function_calls>\n" !`},
		{"an example behind it", "<function_calls>" + ping + "</function_calls>\n```\n" + ping + "\n```", `ping{} "\n` + "```" + `\n<invoke name=\"ping\"></invoke>\n` + "```" + `"`},
		{"an example, and no closer", "<function_calls>" + ping + " So:\n```\n" + ping + "\n```\n" + ping, `ping{} " So:\n` + "```" + `\n<invoke name=\"ping\"></invoke>\n` + "```" + `\n" ping{}`},
		{"no opener", ping + "\n</function_calls>.", `ping{} "."`},
		{"no opener, and more", ping + "\n\n" + ping + " and", `ping{} ping{} " and"`},
	} {
		if got := tell(t, &anthropicInvoke, Options{Tools: paramTools}, c.input); got != c.want {
			t.Errorf("%s: %s\n got  %s\n want %s", c.why, c.input, got, c.want)
		}
	}
}
