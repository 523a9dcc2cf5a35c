package yamlfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

type server struct {
	Name     string            `yaml:"name"`
	Port     int               `yaml:"port,omitempty"`
	Ratio    float64           `yaml:"ratio,omitempty"`
	Open     bool              `yaml:"open,omitempty"`
	Strict   *bool             `yaml:"strict,omitempty"`
	Key      Secret            `yaml:"key,omitempty"`
	Timeout  time.Duration     `yaml:"timeout,omitempty"`
	Tags     []string          `yaml:"tags,omitempty"`
	Headers  map[string]string `yaml:"headers,omitempty"`
	Routes   []route           `yaml:"routes,omitempty"`
	Fallback *route            `yaml:"fallback,omitempty"`
	Schema   JSON              `yaml:"schema,omitempty"`
}

type route struct {
	Path string `yaml:"path" jsonschema_description:"Where it leads."`
	Limit
}

type Limit struct {
	Most int `yaml:"most,omitempty"`
}

func environment(name string) (string, bool) {
	value, ok := map[string]string{"KEY": "s3cret", "PORT": "8080", "EMPTY": "", "WORD": "yes indeed", "YES": "true"}[name]
	return value, ok
}

func TestDecode(t *testing.T) {
	t.Parallel()
	const text = `
# a comment
name: "007"
port: ${PORT}
ratio: 2
open: ${YES}
strict: false
key: ${KEY}
timeout: 1m30s
tags: &tags [a, "no", 'x ${WORD:-y} $${z}']
headers: {X-Key: "k ${KEY}", Empty: "${EMPTY:-}", Other: "${NONE:-a:b}"}
routes:
  - &one {path: /one, most: 3}
  - <<: *one
    path: /two
fallback:
schema:
  type: object
  properties: {b: {type: string, default: "1"}, a: {minimum: 1, maximum: 1.5, x: [true, null, 1e3]}}
  tags: *tags
`
	no := false
	want := server{
		Name: "007", Port: 8080, Ratio: 2, Open: true, Strict: &no, Key: "s3cret", Timeout: 90 * time.Second,
		Tags:    []string{"a", "no", "x yes indeed ${z}"},
		Headers: map[string]string{"X-Key": "k s3cret", "Empty": "", "Other": "a:b"},
		Routes:  []route{{"/one", Limit{3}}, {"/two", Limit{3}}},
		Schema:  JSON(`{"type":"object","properties":{"b":{"type":"string","default":"1"},"a":{"minimum":1,"maximum":1.5,"x":[true,null,1000]}},"tags":["a","no","x yes indeed ${z}"]}`),
	}
	var got server
	doc, err := Decode("s.yaml", []byte(text), &got, environment)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Transformer("text", func(s Secret) string { return s.Reveal() })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e := doc.Errorf("/routes/1/path", "no such path %s", "/two"); e.Error() != "s.yaml:15:11: no such path /two" {
		t.Error(e)
	}
	if e := doc.Errorf("/schema/properties/nothing/here", "gone"); e.Place() != "s.yaml:19:15" {
		t.Error(e)
	}
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"nothing", "", "f.yaml:1:1: name is missing"},
		{"only a comment", "# nothing\n", "f.yaml:1:1: name is missing"},
		{"null", "name:\n", "f.yaml:1:1: name is missing"},
		{"a list", "- name: x\n", "f.yaml:1:1: want keys and values, not a list: write it as lines of key: value"},
		{"a word", "hello\n", `f.yaml:1:1: want keys and values, not the text "hello": write it as lines of key: value`},
		{"unknown key", "name: x\ntimeuot: 3s\n", `f.yaml:2:1: unknown key "timeuot": did you mean timeout?`},
		{"unknown key far off", "name: x\nfallback: {zzzzzzz: 1, path: y}\n", `f.yaml:2:12: unknown key "zzzzzzz": known are path, most`},
		{"twice", "name: x\nport: 1\nport: 2\n", "f.yaml:3:1: the key port is there already, in line 2: keep one of them"},
		{"number as text", "name: 007\n", `f.yaml:1:7: want text, not the number 007: put it in quotes: "007"`},
		{"boolean as text", "name: true\n", `f.yaml:1:7: want text, not the boolean true: put it in quotes: "true"`},
		{"text as number", "name: x\nport: many\n", `f.yaml:2:7: want a whole number, not the text "many"`},
		{"fraction", "name: x\nport: 1.5\n", "f.yaml:2:7: want a whole number, not the number 1.5"},
		{"too large", "name: x\nport: 99999999999999999999\n", "f.yaml:2:7: want a whole number, not the number 99999999999999999999"},
		{"octal", "name: x\nport: 0123\n", "f.yaml:2:7: want a whole number: write it without the 0 in front, which some read as octal"},
		{"yes", "name: x\nopen: yes\n", `f.yaml:2:7: want true or false, not the text "yes"`},
		{"list for text", "name: [x]\n", "f.yaml:1:7: want text, not a list"},
		{"braces without quotes", "name: x\nheaders: {q: {city}}\n", `f.yaml:2:14: want text, not keys and values: write "{city}" in quotes`},
		{"keys for text", "name: x\nheaders: {q: {city: 1}}\n", "f.yaml:2:14: want text, not keys and values"},
		{"text for list", "name: x\ntags: a, b\n", `f.yaml:2:7: want a list, not the text "a, b": write it as [a, b], or as lines that begin with -`},
		{"duration", "name: x\ntimeout: 30\n", "f.yaml:2:10: want a time with its unit, such as 30s, 500ms or 2m"},
		{"negative duration", "name: x\ntimeout: -3s\n", "f.yaml:2:10: want a time with its unit, such as 30s, 500ms or 2m"},
		{"unset", "name: x\nkey: a ${NONE}\n", "f.yaml:2:6: the environment variable NONE is not set: set it, or give a default: ${NONE:-…}"},
		{"empty", "name: ${EMPTY}\n", "f.yaml:1:7: the environment variable EMPTY is not set: set it, or give a default: ${EMPTY:-…}"},
		{"malformed variable", "name: ${1X}\n", "f.yaml:1:7: ${1X} is no variable: write ${NAME} or ${NAME:-default}, and $${ for the text itself"},
		{"wrong type from the environment", "name: x\nport: ${KEY}\n", "f.yaml:2:7: want a whole number, not what the environment says"},
		{"inside", "name: x\nroutes: [{path: /a}, {most: 1}]\n", "f.yaml:2:22: path is missing"},
		{"tab", "name: x\nfallback:\n\tpath: y\n", "f.yaml:3:1: this is not YAML: the line is indented with a tab: indent with spaces"},
		{"not closed", "name: [x\n", "f.yaml:1: this is not YAML: did not find expected ',' or ']': a [ or { is not closed"},
		{"star", "name: x\ntags: [*]\n", "f.yaml:2: this is not YAML: did not find expected alphabetic or numeric character: put * in quotes: \"*\""},
		{"no space", "name:x\nport: 1\n", "f.yaml:"},
		{"control character", "name: x\nport: \x01\n", "f.yaml:2: this is not YAML: control characters are not allowed: take the control character out"},
		{"two documents", "name: x\n---\nname: y\n", "f.yaml:2:1: a second document begins here: put each into a file of its own"},
		{"unknown anchor", "name: *x\n", "f.yaml:1: this is not YAML: unknown anchor 'x' referenced: a word behind * names a value that &word marks"},
		{"its own anchor", "name: x\nschema: &a {b: *a}\n", "f.yaml"},
		{"not UTF-8", "name: x\ntags: [\"\xff\"]\n", "f.yaml:2: the file is not UTF-8: save it as UTF-8"},
		{"key twice in JSON", "name: x\nschema: {a: 1, a: 2}\n", "f.yaml:2:16: the key a is there twice"},
		{"no JSON", "name: x\nschema: [.inf]\n", "f.yaml:2:10: the number .inf has no form in JSON"},
		{"a list as key", "name: x\n? [a]\n: b\n", "f.yaml:2:3: a key must be text, not a list"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Decode("f.yaml", []byte(test.text), new(server), environment)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			var all Errors
			if !errors.As(err, &all) {
				t.Errorf("got a %T", err)
			}
		})
	}
}

func TestAllErrorsAreTold(t *testing.T) {
	t.Parallel()
	_, err := Decode("f.yaml", []byte("prot: 1\nport: x\nkey: ${NONE}\n"), new(server), environment)
	var all Errors
	if !errors.As(err, &all) || len(all) != 4 {
		t.Fatalf("got %v, want four errors", err)
	}
	var first *Error
	if !errors.As(err, &first) || first.Line != 1 {
		t.Errorf("errors.As found %v", first)
	}
}

// TestExplodingAnchors is the "billion laughs": few bytes that stand for very many.
func TestExplodingAnchors(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("name: x\nschema:\n  a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "  a%d: &a%d [", i, i)
		for range 10 {
			fmt.Fprintf(&b, "*a%d,", i-1)
		}
		b.WriteString("]\n")
	}
	_, err := Decode("f.yaml", []byte(b.String()), new(server), environment)
	if err == nil || !strings.Contains(err.Error(), "more than 100000 values, counting what aliases stand for") {
		t.Errorf("got %v", err)
	}
	_, err = Decode("f.yaml", []byte("name: x\nschema: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)), new(server), environment)
	if err == nil || !strings.Contains(err.Error(), "nested more than 100 deep") {
		t.Errorf("got %v", err)
	}
	_, err = Decode("f.yaml", []byte("name: "+strings.Repeat("x", MaxBytes)), new(server), environment)
	if err == nil || !strings.Contains(err.Error(), "bytes long, and at most") {
		t.Errorf("got %v", err)
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	s := server{Key: "s3cret"}
	data, _ := json.Marshal(s)
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s.Key, "all", s)
	for _, shown := range []string{string(data), log.String(), fmt.Sprint(s), fmt.Sprintf("%#v %+v %q %x %d", s, s.Key, s.Key, s.Key, s.Key)} {
		if strings.Contains(shown, "s3cret") || strings.Contains(shown, "733363726574") {
			t.Errorf("shows the secret: %s", shown)
		}
	}
	_, err := Decode("f.yaml", []byte("name: x\nport: ${KEY}\nopen: a${KEY}\ntimeout: ${KEY}\n"), new(server), environment)
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("shows the secret: %v", err)
	}
}

// An error shows the name of a variable in place of what the environment says, whoever
// finds fault.
func TestErrorsShowNoValueOfTheEnvironment(t *testing.T) {
	t.Parallel()
	values := map[string]string{"TOKEN": `s3cret"{x}%zz`, "LONGER": `s3cret"{x}%zz-and-more`, "ID": "abc"}
	env := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	var s server
	doc, err := Decode("f.yaml", []byte("name: a ${TOKEN} b ${LONGER} ${ID}\nheaders: {K: '${NONE:-none}'}\n"), &s, env)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ format, want string }{
		{"the path %s is wrong", "the path a ${TOKEN} b ${LONGER} abc is wrong"},
		{"the path %.200q is wrong", `the path "a ${TOKEN} b ${LONGER} abc" is wrong`},
	} {
		if got := doc.Errorf("/name", test.format, s.Name).Message; got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	if got := doc.Errorf("/name", "%s", url.QueryEscape(values["TOKEN"])).Message; got != "${TOKEN}" {
		t.Errorf("got %s", got)
	}
	if diff := cmp.Diff([]string{values["LONGER"], values["TOKEN"], "abc"}, doc.values()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var picky struct {
		Word word `yaml:"word"`
	}
	_, err = Decode("f.yaml", []byte("word: ${TOKEN}\n"), &picky, env)
	if err == nil || err.Error() != "f.yaml:1:7: no such word: ${TOKEN}" {
		t.Errorf("got %v", err)
	}
}

// word is read by a method of its own, which finds fault with any.
type word string

func (*word) UnmarshalYAML(node *yaml.Node) error {
	return fmt.Errorf("no such word: %s", node.Value)
}

func TestSchema(t *testing.T) {
	t.Parallel()
	got, err := Schema("a route", route{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "properties": {
    "path": {
      "type": "string",
      "description": "Where it leads."
    },
    "most": {
      "type": "integer"
    }
  },
  "additionalProperties": false,
  "type": "object",
  "required": [
    "path"
  ],
  "title": "a route"
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzDecode: no input panics, an error names its file, and what is no error has a
// name.
func FuzzDecode(f *testing.F) {
	f.Add("name: x\nport: ${PORT}\nschema: {a: [1, 2]}\n")
	f.Add("name: &a [*a]\n<<: {b: c}\n")
	f.Add("name: x\nschema: &a\n  <<: [*a]\n")
	f.Add("? {a: b}\n: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		var s server
		doc, err := Decode("f.yaml", []byte(text), &s, environment)
		if err != nil && !strings.HasPrefix(err.Error(), "f.yaml") {
			t.Errorf("no place: %v", err)
		}
		if err == nil && len(s.Schema) > 0 && !json.Valid(s.Schema) {
			t.Errorf("no JSON: %s", s.Schema)
		}
		doc.At("/routes/0/path")
	})
}
