package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

// TestRender holds one property, p, against what each profile makes of it.
// "" is: as OpenAI. A finding is known by its pointer.
func TestRender(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, schema, openai, strict, gemini string
		findings                             map[schema.Profile]string
	}{
		{
			name:     "constraints",
			schema:   `{"type":"string","title":"T","description":"Text","minLength":2,"pattern":"^a","examples":["ab"],"x-order":1}`,
			openai:   `{"type":"string","title":"T","description":"Text","minLength":2,"pattern":"^a","examples":["ab"],"x-order":1}`,
			strict:   `{"type":"string","description":"Text. Constraint: minLength 2.","pattern":"^a"}`,
			gemini:   `{"type":"string","description":"Text","minLength":2,"pattern":"^a"}`,
			findings: map[schema.Profile]string{schema.OpenAIStrict: "/properties/p"},
		},
		{
			name:     "format",
			schema:   `{"type":"string","format":"date-time","description":"When."}`,
			openai:   `{"type":"string","format":"date-time","description":"When."}`,
			strict:   `{"type":"string","format":"date-time","description":"When."}`,
			gemini:   `{"type":"string","description":"When. Constraint: format date-time."}`,
			findings: map[schema.Profile]string{schema.Gemini: "/properties/p"},
		},
		{
			name:     "format that strict mode does not know",
			schema:   `{"type":"string","format":"uri"}`,
			openai:   `{"type":"string","format":"uri"}`,
			strict:   `{"type":"string","description":"Constraint: format uri."}`,
			gemini:   `{"type":"string","description":"Constraint: format uri."}`,
			findings: map[schema.Profile]string{schema.OpenAIStrict: "/properties/p", schema.Gemini: "/properties/p"},
		},
		{
			name:   "default",
			schema: `{"type":"integer","default":3}`,
			openai: `{"type":"integer","default":3}`,
			strict: `{"type":"integer","description":"Default: 3."}`,
			gemini: `{"type":"integer","default":3}`,
		},
		{
			name:   "null in a list of types",
			schema: `{"type":["string","null"],"enum":["a",null]}`,
			openai: `{"type":["string","null"],"enum":["a",null]}`,
			strict: `{"type":["string","null"],"enum":["a",null]}`,
			gemini: `{"type":"string","enum":["a"],"nullable":true}`,
		},
		{
			name:     "several types",
			schema:   `{"type":["string","integer"],"minimum":1,"maxLength":3,"description":"D"}`,
			openai:   `{"type":["string","integer"],"minimum":1,"maxLength":3,"description":"D"}`,
			strict:   `{"type":["string","integer"],"minimum":1,"description":"D. Constraint: maxLength 3."}`,
			gemini:   `{"description":"D","anyOf":[{"maxLength":3,"type":"string"},{"minimum":1,"type":"integer"}]}`,
			findings: map[schema.Profile]string{schema.OpenAIStrict: "/properties/p"},
		},
		{
			name:   "optional branch",
			schema: `{"anyOf":[{"type":"integer"},{"type":"null"}]}`,
			openai: `{"anyOf":[{"type":"integer"},{"type":"null"}]}`,
			strict: `{"anyOf":[{"type":"integer"},{"type":"null"}]}`,
			gemini: `{"nullable":true,"type":"integer"}`,
		},
		{
			name:   "oneOf",
			schema: `{"oneOf":[{"type":"integer"},{"type":"string"}]}`,
			openai: `{"oneOf":[{"type":"integer"},{"type":"string"}]}`,
			strict: `{"anyOf":[{"type":"integer"},{"type":"string"}]}`,
			gemini: `{"anyOf":[{"type":"integer"},{"type":"string"}]}`,
		},
		{
			name:   "allOf",
			schema: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`,
			openai: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`,
			strict: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}`,
			gemini: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`,
		},
		{
			name:   "const",
			schema: `{"const":"a"}`,
			openai: `{"const":"a"}`,
			strict: `{"const":"a","type":"string"}`,
			gemini: `{"type":"string","enum":["a"]}`,
		},
		{
			name:     "enum of integers",
			schema:   `{"type":"integer","enum":[1,2]}`,
			openai:   `{"type":"integer","enum":[1,2]}`,
			strict:   `{"type":"integer","enum":[1,2]}`,
			gemini:   `{"type":"integer","description":"Constraint: enum [1,2]."}`,
			findings: map[schema.Profile]string{schema.Gemini: "/properties/p"},
		},
		{
			name:     "exclusive limit",
			schema:   `{"type":"number","exclusiveMinimum":0}`,
			openai:   `{"type":"number","exclusiveMinimum":0}`,
			strict:   `{"type":"number","exclusiveMinimum":0}`,
			gemini:   `{"type":"number","description":"Constraint: exclusiveMinimum 0."}`,
			findings: map[schema.Profile]string{schema.Gemini: "/properties/p"},
		},
		{
			name:     "map",
			schema:   `{"type":"object","additionalProperties":{"type":"integer"}}`,
			openai:   `{"type":"object","additionalProperties":{"type":"integer"}}`,
			strict:   `{"type":"object","description":"Values of other keys: {\"type\":\"integer\"}.","properties":{},"required":[],"additionalProperties":false}`,
			gemini:   `{"type":"object","description":"Values of other keys: {\"type\":\"integer\"}."}`,
			findings: map[schema.Profile]string{schema.OpenAIStrict: "/properties/p", schema.Gemini: "/properties/p"},
		},
		{
			name:     "anything",
			schema:   `true`,
			openai:   `{}`,
			strict:   `{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"}]}`,
			gemini:   `{"nullable":true,"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]}`,
			findings: map[schema.Profile]string{schema.OpenAIStrict: "/properties/p", schema.Gemini: "/properties/p"},
		},
		{
			name:     "tuple",
			schema:   `{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`,
			openai:   `{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`,
			strict:   `{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]},"maxItems":2,"description":"The items are, in this order: [{\"type\":\"integer\"},{\"type\":\"string\"}]."}`,
			gemini:   `{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]},"maxItems":2,"description":"The items are, in this order: [{\"type\":\"integer\"},{\"type\":\"string\"}]."}`,
			findings: map[schema.Profile]string{schema.OpenAIStrict: "/properties/p", schema.Gemini: "/properties/p"},
		},
		{
			name:     "conditions",
			schema:   `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"if":{"required":["a"]},"then":{"minProperties":1}}`,
			openai:   `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"if":{"required":["a"]},"then":{"minProperties":1}}`,
			strict:   `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"description":"Constraint: if {\"required\":[\"a\"]}. Constraint: then {\"minProperties\":1}.","additionalProperties":false}`,
			gemini:   `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"description":"Constraint: if {\"required\":[\"a\"]}. Constraint: then {\"minProperties\":1}."}`,
			findings: map[schema.Profile]string{schema.OpenAIStrict: "/properties/p /properties/p", schema.Gemini: "/properties/p /properties/p"},
		},
	} {
		for profile, want := range map[schema.Profile]string{schema.OpenAI: tt.openai, schema.OpenAIStrict: tt.strict, schema.Gemini: tt.gemini} {
			t.Run(tt.name+"/"+profile.String(), func(t *testing.T) {
				t.Parallel()
				s := schema.MustCompile(`{"type":"object","properties":{"p":` + tt.schema + `},"required":["p"]}`)
				out, findings := s.Render(profile)
				var got struct{ Properties struct{ P json.RawMessage } }
				if err := json.Unmarshal(out, &got); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, string(got.Properties.P)); diff != "" {
					t.Errorf("rendered (-want +got):\n%s", diff)
				}
				var pointers []string
				for _, f := range findings {
					pointers = append(pointers, f.Pointer)
					if f.Message == "" || f.Fix == "" {
						t.Errorf("finding %+v does not say what and how", f)
					}
				}
				if diff := cmp.Diff(tt.findings[profile], strings.Join(pointers, " ")); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestRenderWhole(t *testing.T) {
	t.Parallel()
	const tree = `{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/t","description":"The rest"}},"required":["v"]}}}`
	for _, tt := range []struct {
		name, schema string
		profile      schema.Profile
		want         string
		findings     int
	}{
		{"optional becomes null", `{"type":"object","properties":{"a":{"type":"string","enum":["x"]},"b":{"type":"integer"},"c":{"const":1}},"required":["b"]}`, schema.OpenAIStrict,
			`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]},"b":{"type":"integer"},"c":{"type":["integer","null"],"enum":[1,null]}},"required":["a","b","c"],"additionalProperties":false}`, 0},
		{"reference with neighbours", tree, schema.OpenAIStrict,
			`{"type":"object","properties":{"v":{"type":"integer"},"next":{"description":"The rest","anyOf":[{"$ref":"#/$defs/t"},{"type":"null"}]}},"required":["v","next"],"$defs":{"t":{"type":"object","properties":{"v":{"type":"integer"},"next":{"description":"The rest","anyOf":[{"$ref":"#/$defs/t"},{"type":"null"}]}},"required":["v","next"],"additionalProperties":false}},"additionalProperties":false}`, 0},
		{"recursion", tree, schema.Gemini,
			`{"type":"object","properties":{"v":{"type":"integer"},"next":{"type":"object","properties":{"v":{"type":"integer"},"next":{"type":"object","description":"The rest. Of the form #/$defs/t."}},"required":["v"],"description":"The rest"}},"required":["v"]}`, 1},
		{"reference at the root", tree, schema.OpenAI,
			`{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/t","description":"The rest"}},"required":["v"],"$defs":{"t":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/t","description":"The rest"}},"required":["v"]}}}`, 0},
		{"empty", `{}`, schema.OpenAI, `{"type":"object","properties":{}}`, 0},
		{"empty", `{}`, schema.OpenAIStrict, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, 0},
		{"empty", `{"type":"object"}`, schema.Gemini, `{"type":"object","properties":{}}`, 0},
		{"draft is not sent", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{}}`, schema.OpenAI, `{"type":"object","properties":{}}`, 0},
		{"union at the root", `{"anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, schema.OpenAI,
			`{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"type":"object","description":"Constraint: anyOf [{\"required\":[\"a\"]},{\"required\":[\"b\"]}]."}`, 1},
		{"no object", `{"type":"string"}`, schema.OpenAI, `{"type":"object","properties":{}}`, 1},
	} {
		t.Run(tt.name+"/"+tt.profile.String(), func(t *testing.T) {
			t.Parallel()
			s := schema.MustCompile(tt.schema)
			got, findings := s.Render(tt.profile)
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("rendered (-want +got):\n%s", diff)
			}
			if len(findings) != tt.findings {
				t.Errorf("findings: %+v", findings)
			}
			if again, _ := s.Render(tt.profile); string(again) != string(got) {
				t.Errorf("rendered again: %s", again)
			}
			if _, err := schema.Compile(got); err != nil && tt.profile != schema.Gemini {
				t.Errorf("the rendering is no schema: %v", err)
			}
		})
	}
}

// Definitions that refer to each other twice a level double at every level.
func TestRenderInliningIsCapped(t *testing.T) {
	t.Parallel()
	var defs []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
	}
	s := schema.MustCompile(`{"type":"object","properties":{"r":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `,"d40":{"type":"string"}}}`)
	out, findings := s.Render(schema.Gemini)
	if len(out) > 2<<20 {
		t.Errorf("%d bytes", len(out))
	}
	if len(findings) == 0 || !strings.Contains(findings[0].Message, "5000") {
		t.Errorf("findings: %d", len(findings))
	}
}

// What a model sends in strict mode, null for every optional key, prepares.
func TestStrictRoundTrip(t *testing.T) {
	t.Parallel()
	type args struct {
		Query string `json:"query"`
		Limit int    `json:"limit,omitempty" jsonschema:"default=10"`
		Order *color `json:"order"`
		Point *point `json:"point"`
	}
	s, err := schema.For[args]()
	if err != nil {
		t.Fatal(err)
	}
	strict, _ := s.Render(schema.OpenAIStrict)
	answer := []byte(`{"query":"x","limit":null,"order":null,"point":{"x":1,"y":null}}`)
	if err := schema.MustCompile(string(strict)).Validate(answer); err != nil {
		t.Errorf("strict: %v", err)
	}
	got, err := s.Prepare(answer)
	if want := `{"query":"x","point":{"x":1},"limit":10}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestParseProfile(t *testing.T) {
	t.Parallel()
	for _, p := range []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.Gemini} {
		if got, err := schema.ParseProfile(p.String()); err != nil || got != p {
			t.Errorf("%v: got %v, %v", p, got, err)
		}
	}
	if _, err := schema.ParseProfile("openai strict"); err == nil {
		t.Error("no error for an unknown name")
	}
	if got := schema.Profile(7).String(); got != "Profile(7)" {
		t.Errorf("got %s", got)
	}
}
