package dialect

import "testing"

// Where a call may end the reasoning, markup that is none doesn't.
func TestCallInReasoning(t *testing.T) {
	t.Parallel()
	const ping = "<tool_call>\n<function=ping>\n</function>\n</tool_call>"
	for _, c := range []struct {
		why     string
		options Options
		input   string
		want    string
	}{
		{"a call", Options{}, "<think>So: " + ping + "Done.", `(So: ) ping{} "Done."`},
		{"at the very start", Options{Reasoning: ReasoningOpen}, ping, `ping{}`},
		{"a mention", Options{}, "<think>I need <tool_call> for it.</think>Well.", `(I need <tool_call> for it.) "Well."`},
		{"an unknown tool", Options{}, "<think>So: <tool_call><function=rm></function></tool_call> no.</think>Well.", `(So: <tool_call><function=rm></function></tool_call> no.) "Well."`},
		{"nothing in it", Options{}, "<think>So: <tool_call></tool_call> no.</think>Well.", `(So: ) ( no.) "Well."`},
		{"cut", Options{}, "<think>So: <tool_call><function=ping>", `(So: <tool_call><function=ping>)`},
		{"a mention, then a call", Options{}, "<think>With <tool_call> I can. " + ping, `(With <tool_call> I can. ) ping{}`},
		{"a closer", Options{}, "<think>a</think>b</think>c", `(a) "b</think>c"`},
	} {
		c.options.Tools = paramTools
		if got := tell(t, &qwen3Coder, c.options, c.input); got != c.want {
			t.Errorf("%s: %s\n got  %s\n want %s", c.why, c.input, got, c.want)
		}
	}
}
