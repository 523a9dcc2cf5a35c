package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// fuzzSchemas cover every keyword of the acceptor, and the ones it must leave.
var fuzzSchemas = []string{
	`{"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":5},"limit":{"type":"integer","minimum":1,"maximum":50,"default":10},"order":{"enum":["asc","desc",1,null,true]}},"required":["query"],"additionalProperties":false}`,
	`{"type":"object","properties":{"a":{"type":"number","minimum":0.5,"exclusiveMaximum":9007199254740993},"b":{"type":["integer","null"],"exclusiveMinimum":-3},"k":{"const":"x"}}}`,
	`{"type":"object","additionalProperties":{"type":"array","items":{"type":"string","pattern":"^[a-c]*$"},"minItems":1,"maxItems":3}}`,
	`{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"v":{"type":"integer","default":7},"next":{"$ref":"#/$defs/node"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"additionalProperties":false}}}`,
	`{"type":"object","properties":{"o":{"type":"object","default":{},"properties":{"d":{"default":[1,{"z":2}]},"e":{"type":"boolean","default":true}}},"t":{"prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"boolean"}}},"required":["o"]}`,
	`{}`,
	`{"anyOf":[{"type":"object","properties":{"s":{"type":"integer"}},"required":["s"]},{"type":"array","items":{"type":"boolean"}}]}`,
	`{"allOf":[{"properties":{"n":{"type":"integer","default":3}}},{"properties":{"m":{"type":"array","items":{"type":"integer"}}}}],"type":"object","properties":{"f":{"type":"string","format":"date"}}}`,
	`{"type":"object","properties":{"S":{"type":"string"},"k":{"oneOf":[{"type":"integer"},{"type":"null"}]}},"patternProperties":{"^x":{"type":"integer"}},"minProperties":1}`,
}

var fuzzDocuments = []string{
	``, `null`, `{}`, `[]`, `{"query":"a"}`, `{"query":"a","limit":5,"order":"asc"}`, `{"query":"a","limit":null}`, `{"query":"ünï","limit":1.0}`,
	`{"limit":null,"query":"a"}`, `{"limit":null,"limit":null,"query":"a"}`, `{"v":null,"next":{"v":null,"kids":[{"v":null},{"kids":null,"next":null}]},"kids":null}`,
	`{"query":"a","Limit":5}`, `{"query":"a","query":"b"}`, `{"query":"a\n"}`, `{"query":"a","limit":"5","order":null}`, `{"query":"abcdef"}`,
	`{"a":9007199254740992.5,"b":-3}`, `{"a":1e1000000000}`, `{"a":1.5,"b":null,"k":"x","zz":{"p":[1,2,{"q":null}]}}`, `{"a":0.5}`, `{"a":0.50000000000000000001}`,
	`{"p":["a","b"],"q":["c"]}`, `{"p":["a"],"p":["b"]}`, `{"v":1,"next":{"v":2,"kids":[{},{"v":3}]}}`, `{"o":{"d":1}}`, `{"o":{}}`, `{"t":[1,"x",true,false]}`,
	`{"s":"12345678901234567890123456789012345678901"}`, `["true","false"]`, `{"n":"7","m":"[1,\"2\"]","f":"2026-01-02"}`, `{"S":"1","k":"null"}`, `{"\u017f":1,"K":2,"x1":3}`,
	strings.Repeat("[", 200) + strings.Repeat("]", 200), `{"a":-0,"b":-0.0}`, `{"b":1E2}`, `{"order":1.0,"query":"q"}`,
}

func seed(f *testing.F) []*Schema {
	var schemas []*Schema
	for _, s := range fuzzSchemas {
		schemas = append(schemas, MustCompile(s))
	}
	for i := range fuzzSchemas {
		for _, d := range fuzzDocuments {
			f.Add(uint8(i), []byte(d))
		}
	}
	return schemas
}

// FuzzAcceptor holds the acceptor against the slow path: what it accepts, the
// full validator accepts, and both prepare the same value.
func FuzzAcceptor(f *testing.F) {
	schemas := seed(f)
	f.Fuzz(func(t *testing.T, n uint8, doc []byte) {
		s := schemas[int(n)%len(schemas)]
		if a := (acceptor{src: doc}); a.document(s.root) {
			v, err := parse(doc)
			if err != nil {
				t.Fatalf("accepted, but: %v", err)
			}
			if err := s.check(v); err != nil {
				t.Fatalf("accepted %s, but: %v", doc, err)
			}
		}
		a := acceptor{src: doc, fill: true}
		if !a.document(s.root) {
			return
		}
		fast := a.result()
		slow, err := prepareSlowly(s, doc)
		if err != nil {
			t.Fatalf("accepted %s, but: %v", doc, err)
		}
		if !sameJSON(t, fast, slow) {
			t.Fatalf("%s: fast %s, slow %s", doc, fast, slow)
		}
	})
}

// prepareSlowly is Prepare without the acceptor.
func prepareSlowly(s *Schema, args []byte) (json.RawMessage, error) {
	return (&Schema{doc: s.doc, full: s.full, root: withoutAcceptor(s.root), branching: s.branching}).Prepare(args)
}

func withoutAcceptor(s *shape) *shape {
	c := *s
	c.exact, c.ref = false, nil
	c.all = append([]*shape{s}, c.all...)
	return &c
}

// FuzzPrepare checks what Prepare promises of any input: valid results, that
// preparing again changes nothing, and agreement with Validate.
func FuzzPrepare(f *testing.F) {
	schemas := seed(f)
	f.Fuzz(func(t *testing.T, n uint8, doc []byte) {
		s := schemas[int(n)%len(schemas)]
		kept := bytes.Clone(doc)
		out, err := s.Prepare(doc)
		if !bytes.Equal(doc, kept) {
			t.Fatal("the arguments were changed")
		}
		var syntax *SyntaxError
		if errors.As(err, &syntax) && json.Valid(doc) && utf8.Valid(doc) {
			t.Fatalf("%s is JSON, but: %v", doc, err)
		}
		if len(bytes.TrimSpace(doc)) > 0 && !json.Valid(doc) && err == nil {
			t.Fatalf("%s is not JSON, but was accepted", doc)
		}
		if err != nil {
			return
		}
		if err := s.Validate(out); err != nil {
			t.Fatalf("%s became %s: %v", doc, out, err)
		}
		again, err := s.Prepare(out)
		if err != nil || !bytes.Equal(out, again) {
			t.Fatalf("%s became %s, then %s, %v", doc, out, again, err)
		}
	})
}

// FuzzCoerce checks that coercion leaves valid documents alone, that coercing
// again changes nothing, and that only strings change and no digit is lost.
func FuzzCoerce(f *testing.F) {
	schemas := seed(f)
	f.Fuzz(func(t *testing.T, n uint8, doc []byte) {
		s := schemas[int(n)%len(schemas)]
		out, done, err := s.Coerce(doc)
		if err != nil {
			return
		}
		if s.Validate(doc) == nil && !bytes.Equal(out, bytes.TrimSpace(doc)) {
			t.Fatalf("%s is valid, but became %s", doc, out)
		}
		if _, again, err := s.Coerce(out); err != nil || len(again) > 0 {
			t.Fatalf("%s became %s, then changed again: %v, %v", doc, out, again, err)
		}
		for _, c := range done {
			var text string
			if err := json.Unmarshal(c.From, &text); err != nil {
				t.Fatalf("%s is not a string", c.From)
			}
			if strings.TrimSpace(text) != string(c.To) {
				t.Fatalf("%q became %s", text, c.To)
			}
		}
	})
}

// FuzzCompile checks that no schema makes Compile or its users panic, and that
// its bytes are stable.
func FuzzCompile(f *testing.F) {
	for _, s := range fuzzSchemas {
		f.Add([]byte(s), []byte(`{"a":1,"query":"x"}`))
	}
	for _, s := range []string{`true`, `false`, `[]`, `{"$ref":"#"}`, `{"$ref":"http://x/y"}`, `{"type":7}`, `{"properties":{"a":{"$ref":"#/properties/a"}}}`,
		`{"default":{},"properties":{"a":{"$ref":"#","default":{}}}}`, `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}],"definitions":{}}`,
		`{"allOf":[{"$ref":"#"}]}`, `{"type":["null","array"],"prefixItems":[true,false]}`, `{"enum":[1,"a",{},null]}`, `{"minimum":1e999999999}`, `{"properties":{"a":{"const":{"b":1}}}}`} {
		f.Add([]byte(s), []byte(`{"a":"1"}`))
	}
	f.Fuzz(func(t *testing.T, doc, args []byte) {
		s, err := Compile(doc)
		if err != nil {
			return
		}
		again, err := Compile(s.JSON())
		if err != nil || !bytes.Equal(s.JSON(), again.JSON()) {
			t.Fatalf("%s is not stable: %v", s, err)
		}
		_, _, _ = s.Coerce(args)
		_, _ = s.Prepare(args)
		_ = s.Validate(args)
		for _, p := range s.Properties() {
			_ = p.Properties()
		}
		for p := range Profile(len(profileNames)) {
			out, _ := s.Render(p)
			if !json.Valid(out) {
				t.Fatalf("%s renders as %s", s, out)
			}
		}
	})
}

// sameJSON compares values, not spellings; numbers exactly.
func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	decode := func(src []byte) any {
		d := json.NewDecoder(bytes.NewReader(src))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		return exact(v)
	}
	return reflect.DeepEqual(decode(a), decode(b))
}

func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(string(v))
		return r.String()
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exact(v[k])
		}
	}
	return v
}
