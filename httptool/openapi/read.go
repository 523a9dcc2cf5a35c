package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"helve/httptool"
	"helve/internal/nearest"
	"helve/internal/yamlfile"
	"helve/netpolicy"
)

// MaxBytes is how long a document may be.
const MaxBytes = 16 << 20

// Options says what to make.
type Options struct {
	Source     string   // the document's URL or file: where relative servers begin, and named in the files
	Server     string   // the API's URL, in place of what the document says
	Tags       []string // only operations with one of these tags
	Operations []string // only operations with these IDs
	Deprecated bool     // also operations that are deprecated
}

// Import is what became of a document.
type Import struct {
	Tools     []Tool // in the order of their paths and methods
	Skipped   []Skipped
	Variables []Variable // that the tools' files name, in the order of their names
	Warnings  []string   // what is wrong with the document as a whole
}

// Tool is the tool of one operation. The secrets in Config are the names of
// variables, such as ${API_TOKEN}; [Tool.YAML] is the file that they belong into.
type Tool struct {
	Config    httptool.Config
	Operation string   // such as GET /users/{id}
	Notes     []string // what the tool can't do and the operation can

	parameters object
	body       any // nil: none is written
	source     string
}

// Skipped is an operation without a tool.
type Skipped struct {
	Operation string `json:"operation"`
	Reason    string `json:"reason"`
}

// Variable is one of the environment that tools need, the security scheme it is
// for, and the server that gets it. The document chose all three: look at them.
type Variable struct {
	Name   string `json:"name"`
	Scheme string `json:"scheme"`
	Host   string `json:"host"`
}

// Read reads a document in YAML or JSON. The error says why there can be no tools
// at all; what is wrong with one operation is in Skipped.
func Read(data []byte, o Options) (imported *Import, err error) {
	defer func() { // a document from outside, read by a library that may not expect it
		if v := recover(); v != nil {
			imported, err = nil, fmt.Errorf("the document can't be read: %v", v)
		}
	}()
	doc, err := parse(data)
	if err != nil {
		return nil, err
	}
	root, err := generic(doc)
	if err != nil {
		return nil, fmt.Errorf("this is no OpenAPI document: %s", firstLine(err))
	}
	m := &maker{doc: doc, root: root, options: o, auth: newSecurity(doc), names: map[string]bool{}, imported: &Import{}}
	if err := doc.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaDefaultsValidation(), openapi3.DisableSchemaPatternValidation()); err != nil {
		m.imported.Warnings = append(m.imported.Warnings, "the document is not valid: "+firstLine(err))
	}
	if err := m.checkFilters(); err != nil {
		return nil, err
	}
	for _, op := range m.operations() {
		m.add(op)
	}
	m.imported.Variables = m.auth.variables()
	return m.imported, nil
}

func parse(data []byte) (*openapi3.T, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the document is %d bytes long, and at most %d are read", len(data), MaxBytes)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data) // no file and no URL is read
	switch {
	case isSwagger2(data):
		return nil, errors.New("this is Swagger 2.0: convert it to OpenAPI 3 first, for example with https://converter.swagger.io")
	case err != nil && strings.Contains(err.Error(), "disallowed external reference"):
		return nil, fmt.Errorf("the document refers to another file: %s: make one file of it first, for example with npx @redocly/cli bundle", firstLine(err))
	case err != nil:
		return nil, fmt.Errorf("this is no OpenAPI document: %s", firstLine(err))
	case doc.OpenAPI == "":
		return nil, errors.New(`this is no OpenAPI document: the key "openapi" is missing`)
	case !strings.HasPrefix(doc.OpenAPI, "3."):
		return nil, fmt.Errorf("OpenAPI %.20s is not known: there are 3.0 and 3.1", doc.OpenAPI)
	}
	return doc, nil
}

// isSwagger2 looks for the key that OpenAPI 3 has no longer.
func isSwagger2(data []byte) bool {
	head := data[:min(len(data), 4096)]
	return bytes.HasPrefix(head, []byte("swagger:")) || bytes.Contains(head, []byte("\nswagger:")) || bytes.Contains(head, []byte(`"swagger"`)) && !bytes.Contains(head, []byte(`"openapi"`))
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Sprintf("%.300s", line)
}

// maker makes tools of the operations of one document.
type maker struct {
	doc      *openapi3.T
	root     any // doc as encoding/json reads it, for references
	options  Options
	auth     *security
	names    map[string]bool // taken, in lower case: files may not differ by case alone
	imported *Import
}

// operation is one of the document.
type operation struct {
	*openapi3.Operation
	method, path string
	item         *openapi3.PathItem
}

func (op operation) String() string { return op.method + " " + op.path }

// methodOrder is the order in which the operations of a path are made.
var methodOrder = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"}

func (m *maker) operations() []operation {
	var all []operation
	if m.doc.Paths == nil {
		return nil
	}
	paths := m.doc.Paths.Map()
	for _, path := range slices.Sorted(keys(paths)) {
		item := paths[path]
		if item == nil {
			continue
		}
		found := item.Operations()
		for _, method := range methodOrder {
			if op := found[method]; op != nil {
				all = append(all, operation{op, method, path, item})
			}
		}
	}
	return all
}

// checkFilters finds a filter that no operation passes: it is misspelt.
func (m *maker) checkFilters() error {
	var tags, ids []string
	for _, op := range m.operations() {
		tags = append(tags, op.Tags...)
		ids = append(ids, op.OperationID)
	}
	for _, f := range []struct {
		what         string
		wanted, have []string
	}{{"tag", m.options.Tags, tags}, {"operation", m.options.Operations, ids}} {
		for _, w := range f.wanted {
			if slices.Contains(f.have, w) {
				continue
			}
			have := slices.Compact(slices.Sorted(slices.Values(f.have)))
			if near := nearest.Names(w, have, 3); len(near) > 0 {
				return fmt.Errorf("no %s is named %q: did you mean %s?", f.what, w, strings.Join(near, " or "))
			}
			return fmt.Errorf("no %s is named %q: there are %s", f.what, w, strings.Join(have[:min(len(have), 20)], ", "))
		}
	}
	return nil
}

func (m *maker) wanted(op operation) bool {
	o := m.options
	if len(o.Operations) > 0 && !slices.Contains(o.Operations, op.OperationID) {
		return false
	}
	return len(o.Tags) == 0 || slices.ContainsFunc(o.Tags, func(t string) bool { return slices.Contains(op.Tags, t) })
}

// add makes the tool of one operation, or notes why there is none.
func (m *maker) add(op operation) {
	if !m.wanted(op) {
		return
	}
	t, err := m.make(op)
	if err == nil {
		err = check(t)
	}
	if err != nil {
		m.imported.Skipped = append(m.imported.Skipped, Skipped{op.String(), err.Error()})
		return
	}
	m.auth.use(t.Config)
	m.imported.Tools = append(m.imported.Tools, *t)
}

// check loads the tool's file as a workspace will, with any value for the
// variables, so that no file is written that does not load.
func check(t *Tool) error {
	data, err := t.YAML()
	if err != nil {
		return err
	}
	var c httptool.Config
	if _, err := yamlfile.Decode(t.FileName(), data, &c, func(string) (string, bool) { return "x", true }); err != nil {
		return err
	}
	_, err = httptool.New(c, netpolicy.Policy{})
	return err
}

func (m *maker) make(op operation) (*Tool, error) {
	if op.Deprecated && !m.options.Deprecated {
		return nil, errors.New("it is deprecated")
	}
	if !slices.Contains(methodOrder[:5], op.method) {
		return nil, fmt.Errorf("%s has nothing to tell a model", op.method)
	}
	server, err := m.server(op)
	if err != nil {
		return nil, err
	}
	t := &Tool{Operation: op.String(), source: m.options.Source}
	t.Config = httptool.Config{Method: op.method, Description: describe(op)}
	if t.Config.Auth, err = m.auth.of(op, server); err != nil {
		return nil, err
	}
	a := &arguments{schemas: newSchemas(m.root, m.doc.IsOpenAPI30()), tool: t, taken: map[string]bool{}}
	path, err := a.addParameters(op)
	if err != nil {
		return nil, err
	}
	t.Config.APIURL = server + path
	if err := a.addBody(op); err != nil {
		return nil, err
	}
	if t.parameters, err = a.schema(); err != nil {
		return nil, err
	}
	t.Config.Parameters = toJSON(t.parameters)
	t.Config.Name = m.name(op)
	return t, nil
}

// describe is what the model chooses by.
func describe(op operation) string {
	summary, more := strings.TrimSpace(op.Summary), strings.TrimSpace(op.Description)
	switch {
	case summary == "" && more == "":
		return op.String()
	case summary == "" || strings.HasPrefix(more, summary):
		return shorten(more)
	case more == "":
		return shorten(summary)
	}
	if !strings.HasSuffix(summary, ".") {
		summary += "."
	}
	return shorten(summary + "\n" + more)
}

// server is the URL that the paths of op begin with, with no slash at its end.
func (m *maker) server(op operation) (string, error) {
	address := m.options.Server
	if address == "" {
		address = serverURL(op, m.doc)
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("its server %.100q is no URL: give one with --server", address)
	}
	if base, err := url.Parse(m.options.Source); err == nil && base.Host != "" {
		u = base.ResolveReference(u)
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("the document does not say at which server the API is (%.100q): give its URL with --server", address)
	}
	if u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", fmt.Errorf("its server %.100q has more than a host and a path: give another with --server", address)
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}

// serverURL is the first server that counts for op, with the defaults of its
// variables. A document without one means its own place.
func serverURL(op operation, doc *openapi3.T) string {
	servers := doc.Servers
	if len(op.item.Servers) > 0 {
		servers = op.item.Servers
	}
	if op.Servers != nil && len(*op.Servers) > 0 {
		servers = *op.Servers
	}
	if len(servers) == 0 || servers[0] == nil {
		return "/"
	}
	address := servers[0].URL
	for _, name := range slices.Sorted(keys(servers[0].Variables)) {
		if v := servers[0].Variables[name]; v != nil {
			address = strings.ReplaceAll(address, "{"+name+"}", v.Default)
		}
	}
	return address
}

// generic is v as encoding/json reads it: maps, lists, text and numbers.
func generic(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out any
	err = d.Decode(&out)
	return out, err
}

// toJSON writes what came out of JSON.
func toJSON(v any) httptool.JSON {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil // httptool.New tells that the parameters are none
	}
	return bytes.TrimSpace(b.Bytes())
}
