package parameters

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ raw, want string }{
		"nothing":           {``, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		"null":              {`null`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		"the short form":    {`{"b":{"type":"string","required":true},"a":{"type":"integer"}}`, `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["b"],"additionalProperties":false}`},
		"a parameter type":  {`{"type":{"type":"string"}}`, `{"type":"object","properties":{"type":{"type":"string"}},"required":[],"additionalProperties":false}`},
		"a schema":          {`{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}},"additionalProperties":false}`},
		"a schema, open":    {`{"type":"object","additionalProperties":true}`, `{"type":"object","additionalProperties":true}`},
		"one with $ref":     {`{"type":"object","$ref":"#/$defs/x","$defs":{"x":{}}}`, `{"type":"object","$ref":"#/$defs/x","$defs":{"x":{}}}`},
		"an object inside":  {`{"a":{"type":"object","required":["x"]}}`, `{"type":"object","properties":{"a":{"type":"object","required":["x"]}},"required":[],"additionalProperties":false}`},
		"own keys with x-":  {`{"a":{"x-unit":"m"}}`, `{"type":"object","properties":{"a":{"x-unit":"m"}},"required":[],"additionalProperties":false}`},
		"false is optional": {`{"a":{"required":false}}`, `{"type":"object","properties":{"a":{}},"required":[],"additionalProperties":false}`},
	} {
		s, problems := Compile(json.RawMessage(test.raw))
		if problems != nil {
			t.Errorf("%s: %v", name, problems)
		} else if got := string(s.JSON()); got != test.want {
			t.Errorf("%s: got\n%s, want\n%s", name, got, test.want)
		}
	}
}

// FuzzCompile: there is a schema or a problem, never both, and each problem has a place
// and says something.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{`[]`, `{"a":1}`, `{"type":"array"}`, `{"properties":{"a":{}}}`, `{"a~/b":{"type":"int","required":"x"}}`, `{"a":{"minimum":2,"maximum":1,"enum":["x"]}}`, `{"a":{"pattern":"("}}`, `{`, `"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if raw != "" && !json.Valid([]byte(raw)) {
			return // a file's value is JSON
		}
		s, problems := Compile(json.RawMessage(raw))
		if (s == nil) != (len(problems) > 0) {
			t.Fatalf("%q: schema %v, problems %v", raw, s, problems)
		}
		for _, p := range problems {
			if !strings.HasPrefix(p.Pointer, "/parameters") || p.Message == "" {
				t.Errorf("%q: %+v", raw, p)
			}
		}
	})
}
