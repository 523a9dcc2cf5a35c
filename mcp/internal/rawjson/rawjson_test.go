package rawjson_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"helve/mcp/internal/rawjson"
)

func Example() {
	tool := rawjson.Object(json.RawMessage(`{"name":"echo","annotations":{"x": 1.0}}`))
	fmt.Println(rawjson.Text(tool["name"]), string(tool["annotations"]))
	fmt.Println(string(rawjson.Of(map[string]any{"if": "a < b", "hints": tool["annotations"]})))
	// Output:
	// echo {"x": 1.0}
	// {"hints":{"x":1.0},"if":"a < b"}
}

func TestWhatIsNone(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{``, `null`, `[]`, `5`, `true`, `{`, `"a`} {
		if got := rawjson.Object(json.RawMessage(raw)); got != nil {
			t.Errorf("%s: got the object %v", raw, got)
		}
		if got := rawjson.Text(json.RawMessage(raw)); got != "" {
			t.Errorf("%s: got the text %q", raw, got)
		}
	}
	if got := rawjson.Object(json.RawMessage(`{"a":1,"A":2,"a":3}`)); string(got["a"]) != "3" || string(got["A"]) != "2" {
		t.Errorf("got %s", got)
	}
	if got := rawjson.Object(json.RawMessage(`{}`)); got == nil {
		t.Error("an empty object is one")
	}
	if got := rawjson.Of(func() {}); string(got) != "null" {
		t.Errorf("got %s", got)
	}
}
