package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"helve/schema"
)

func TestProperties(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(`{
		"type": "object", "description": "Root",
		"allOf": [{"properties": {"last": {"type": "boolean"}}, "required": ["query"]}],
		"properties": {
			"query": {"type": "string", "title": "Q", "description": "What", "format": "email", "examples": ["a@b.c"]},
			"limit": {"type": ["null", "integer"], "default": 10},
			"order": {"enum": ["asc", "desc"]},
			"unit":  {"const": "km"},
			"place": {"$ref": "#/$defs/place", "description": "Where"},
			"list":  {"type": "array", "items": {"$ref": "#/$defs/place"}},
			"maybe": {"anyOf": [{"type": "number", "description": "Some"}, {"type": "null"}]},
			"any":   true
		},
		"required": ["order"],
		"$defs": {"place": {"type": "object", "description": "A place", "properties": {"in": {"$ref": "#/$defs/place"}}}}
	}`)
	raw := func(s ...string) (out []json.RawMessage) {
		for _, s := range s {
			out = append(out, json.RawMessage(s))
		}
		return out
	}
	want := []schema.Property{
		{Name: "query", Type: "string", Title: "Q", Description: "What", Format: "email", Examples: raw(`"a@b.c"`), Required: true},
		{Name: "limit", Type: "integer", Nullable: true, Default: json.RawMessage("10")},
		{Name: "order", Type: "string", Enum: raw(`"asc"`, `"desc"`), Required: true},
		{Name: "unit", Type: "string", Enum: raw(`"km"`)},
		{Name: "place", Type: "object", Description: "Where"},
		{Name: "list", Type: "array"},
		{Name: "maybe", Type: "number", Nullable: true, Description: "Some"},
		{Name: "any"},
		{Name: "last", Type: "boolean"},
	}
	got := s.Properties()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(schema.Property{})); diff != "" {
		t.Fatalf("properties (-want +got):\n%s", diff)
	}
	items, ok := got[5].Items()
	if !ok || items.Type != "object" || items.Description != "A place" {
		t.Errorf("items: %+v, %v", items, ok)
	}
	if _, ok := got[0].Items(); ok {
		t.Error("a string has items")
	}
	inner := items.Properties()[0].Properties()[0]
	if inner.Name != "in" || inner.Type != "object" {
		t.Errorf("recursion: %+v", inner)
	}
	if root := s.Root(); root.Type != "object" || root.Description != "Root" {
		t.Errorf("root: %+v", root)
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	set := schema.Set[string]{"b": {}, "a": {}}
	b, err := json.Marshal(set)
	if err != nil || string(b) != `["a","b"]` {
		t.Fatalf("got %s, %v", b, err)
	}
	var back schema.Set[string]
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(set, back); diff != "" {
		t.Errorf("set (-want +got):\n%s", diff)
	}
	if err := json.Unmarshal([]byte(`null`), &back); err != nil || len(back) != 2 {
		t.Errorf("after null: %v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`[]`), &back); err != nil || back == nil || len(back) != 0 {
		t.Errorf("after []: %v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`[1]`), &back); err == nil {
		t.Error("a number was read as a string")
	}
	if b, _ := json.Marshal(schema.Set[int](nil)); string(b) != `[]` {
		t.Errorf("nil is %s", b)
	}
}

func TestPropertyAllows(t *testing.T) {
	t.Parallel()
	s := schema.MustCompile(`{
		"type": "object",
		"properties": {
			"text":  {"type": "string"},
			"count": {"type": "integer"},
			"maybe": {"type": ["null", "string"]},
			"union": {"anyOf": [{"type": "array"}, {"type": "string"}]},
			"word":  {"enum": ["a", "b"]},
			"place": {"$ref": "#/$defs/place"},
			"any":   true,
			"never": false
		},
		"$defs": {"place": {"type": "object"}}
	}`)
	want := map[string][]string{
		"text":  {"string"},
		"count": {"number", "integer"},
		"maybe": {"string", "null"},
		"union": {"array", "string"},
		"word":  {"string"},
		"place": {"object"},
		"any":   {"object", "array", "string", "number", "integer", "boolean", "null"},
		"never": nil,
	}
	check := func(p schema.Property, want []string) {
		t.Helper()
		var got []string
		for _, name := range []string{"object", "array", "string", "number", "integer", "boolean", "null"} {
			if p.Allows(name) {
				got = append(got, name)
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p.Name, diff)
		}
	}
	for _, p := range s.Properties() {
		check(p, want[p.Name])
	}
	check(schema.Property{Name: "zero"}, want["any"])
	if s.Properties()[0].Allows("text") {
		t.Error("text is no JSON type")
	}
}
