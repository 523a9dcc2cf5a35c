package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

func TestCoerce(t *testing.T) {
	t.Parallel()
	object := func(p string) string { return `{"type":"object","properties":{"a":` + p + `}}` }
	for _, tt := range []struct{ name, schema, args, want, pointers string }{
		{"integer", object(`{"type":"integer"}`), `{"a":"5"}`, `{"a":5}`, "/a"},
		{"with white space", object(`{"type":"integer"}`), `{"a":"\n5\n"}`, `{"a":5}`, "/a"},
		{"leading zeros", object(`{"type":"integer"}`), `{"a":"007"}`, `{"a":"007"}`, ""},
		{"leading zeros where text is wanted", object(`{"type":"string"}`), `{"a":"007"}`, `{"a":"007"}`, ""},
		{"fraction for an integer", object(`{"type":"integer"}`), `{"a":"5.5"}`, `{"a":"5.5"}`, ""},
		{"number", object(`{"type":"number"}`), `{"a":"-5.50"}`, `{"a":-5.50}`, "/a"},
		{"huge number", object(`{"type":"number"}`), `{"a":"1e1000000000"}`, `{"a":"1e1000000000"}`, ""},
		{"not a number", object(`{"type":"number"}`), `{"a":"NaN"}`, `{"a":"NaN"}`, ""},
		{"boolean", object(`{"type":"boolean"}`), `{"a":"true"}`, `{"a":true}`, "/a"},
		{"boolean word", object(`{"type":"boolean"}`), `{"a":"yes"}`, `{"a":"yes"}`, ""},
		{"null", object(`{"type":["integer","null"]}`), `{"a":"null"}`, `{"a":null}`, "/a"},
		{"null not allowed", object(`{"type":"integer"}`), `{"a":"null"}`, `{"a":"null"}`, ""},
		{"number or text", object(`{"type":["integer","string"]}`), `{"a":"5"}`, `{"a":"5"}`, ""},
		{"no type", object(`{}`), `{"a":"5"}`, `{"a":"5"}`, ""},
		{"enum without type", object(`{"enum":[1,2]}`), `{"a":"1"}`, `{"a":1}`, "/a"},
		{"enum of both", object(`{"enum":[1,"1"]}`), `{"a":"1"}`, `{"a":"1"}`, ""},
		{"array", object(`{"type":"array","items":{"type":"integer"}}`), `{"a":"[1, \"2\"]"}`, `{"a":[1,2]}`, "/a /a/1"},
		{"object", object(`{"type":"object","properties":{"b":{"type":"boolean"}}}`), `{"a":"{\"b\":\"false\",\"c\":\"1\"}"}`, `{"a":{"b":false,"c":"1"}}`, "/a /a/b"},
		{"not JSON", object(`{"type":"array"}`), `{"a":"[1,"}`, `{"a":"[1,"}`, ""},
		{"other type inside", object(`{"type":"array"}`), `{"a":"{}"}`, `{"a":"{}"}`, ""},
		{"map values", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"x":"1","y":2}`, `{"x":1,"y":2}`, "/x"},
		{"tuple", object(`{"prefixItems":[{"type":"integer"},{"type":"string"}],"type":"array"}`), `{"a":["1","2"]}`, `{"a":[1,"2"]}`, "/a/0"},
		{"optional", object(`{"anyOf":[{"type":"integer"},{"type":"null"}]}`), `{"a":"5"}`, `{"a":5}`, "/a"},
		{"union with text", object(`{"anyOf":[{"type":"integer"},{"type":"string"}]}`), `{"a":"5"}`, `{"a":"5"}`, ""},
		{"only branch for the kind", object(`{"oneOf":[{"type":"object","properties":{"n":{"type":"integer"}}},{"type":"null"}]}`), `{"a":{"n":"5"}}`, `{"a":{"n":5}}`, "/a/n"},
		{"two branches for the kind", object(`{"oneOf":[{"type":"object","properties":{"n":{"type":"integer"}}},{"type":"object"}]}`), `{"a":{"n":"5"}}`, `{"a":{"n":"5"}}`, ""},
		{"reference", `{"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`, `{"a":"5"}`, `{"a":5}`, "/a"},
		{"recursion", `{"type":"object","properties":{"v":{"type":"integer"},"n":{"$ref":"#"}}}`, `{"n":{"n":{"v":"1"}}}`, `{"n":{"n":{"v":1}}}`, "/n/n/v"},
		{"allOf", object(`{"allOf":[{"type":["integer","string"]},{"type":["integer","null"]}]}`), `{"a":"5"}`, `{"a":5}`, "/a"},
		{"whole arguments as text", `{"type":"object","properties":{"a":{"type":"integer"}}}`, `"{\"a\":\"1\"}"`, `{"a":1}`, " /a"},
		{"nothing", object(`{}`), ``, `{}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, done, err := schema.MustCompile(tt.schema).Coerce([]byte(tt.args))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("coerced (-want +got):\n%s", diff)
			}
			pointers := ""
			for i, c := range done {
				if i > 0 {
					pointers += " "
				}
				pointers += c.Pointer
			}
			if diff := cmp.Diff(tt.pointers, pointers); diff != "" {
				t.Errorf("pointers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCoerceTrail(t *testing.T) {
	t.Parallel()
	_, done, err := schema.MustCompile(`{"properties":{"n":{"type":"integer"}}}`).Coerce([]byte(`{"n":" 12 "}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(done) != 1 || done[0].Pointer != "/n" || string(done[0].From) != `" 12 "` || string(done[0].To) != `12` {
		t.Errorf("got %s", done)
	}
}
