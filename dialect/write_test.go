package dialect

import (
	"encoding/json"
	"testing"

	"helve/message"
)

// TestWriteTakesAnyArguments: a conversation may hold calls that no schema let
// pass.
func TestWriteTakesAnyArguments(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		if d.write == nil {
			continue
		}
		for _, arguments := range []string{"", "null", "[]", "5", `"x"`, "{", `{"a"`, " { } ", `{"":""}`, `{"a b":{"":[{}]}}`} {
			for _, name := range []string{"f", "", "a b", "<x>", "日本"} {
				d.Write([]message.ToolCall{{ID: "c", Name: name, Arguments: json.RawMessage(arguments)}})
			}
		}
		d.Write(nil)
	}
}
