package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"helve/httptool"
)

// FileName is the tool's name with .yaml behind it.
func (t Tool) FileName() string { return t.Config.Name + ".yaml" }

// YAML is the tool as a file for tools/native/. Only its secrets stand for
// variables of the environment; a ${ that the document brings is text.
func (t Tool) YAML() ([]byte, error) {
	c := t.Config
	f := &file{}
	f.text("name", c.Name)
	f.text("description", c.Description)
	if c.Method != "GET" {
		f.text("method", c.Method)
	}
	f.text("api_url", c.APIURL)
	f.value("query", sorted(c.Query))
	f.value("headers", sorted(c.Headers))
	f.value("body", t.body)
	f.text("body_type", c.BodyType)
	f.auth(c.Auth)
	if properties, _ := t.parameters.get("properties").(object); len(properties) > 0 {
		f.value("parameters", t.parameters)
	}
	if f.err != nil {
		return nil, f.err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", t.comment())
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: f.nodes}); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// comment says where the file is from, in one line.
func (t Tool) comment() string {
	text := t.Operation + ", made by helve tools import openapi"
	if t.source != "" {
		text += " from " + t.source
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// file is a YAML mapping in the making.
type file struct {
	nodes []*yaml.Node
	err   error
}

// text adds a text that holds no variables.
func (f *file) text(key, value string) {
	if value != "" {
		f.value(key, value)
	}
}

// value adds a value that holds no variables.
func (f *file) value(key string, value any) {
	if o, ok := value.(object); value == nil || ok && len(o) == 0 && key != "body" {
		return
	}
	f.nodes = append(f.nodes, scalar(key), f.node(value))
}

// secret adds what may be a variable.
func (f *file) secret(key, value string) {
	if value != "" {
		f.nodes = append(f.nodes, scalar(key), scalar(value))
	}
}

func (f *file) auth(a httptool.Auth) {
	f.text("auth_method", a.AuthMethod)
	f.secret("api_key", a.APIKey.Reveal())
	f.text("api_key_in", a.APIKeyIn)
	f.text("api_key_name", a.APIKeyName)
	f.secret("token", a.Token.Reveal())
	f.secret("username", a.Username)
	f.secret("password", a.Password.Reveal())
	f.text("token_url", a.TokenURL)
	f.secret("client_id", a.ClientID)
	f.secret("client_secret", a.ClientSecret.Reveal())
	if len(a.Scopes) > 0 {
		f.value("scopes", anys(a.Scopes))
	}
}

// node is a value of JSON as YAML.
func (f *file) node(value any) *yaml.Node {
	switch v := value.(type) {
	case object:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, field := range v {
			n.Content = append(n.Content, scalar(field.key), f.node(field.value))
		}
		return n
	case map[string]any:
		return f.node(sorted(v))
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		if len(v) == 0 || !slices.ContainsFunc(v, isCollection) {
			n.Style = yaml.FlowStyle
		}
		for _, e := range v {
			n.Content = append(n.Content, f.node(e))
		}
		return n
	case string:
		return scalar(strings.ReplaceAll(v, "${", "$${"))
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: v.String()}
	}
	n := &yaml.Node{}
	if err := n.Encode(value); err != nil && f.err == nil {
		f.err = err
	}
	return n
}

func isCollection(v any) bool {
	switch v.(type) {
	case object, map[string]any, []any:
		return true
	}
	return false
}

// scalar is a text, in quotes where YAML wants them.
func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	return n
}

func sorted[V any](m map[string]V) object {
	o := object{}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		o = append(o, field{key, any(m[key])})
	}
	return o
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}
