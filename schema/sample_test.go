package schema_test

import (
	"fmt"
	"testing"

	"helve/schema"
)

func TestSample(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, want string }{
		{"example before all", `{"type":"string","examples":["Oslo"],"enum":["Bergen","Oslo"],"default":"Bergen"}`, `"Oslo"`},
		{"enum", `{"enum":["asc","desc"]}`, `"asc"`},
		{"default", `{"type":"integer","default":7}`, `7`},
		{"const", `{"const":"km"}`, `"km"`},
		{"string", `{"type":"string"}`, `"text"`},
		{"format", `{"type":"string","format":"date"}`, `"2026-01-31"`},
		{"too short", `{"type":"string","minLength":6}`, `"texttt"`},
		{"too long", `{"type":"string","maxLength":2}`, `"te"`},
		{"pattern", `{"type":"string","pattern":"^[A-Z]{3}$"}`, `"ABC"`},
		{"number", `{"type":"number"}`, `1`},
		{"minimum", `{"type":"integer","minimum":18}`, `18`},
		{"exclusive minimum", `{"type":"integer","exclusiveMinimum":18}`, `19`},
		{"maximum", `{"type":"integer","maximum":-5}`, `-5`},
		{"a fraction", `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`, `0.5`},
		{"multiple", `{"type":"integer","multipleOf":5,"minimum":11}`, `15`},
		{"boolean", `{"type":"boolean"}`, `true`},
		{"null", `{"type":"null"}`, `null`},
		{"nullable", `{"type":["null","integer"]}`, `1`},
		{"anything", `{}`, `"text"`},
		{"list", `{"type":"array","items":{"type":"integer"},"minItems":2}`, `[1,1]`},
		{"list of anything", `{"type":"array"}`, `[1]`},
		{"no list", `{"type":"array","maxItems":0}`, `[]`},
		{"union", `{"anyOf":[{"type":"null"},{"type":"integer","minimum":3}]}`, `3`},
		{
			"object", `{"type":"object","properties":{"first_name":{"type":"string"},"age":{"$ref":"#/$defs/age"},"x":{"type":"string"}},"required":["age","first_name"],"$defs":{"age":{"type":"integer","minimum":21}}}`,
			`{"first_name":"some first name","age":21}`,
		},
	} {
		s := schema.MustCompile(c.schema)
		got := s.Root().Sample()
		if string(got) != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if err := s.Validate(got); err != nil {
			t.Errorf("%s: %s: %v", c.name, got, err)
		}
	}
}

func TestSampleOfASchemaThatRequiresItselfEnds(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}`)
	if got := s.Root().Sample(); len(got) > 2000 {
		t.Errorf("%s", got)
	}
}

func TestSampleOfEachFormat(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid",
		"uri", "uri-reference", "iri", "iri-reference", "uri-template", "json-pointer", "relative-json-pointer", "regex"} {
		s := schema.MustCompile(`{"type":"string","format":"` + format + `"}`)
		if got := s.Root().Sample(); s.Validate(got) != nil || string(got) == `"text"` {
			t.Errorf("%s: %s: %v", format, got, s.Validate(got))
		}
	}
}

func ExampleProperty_Sample() {
	s := schema.MustCompile(`{
		"type": "object",
		"properties": {
			"city": {"type": "string", "examples": ["Zürich"]},
			"days": {"type": "integer", "minimum": 2},
			"unit": {"enum": ["celsius", "kelvin"]}
		},
		"required": ["city", "days"]
	}`)
	fmt.Println(string(s.Root().Sample()))
	// Output: {"city":"Zürich","days":2}
}
