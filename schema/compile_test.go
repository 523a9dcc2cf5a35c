package schema_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

func TestCompileErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, doc string
		words     []string
	}{
		{"not JSON", `{"type":}`, []string{"not valid JSON", "byte 8"}},
		{"not a schema", `[]`, []string{"object or a boolean", "an array"}},
		{"unknown type", `{"type":"strin"}`, []string{"/type", `"string"`}},
		{"mistyped keyword", `{"properties":{"a":{"minimum":"1"}}}`, []string{"/properties/a/minimum", "must be a number"}},
		{"remote reference", `{"$ref":"https://example.com/x.json"}`, []string{"https://example.com/x.json", "never fetched", "$defs"}},
		{"file reference", `{"properties":{"a":{"$ref":"file:///etc/passwd"}}}`, []string{"file:///etc/passwd", "never fetched"}},
		{"relative reference", `{"$ref":"other.json#/a"}`, []string{`"other.json"`, "never fetched"}},
		{"unknown draft", `{"$schema":"https://example.com/draft"}`, []string{"https://example.com/draft", "$schema"}},
		{"dangling reference", `{"$ref":"#/$defs/x"}`, []string{"#/$defs/x", "not found"}},
		{"circle", `{"$ref":"#"}`, []string{"circle"}},
		{"longer circle", `{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}`, []string{"/$defs/a", "circle"}},
		{"pattern", `{"properties":{"a":{"pattern":"(?=x)"}}}`, []string{"/properties/a/pattern", "Go's regexp"}},
		{"duplicate key", `{"properties":{"a":{},"a":{}}}`, []string{"/properties/a", "twice"}},
		{"huge number", `{"maximum":1e99999999}`, []string{"/maximum", "1000 digits"}},
		{"default", `{"properties":{"a":{"type":"integer","default":"x"}}}`, []string{"/properties/a", "default", "must be an integer, got a string"}},
		{"default of a reference", `{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"integer","default":true}}}`, []string{"/$defs/a", "default"}},
		{"endless default", `{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"object","default":{},"properties":{"a":{"$ref":"#/$defs/a"}}}}}`, []string{"/$defs/a", "holds itself"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := schema.Compile([]byte(tt.doc))
			if err == nil {
				t.Fatalf("got %s, want an error", s)
			}
			for _, w := range tt.words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q lacks %q", err, w)
				}
			}
		})
	}
}

func TestCompileKeepsOrder(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile("{ \"type\" : \"object\",\n \"properties\": {\"z\":{\"description\":\"<a> & \\u00e9\"}, \"a\":{\"maximum\":1.50}, \"m\":true} }")
	want := `{"type":"object","properties":{"z":{"description":"<a> & é"},"a":{"maximum":1.50},"m":true}}`
	if diff := cmp.Diff(want, string(s.JSON())); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

func TestMustCompilePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	schema.MustCompile(`{"type":"strin"}`)
}

// TestKeywords holds the whole validator against the specification, a few
// cases a keyword: those that the acceptor answers and those that it leaves.
func TestKeywords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ schema, valid, invalid string }{
		{`true`, `1 null {"a":[]}`, ``},
		{`false`, ``, `1 null {}`},
		{`{"type":"integer"}`, `1 -1 0 1.0 1e2 123456789012345678901234567890`, `1.5 "1" null true`},
		{`{"type":"number"}`, `1 1.5 -0.5e-3`, `"1" null`},
		{`{"type":["string","null"]}`, `"a" null`, `1 {} []`},
		{`{"enum":["a",1,null,{"b":2}]}`, `"a" 1 1.0 null {"b":2} "\u0061"`, `"b" 2 {} false`},
		{`{"const":[1,"x"]}`, `[1,"x"] [1.0,"x"]`, `["x",1] []`},
		{`{"minimum":1.5,"maximum":3}`, `1.5 2 3 3.0 "x"`, `1.4999999999999999999 3.0000000000000000001 -2`},
		{`{"exclusiveMinimum":1,"exclusiveMaximum":3}`, `2 1.1 2.9`, `1 3 1.0 0`},
		{`{"minimum":9007199254740993}`, `9007199254740993 9007199254740994`, `9007199254740992`},
		{`{"multipleOf":0.1}`, `0.3 1 4.2`, `0.35`},
		{`{"minLength":2,"maxLength":3}`, `"ab" "äöü" "\u00e4\u00f6" "😀😀"`, `"a" "abcd" "😀"`},
		{`{"pattern":"^a+$"}`, `"aa" "\u0061" 1`, `"b" ""`},
		{`{"format":"email"}`, `"a@b.example"`, `"a"`},
		{`{"format":"ipv4"}`, `"10.0.0.1"`, `"10.0.0.256"`},
		{`{"format":"date-time"}`, `"2026-01-02T03:04:05.5Z"`, `"2026-13-02T03:04:05Z" "today"`},
		{`{"format":"no-such-format"}`, `"x"`, ``},
		{`{"items":{"type":"integer"},"minItems":1,"maxItems":2}`, `[1] [1,2] {}`, `[] [1,2,3] ["x"]`},
		{`{"prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`, `[] [1] [1,"a"]`, `["a"] [1,"a",2]`},
		{`{"uniqueItems":true}`, `[1,2] ["1",1]`, `[1,1.0] ["a","\u0061"] [{"a":1,"b":2},{"b":2,"a":1}]`},
		{`{"contains":{"type":"integer"},"maxContains":1}`, `["a",1]`, `[] [1,2]`},
		{`{"properties":{"a":{"type":"integer"}},"required":["a"]}`, `{"a":1} {"a":1,"b":"x"} []`, `{} {"a":"x"} {"b":1}`},
		{`{"required":["z"]}`, `{"z":1}`, `{}`},
		{`{"additionalProperties":false,"properties":{"a":{}},"patternProperties":{"^x":{"type":"null"}}}`, `{"a":1} {"x1":null}`, `{"b":1} {"x1":1}`},
		{`{"additionalProperties":{"type":"integer"}}`, `{} {"a":1}`, `{"a":"x"}`},
		{`{"propertyNames":{"pattern":"^a"}}`, `{"ab":1}`, `{"b":1}`},
		{`{"minProperties":1,"maxProperties":2}`, `{"a":1}`, `{} {"a":1,"b":2,"c":3}`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"b":1} {"a":1,"b":2}`, `{"a":1}`},
		{`{"dependentSchemas":{"a":{"required":["b"]}}}`, `{"a":1,"b":1}`, `{"a":1}`},
		{`{"allOf":[{"minimum":1},{"maximum":3}]}`, `2`, `0 4`},
		{`{"anyOf":[{"minimum":3},{"type":"string"}]}`, `3 "a"`, `2`},
		{`{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}`, `2 3 4`, `6 1`},
		{`{"not":{"type":"string"}}`, `1`, `"a"`},
		{`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":5}}`, `"ab" 5`, `"a" 4`},
		{`{"properties":{"a":{}},"unevaluatedProperties":false}`, `{"a":1}`, `{"b":1}`},
		{`{"prefixItems":[{}],"unevaluatedItems":false}`, `[1]`, `[1,2]`},
		{`{"contentEncoding":"base64"}`, `"aGk=" 1`, `"*"`},
		{`{"$ref":"#/$defs/a","minimum":2,"$defs":{"a":{"maximum":3}}}`, `2 3`, `1 4`},
		{`{"$ref":"#/$defs/a%25b","$defs":{"a%b":{"type":"null"}}}`, `null`, `1`},
		{`{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"null"}}}`, `null`, `1`},
		{`{"$ref":"#here","$defs":{"a":{"$anchor":"here","type":"null"}}}`, `null`, `1`},
		{`{"properties":{"a":{"$id":"https://x.example/inner","$ref":"#/$defs/n","$defs":{"n":{"type":"null"}}}},"$defs":{"n":{"type":"string"}}}`, `{"a":null}`, `{"a":"x"}`},
		{`{"$id":"https://x.example/root","properties":{"a":{"$ref":"root#/$defs/n"}},"$defs":{"n":{"type":"null"}}}`, `{"a":null}`, `{"a":"x"}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","minimum":9,"definitions":{"a":{"type":"integer"}}}`, `1`, `"a"`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"integer"}],"additionalItems":false}`, `[1]`, `[1,2] ["a"]`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true,"const":5}`, `2`, `1`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"properties":{"c":{"$recursiveRef":"#"}},"additionalProperties":false}`, `{"c":{"c":{}}}`, `{"c":{"d":1}}`},
		{`{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`, `{"next":{"next":{}}}`, `{"next":{"nxt":{}}}`},
	} {
		t.Run(tt.schema, func(t *testing.T) {
			t.Parallel()
			s, err := schema.Compile([]byte(tt.schema))
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range strings.Fields(tt.valid) {
				if err := s.Validate([]byte(doc)); err != nil {
					t.Errorf("%s: %v", doc, err)
				}
			}
			for _, doc := range strings.Fields(tt.invalid) {
				if err := s.Validate([]byte(doc)); err == nil {
					t.Errorf("%s was accepted", doc)
				}
			}
		})
	}
}
