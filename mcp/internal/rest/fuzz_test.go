package rest

import (
	"encoding/json"
	"errors"
	"testing"

	"helve/mcp/internal/rawjson"
	"helve/message"
	"helve/tool"
)

func FuzzParseTools(f *testing.F) {
	f.Add([]byte(`[{"name":"a","parameters":[{"name":"n","type":"integer","required":true}]}]`))
	f.Add([]byte(`{"tools":[{"type":"function","function":{"name":"a","parameters":{"x":{"type":"string"}}}},5,null]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		tools, err := parseTools(body)
		if err == nil && tools == nil {
			t.Fatalf("%q is no list and no error", body)
		}
		for _, raw := range tools {
			if !json.Valid(raw) {
				t.Fatalf("%q: %q is not JSON", body, raw)
			}
			if again := asMCP(raw); rawjson.Object(raw) != nil && string(again) != string(asMCP(again)) {
				t.Fatalf("%q: %q becomes %q", body, raw, again)
			}
		}
	})
}

func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{`{"result":{"a":1}}`, `{"error":{"message":"m","code":"timeout"}}`, `{"error":[]}`, `"x"`, `[1,2]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		got, err := readJSON(raw)
		var e *tool.Error
		switch {
		case err != nil && (!errors.As(err, &e) || e.Message == "" || e.Kind == "" || got.Content != nil):
			t.Fatalf("%q: %v beside %v", raw, err, got)
		case err == nil && len(got.Content) != 1:
			t.Fatalf("%q: %v", raw, got)
		}
		if artifact, ok := got.Artifact.(json.RawMessage); ok && string(artifact) != string(got.Content[0].(message.Text)) {
			t.Fatalf("%q: the model reads %q, the host %q", raw, got.Content[0], artifact)
		}
	})
}
