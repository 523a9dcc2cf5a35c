package dialect

import "testing"

// TestDoc003_Decisions are the forms of document 003, and what models make of them.
func TestDoc003_Decisions(t *testing.T) {
	t.Parallel()
	for _, c := range []bugCase{
		{"decision", `{ "tool": "now", "arguments": {} }`, `now{}`},
		{"decision", `{"tool":"add","arguments":{"a":1}}`, `add{"a":1}`},
		{"decision", `{ "tool": null, "reply": "It is \"noon\"\n\u00e9\ud83c\udf1f." }`, `"It is \"noon\"\né🌟."`},
		{"decision", "```json\n{\"tool\": \"now\", \"arguments\": {}}\n```", `now{}`},
		{"decision", "```json\n{\"tool\": null, \"reply\": \"Hi\"}\n```", `"Hi"`},
		{"decision", `{"reply": "Hi", "tool": null}`, `"Hi"`},
		{"decision", `{"tool": null, "reply": "He said "hi" there", "x": {"y": 1}} `, `"He said \"hi\" there" " "`},
		{"decision", `{"tool": null, "reply": "cut of`, `"cut of"`},
		{"decision", `{"tool": "now"}`, `now{}`},
		{"decision", `{"name": "add", "parameters": {"a": 1}}`, `add{"a": 1}`},
		{"decision", `[{"tool": "now", "arguments": {}}, {"tool": "add", "arguments": {"a": 1}}]`, `now{} add{"a": 1}`},
		{"decision", `Sure: {"tool": "now", "arguments": {}} there`, `"Sure: " now{} " there"`},
		{"decision", `{"tool": 5, "arguments": {}}`, `"{\"tool\": 5, \"arguments\": {}}"`},
		{"decision", `{"tool": null}`, `"{\"tool\": null}"`},
		{"decision", `{"tool": "now", "arguments": [1]}`, `"{\"tool\": \"now\", \"arguments\": [1]}"`},
		{"decision", `{"name": "Alice", "age": 30}`, `"{\"name\": \"Alice\", \"age\": 30}"`},
		{"decision", `{"tool": "now", "arguments": {`, `"{\"tool\": \"now\", \"arguments\": {"`},
		{"decision", "{'tool': 'now', 'arguments': {},}", `now{}`},
		{"decision", "```JSON\n{\"tool\": \"now\", \"arguments\": {}}\n{\"tool\": \"add\", \"arguments\": {\"a\": 1}}\n```", `now{} add{"a": 1}`},
		{"structured", "```json\n{\"name\": \"now\", \"parameters\": {}}\n{\"name\": \"add\", \"parameters\": {\"a\": 1}}\n```", `now{} add{"a": 1}`},
		{"hermes", "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n{\"name\": \"add\", \"arguments\": {\"a\": 1}}\n</tool_call>", `now{} add{"a": 1}`},
		{"hermes", "<tool_call>```json\n{\"name\": \"now\", \"arguments\": {}}\n```</tool_call>", `now{}`},
		{"glm-4.5", "<tool_call>add\n<arg_key>a</arg_key>\n</tool_call>", `"<tool_call>add\n<arg_key>a</arg_key>\n</tool_call>"`},
		{"decision", `{"tool": null, "reply": "Use "}" to close it."}`, `"Use \"}\" to close it."`},
		{"tag", `<tool_action name="add" a="1" />`, `"<tool_action name=\"add\" a=\"1\" />"`},
		{"tag", `<tool_action name="add"><a value="1" b="2" /></tool_action>`, `"<tool_action name=\"add\"><a value=\"1\" b=\"2\" /></tool_action>"`},
		{"tag", `<tool_action name="add"><a value="1"></a></tool_action>`, `add{"a":1}`},
		{"tag", `<tool_action name="add"><a value="1">2</a></tool_action>`, `"<tool_action name=\"add\"><a value=\"1\">2</a></tool_action>"`},
		{"tag", `<tool_action name="add"><a>1</a></tool_action>`, `add{"a":1}`},
		{"tag", `<tool_action name="add"><a value="1"></tool_action> hello <tool_action name="now"/>`, `"<tool_action name=\"add\"><a value=\"1\"></tool_action> hello " now{}`},
		{"decision", "```json\n{\"tool\": \"now\", \"arguments\": {}}\n{\"tool\": null, \"reply\": \"hi\"}\n```", `"` + "```json\\n" + `{\"tool\": \"now\", \"arguments\": {}}\n{\"tool\": null, \"reply\": \"hi\"}\n` + "```" + `"`},
		{"apertus", `<|tools_prefix|>[{"now": {}}] {}<|tools_suffix|>`, `"<|tools_prefix|>[{\"now\": {}}] {}<|tools_suffix|>"`},
		{"decision", "Plain text.", `"Plain text."`},
		{"structured", `{"name": "add", "parameters": {"a": 1}}`, `add{"a": 1}`},
		{"structured", `{"tool": "add", "arguments": {"a": 1}}`, `add{"a": 1}`},
		{"structured", "```json\n{\"name\": \"now\", \"parameters\": {}}\n```", `now{}`},
		{"structured", `{"city": "Oslo"}`, `"{\"city\": \"Oslo\"}"`},
		{"structured", `{"name": "add", "parameters": {"a": 1}`, `"{\"name\": \"add\", \"parameters\": {\"a\": 1}"`},
	} {
		c.check(t, Options{Tools: promiseTools, AnyName: true})
	}
}

// TestDecisionStreamsItsReply looks at each Feed.
func TestDecisionStreamsItsReply(t *testing.T) {
	t.Parallel()
	decoder := decision.NewDecoder(Options{Tools: promiseTools})
	for _, tt := range []struct{ chunk, want string }{
		{`{"tool": null, "re`, ""}, {`ply": "It `, "It "}, {`is n`, "is n"}, {`oon.\`, "oon."}, {`n`, "\n"}, {`So"`, "So"}, {`}`, ""},
	} {
		if got := textOf(decoder.Feed(tt.chunk), Reply); got != tt.want {
			t.Errorf("%q brings %q, want %q", tt.chunk, got, tt.want)
		}
	}
}
