package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is a compiled JSON Schema. It never changes once made, and any
// number of goroutines may use it at once. Make one with For, ForType,
// Compile or MustCompile.
type Schema struct {
	json json.RawMessage    // canonical
	doc  *value             // json, parsed; read only
	root *shape             // what the acceptor, the defaults and the coercion need to know
	full *jsonschema.Schema // the judge

	branching bool // see checkCost
}

// Compile makes a Schema from a JSON Schema document, draft 2020-12 unless
// its $schema says otherwise. The order of its keys is kept. Nothing is ever
// fetched: a $ref out of the document is an error, as are a default that
// breaks its own schema, a pattern that Go's regexp can't run, and a document
// over the size and depth limits. A default of null where null is not allowed
// is no default; some generators write it so.
func Compile(doc []byte) (*Schema, error) {
	v, err := parse(doc)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return compile(v)
}

// MustCompile is Compile for package-level variables; it panics on an error.
func MustCompile(doc string) *Schema {
	s, err := Compile([]byte(doc))
	if err != nil {
		panic(err)
	}
	return s
}

func compile(v *value) (*Schema, error) {
	if v.kind != typeObject && v.kind != typeBoolean {
		return nil, fmt.Errorf("schema: a schema is an object or a boolean, not %s", v.kind)
	}
	var r report
	checkDuplicates(v, &location{}, &r)
	checkNumbers(v, &location{}, &r)
	if err := r.err(); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	s := &Schema{json: v.appendCompact(nil)}
	doc, err := parse(s.json)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	s.doc = doc
	c, err := newCompiler(doc)
	if err != nil {
		return nil, err
	}
	if s.full, err = c.compile(""); err != nil {
		return nil, err
	}
	m := newShapeMaker(doc, s.full.DraftVersion)
	s.root = m.root()
	s.branching = branching(m.list)
	if err := checkCircles(m.list); err != nil {
		return nil, err
	}
	if err := setDefaults(m.list, c); err != nil {
		return nil, err
	}
	return s, nil
}

// baseURL is every document's address inside its own compiler. Nothing is there.
const (
	baseDir = "schema:///"
	baseURL = baseDir + "document"
)

// compiler makes full validators of one document and its parts.
type compiler struct {
	doc  *value
	full *jsonschema.Compiler
}

func newCompiler(doc *value) (*compiler, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource(baseURL, doc.plain()); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return &compiler{doc, c}, nil
}

// compile makes the validator of the part at a JSON pointer.
func (c *compiler) compile(pointer string) (*jsonschema.Schema, error) {
	full, err := c.full.Compile(baseURL + "#" + (&url.URL{Fragment: pointer}).EscapedFragment())
	if err == nil {
		return full, nil
	}
	var invalid *jsonschema.SchemaValidationError
	var verr *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &verr) {
		t := translator{}
		t.add(verr)
		return nil, fmt.Errorf("schema: not a valid JSON Schema: %w", t.err())
	}
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return nil, fmt.Errorf("schema: %w", load.Err)
	}
	return nil, fmt.Errorf("schema: %s", strings.ReplaceAll(err.Error(), baseURL, ""))
}

// noLoader keeps the validator from reading files and URLs.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%q is outside the document, and schemas are never fetched; copy what a $ref needs into $defs, and leave out a $schema that is no published draft",
		strings.TrimPrefix(url, baseDir))
}

// JSON returns the schema's canonical bytes: compact, in the order it was
// written, the same for every call. The caller must not change them.
func (s *Schema) JSON() json.RawMessage { return s.json }

// MarshalJSON returns JSON.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.json, nil }

// String returns JSON as text.
func (s *Schema) String() string { return string(s.json) }
