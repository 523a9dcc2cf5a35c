package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

const searchSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1},
		"limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
		"order": {"type": "string", "enum": ["asc", "desc"]}
	},
	"required": ["query"],
	"additionalProperties": false
}`

func TestPrepare(t *testing.T) {
	t.Parallel()
	search := searchSchema
	open := `{"type":"object","properties":{"limit":{"type":"integer"},"id":{}}}`
	nested := `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"default":1},"c":{"default":[2]}}},"l":{"type":"array","items":{"type":"object","properties":{"d":{"default":true}}}},"e":{"$ref":"#/$defs/e"}},"$defs":{"e":{"type":"string","default":"ref"}}}`
	for _, tt := range []struct{ name, schema, args, want, violations string }{
		{"unchanged", search, ` {"query":"x", "limit":5} `, ` {"query":"x", "limit":5} `, ""},
		{"default", search, `{"query":"x"}`, `{"query":"x","limit":10}`, ""},
		{"default after white space", search, "{ \"query\" : \"x\" }", "{ \"query\" : \"x\" ,\"limit\":10}", ""},
		{"null means absent", search, `{"query":"x","limit":null,"order":null}`, `{"query":"x","limit":10}`, ""},
		{"null first", search, `{"limit":null,"order":null,"query":"x"}`, `{"query":"x","limit":10}`, ""},
		{"null between", search, `{"order":"asc", "limit":null, "query":"x"}`, `{"order":"asc", "query":"x","limit":10}`, ""},
		{"nothing but null", open, `{ "limit" : null }`, `{ }`, ""},
		{"null twice", search, `{"query":"x","limit":null,"limit":null}`, "", `/limit: is given twice; give it once`},
		{"null for a required key", search, `{"query":null}`, "", `/query: must be a string, got null`},
		{"integer with a fraction", search, `{"query":"x","limit":5.0}`, `{"query":"x","limit":5}`, ""},
		{"integer with an exponent", search, `{"query":"x","limit":1e1}`, `{"query":"x","limit":10}`, ""},
		{"escapes", search, `{"query":"\"\u00e9\n","limit":1}`, `{"query":"\"\u00e9\n","limit":1}`, ""},
		{"empty", open, ``, `{}`, ""},
		{"white space", open, "\n", `{}`, ""},
		{"null", open, `null`, `{}`, ""},
		{"empty with required", search, ``, "", `/query: is required`},
		{"defaults in an empty object", nested, `{"a":{}}`, `{"a":{"b":1,"c":[2]},"e":"ref"}`, ""},
		{"defaults in items", nested, `{"l":[{},{"d":false}],"e":"x"}`, `{"l":[{"d":true},{"d":false}],"e":"x"}`, ""},
		{"default null is no default", `{"properties":{"a":{"type":"string","default":null},"b":{"type":["string","null"],"default":null}}}`, `{}`, `{"b":null}`, ""},
		{"default inside an $id", `{"properties":{"a":{"$id":"https://x.example/a","type":"integer","default":1}}}`, `{}`, `{"a":1}`, ""},
		{"all violations", search, `{"query":"","limit":0,"order":"up","limt":1}`, "",
			`/limit: must be at least 1, got 0; /limt: unknown key "limt"; did you mean "limit"?; /order: must be one of "asc", "desc"; /query: must have at least 1 character, got 0`},
		{"case variant in a closed object", search, `{"query":"x","LIMIT":5}`, "", `/LIMIT: unknown key "LIMIT"; did you mean "limit"?`},
		{"case variant in an open object", open, `{"Limit":5,"other":1}`, "", `/Limit: unknown key "Limit"; did you mean "limit"?`},
		{"long s", `{"type":"object","properties":{"secret":{}}}`, `{"ſecret":5}`, "", `/ſecret: unknown key "ſecret"; did you mean "secret"?`},
		{"Kelvin sign", `{"type":"object","properties":{"key":{}}}`, `{"\u212aey":5}`, "", "/\u212aey: unknown key \"\u212aey\"; did you mean \"key\"?"},
		{"case variant in a branch", `{"anyOf":[{"type":"object","properties":{"k":{}}},{"type":"null"}]}`, `{"K":5}`, "", `/K: unknown key "K"; did you mean "k"?`},
		{"both cases declared apart", `{"type":"object","properties":{"k":{},"K":{}}}`, `{"k":1,"K":2}`, `{"k":1,"K":2}`, ""},
		{"duplicate key", open, `{"limit":1,"limit":2}`, "", `/limit: is given twice; give it once`},
		{"duplicate by escape", open, `{"id":1,"\u0069d":2}`, "", `/id: is given twice; give it once`},
		{"duplicate inside anything", open, `{"id":{"a":[{"b":1,"b":1}]}}`, "", `/id/a/0/b: is given twice; give it once`},
		{"pointer escapes", `{"type":"object","properties":{"a/b~c":{"type":"integer"}}}`, `{"a/b~c":"x"}`, "", `/a~1b~0c: must be an integer, got a string`},
		{"huge exponent", open, `{"limit":1e1000000000}`, "", `/limit: is a number of more than 1000 digits`},
		{"union", `{"properties":{"u":{"type":["string","null"]}}}`, `{"u":1}`, "", `/u: must be a string or null, got a number`},
		{"union of forms", `{"properties":{"u":{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"n":{"type":"integer"}},"required":["k","n"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]},{"type":"string"}]}}}`,
			`{"u":{"k":"a"}}`, "", `/u/n: is required`},
		{"property names", `{"items":{"propertyNames":{"pattern":"^b"}}}`, `[{"A":1},{"b":1},{"A":1},{"b":2}]`, "", `/0/A: is not an allowed key; /2/A: is not an allowed key`},
		{"long value", `{"properties":{"e":{"format":"date"}}}`, `{"e":"` + strings.Repeat("x", 5000) + `"}`, "",
			`/e: must be a date such as "2006-01-02", got "` + strings.Repeat("x", 79) + `…"`},
		{"array order", `{"type":"array","items":{"type":"null"}}`, `[null,null,0,null,null,null,null,null,null,null,1]`, "", `/2: must be null, got a number; /10: must be null, got a number`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := schema.MustCompile(tt.schema).Prepare([]byte(tt.args))
			if tt.violations != "" {
				var verr *schema.ValidationError
				if !errors.As(err, &verr) {
					t.Fatalf("got %s, %v; want violations", got, err)
				}
				if diff := cmp.Diff(tt.violations, err.Error()); diff != "" {
					t.Errorf("violations (-want +got):\n%s", diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("prepared (-want +got):\n%s", diff)
			}
		})
	}
}

// Big integers pass every way through the package without a float.
func TestBigIntegersAreExact(t *testing.T) {
	t.Parallel()
	const forty = "1234567890123456789012345678901234567891"
	for _, n := range []string{"9007199254740993", "-9223372036854775809", forty} {
		s := schema.MustCompile(`{"type":"object","properties":{"id":{"type":"integer","maximum":` + forty + `},"d":{"type":"integer","default":` + n + `}}}`)
		want := `{"id":` + n + `,"d":` + n + `}`
		got, err := s.Prepare([]byte(`{"id":` + n + `}`))
		if err != nil || string(got) != want {
			t.Errorf("prepared %s, %v; want %s", got, err, want)
		}
		got, done, err := s.Coerce([]byte(`{"id":"` + n + `"}`))
		if err != nil || string(got) != `{"id":`+n+`}` || len(done) != 1 {
			t.Errorf("coerced %s, %v, %v", got, done, err)
		}
	}
	s := schema.MustCompile(`{"properties":{"id":{"maximum":9007199254740992}}}`)
	err := s.Validate([]byte(`{"id":9007199254740993}`))
	if err == nil || err.Error() != "/id: must be at most 9007199254740992, got 9007199254740993" {
		t.Errorf("got %v", err)
	}
}

func TestPrepareSyntaxErrors(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(searchSchema)
	for _, args := range []string{`{`, `{"query":"x"`, `{"query":"x"}}`, `{query:1}`, `{'query':1}`, `{"query":01}`, `{"query":.5}`, `{"query":1.}`, `{"query":tru}`, `[1,]`, `{"a":1,}`, "{\"query\":\"a\nb\"}", "{\"query\":\"\xff\"}", `{"query":"\x"}`, `{"query":"\u12"}`, `NaN`, `x`, `{"a" 1}`, `{"a":}`, `{,}`, `-`, `1e`} {
		_, err := s.Prepare([]byte(args))
		var syntax *schema.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: got %v, want a SyntaxError", args, err)
			continue
		}
		if syntax.Offset < 0 || syntax.Offset > len(args) {
			t.Errorf("%q: offset %d", args, syntax.Offset)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(`{}`)
	for _, tt := range []struct{ name, doc, want string }{
		{"depth", strings.Repeat(`[`, 129) + strings.Repeat(`]`, 129), "is nested deeper than 128 levels"},
		{"depth bomb", strings.Repeat(`{"a":`, 1<<20), "is nested deeper than 128 levels"},
		{"size", `"` + strings.Repeat("x", 16<<20) + `"`, "is larger than 16 MiB"},
		{"values", `{"a":[` + strings.Repeat("0,", 1<<18) + `0],"a":1}`, "has more than 262144 values"},
		{"digits", strings.Repeat("9", 2000), "is a number of more than 1000 digits"},
	} {
		err := s.Validate([]byte(tt.doc))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
	deep := strings.Repeat(`[`, 128) + strings.Repeat(`]`, 128)
	if err := s.Validate([]byte(deep)); err != nil {
		t.Errorf("128 levels: %v", err)
	}
	if _, err := schema.Compile([]byte(strings.Repeat(`{"not":`, 200) + `{}` + strings.Repeat(`}`, 200))); err == nil {
		t.Error("a schema of 200 levels was compiled")
	}
}

// A union of two forms that share a key doubles the work at every level.
func TestExponentialSchema(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(`{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[
		{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"required":["z"]},
		{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}}}]}}}`)
	doc := func(levels int) []byte {
		return []byte(strings.Repeat(`{"a":`, levels) + `{}` + strings.Repeat(`}`, levels))
	}
	if err := s.Validate(doc(8)); err != nil {
		t.Errorf("8 levels: %v", err)
	}
	if err := s.Validate(doc(100)); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("100 levels: %v", err)
	}
	list := schema.MustCompile(`{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/n"}},{"type":"integer"}]}}}`)
	if err := list.Validate([]byte(`[` + strings.Repeat("0,", 39999) + `0]`)); err != nil {
		t.Errorf("large but flat: %v", err)
	}
}

func TestViolationsAreCapped(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(`{"type":"array","items":{"type":"string"}}`)
	err := s.Validate([]byte(`[` + strings.Repeat("0,", 199) + `0]`))
	var verr *schema.ValidationError
	if !errors.As(err, &verr) {
		t.Fatal(err)
	}
	if len(verr.Violations) != 50 || verr.Omitted != 150 || !strings.HasSuffix(err.Error(), "; and 150 more") {
		t.Errorf("%d violations, %d omitted: %v", len(verr.Violations), verr.Omitted, err)
	}
}

func TestViolationJSON(t *testing.T) {
	t.Parallel()
	err := schema.MustCompile(searchSchema).Validate([]byte(`{}`))
	got, jsonErr := json.Marshal(err)
	if jsonErr != nil {
		t.Fatal(jsonErr)
	}
	if want := `{"violations":[{"pointer":"/query","message":"is required"}]}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSchemaIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(searchSchema)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				if got, err := s.Prepare(fmt.Appendf(nil, `{"query":"\u0041%d"}`, i)); err != nil || !strings.Contains(string(got), `"limit":10`) {
					t.Errorf("got %s, %v", got, err)
				}
				_, _, _ = s.Coerce([]byte(`{"limit":"5"}`))
				_, _ = s.Render(schema.Gemini)
				_ = s.Validate([]byte(`{"query":1}`))
			}
		})
	}
	wg.Wait()
}

// The hot path of every tool call has a budget.
func TestPrepareAllocations(t *testing.T) {
	s := schema.MustCompile(searchSchema)
	for args, want := range map[string]float64{
		`{"query":"leave policy","limit":5,"order":"asc"}`: 0,
		`{"query":"leave policy","order":"asc"}`:           1,
	} {
		raw := []byte(args)
		got := testing.AllocsPerRun(100, func() {
			if _, err := s.Prepare(raw); err != nil {
				t.Fatal(err)
			}
		})
		if got > want {
			t.Errorf("%s: %v allocations, want %v", args, got, want)
		}
	}
}
