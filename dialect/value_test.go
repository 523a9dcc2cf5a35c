package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"helve/schema"
	"helve/tool"
)

var valueTool = tool.Definition{Name: "f", Parameters: schema.MustCompile(`{
	"type": "object",
	"properties": {
		"text":    {"type": "string"},
		"maybe":   {"type": ["string", "null"]},
		"either":  {"anyOf": [{"type": "string"}, {"type": "integer"}]},
		"list":    {"anyOf": [{"type": "string"}, {"type": "array"}]},
		"count":   {"type": "integer"},
		"price":   {"type": "number"},
		"limit":   {"type": ["integer", "null"]},
		"flag":    {"type": "boolean"},
		"object":  {"type": "object"},
		"array":   {"type": "array", "items": {"type": "integer"}},
		"words":   {"type": "array", "items": {"type": "string"}},
		"things":  {"type": "array"},
		"any":     true,
		"level":   {"enum": ["1", "2"]},
		"place":   {"$ref": "#/$defs/place"}
	},
	"$defs": {"place": {"type": "object"}}
}`)}

func TestTypedValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ parameter, raw, want string }{
		{"text", "007", `"007"`},
		{"text", " a\n", `" a\n"`},
		{"text", "null", `"null"`},
		{"text", "True", `"True"`},
		{"text", "[1]", `"[1]"`},
		{"text", "", `""`},
		{"text", `"quoted"`, `"\"quoted\""`},
		{"text", "a&lt;b <b>", `"a&lt;b <b>"`},
		{"maybe", "null", "null"},
		{"maybe", " null ", "null"},
		{"maybe", "none", `"none"`},
		{"maybe", "None", `"None"`},
		{"either", "42", `"42"`},
		{"list", ` ["a"] `, `["a"]`},
		{"list", "['a']", `"['a']"`},
		{"list", "[see below", `"[see below"`},
		{"any", "[1]", `"[1]"`},
		{"any", "5", `"5"`},
		{"level", "1", `"1"`},
		{"undeclared", "5", `"5"`},
		{"undeclared", " null", `" null"`},

		{"count", "5", "5"},
		{"count", "\n 5\t", "5"},
		{"count", "5.0", "5"},
		{"count", "-5.00", "-5"},
		{"count", "5.", `"5."`},
		{"count", "5.5", "5.5"}, // validation says what is wrong
		{"count", "007", `"007"`},
		{"count", "1e3", "1e3"},
		{"count", "9007199254740993", "9007199254740993"},
		{"count", "five", `"five"`},
		{"count", "null", `"null"`},
		{"count", "true", `"true"`},
		{"count", "", `""`},
		{"count", " ", `" "`},
		{"price", "1.23e-4", "1.23e-4"},
		{"price", "5.0", "5.0"},
		{"limit", "null", "null"},
		{"limit", "None", "null"},
		{"limit", "3", "3"},
		{"flag", "true", "true"},
		{"flag", " False ", "false"},
		{"flag", "yes", `"yes"`},

		{"object", ` {"b": 1, "a": 2.50} `, `{"b": 1, "a": 2.50}`},
		{"object", `{'a': True,}`, `{"a":true}`},
		{"object", `{\"a\": \"x\\ny\"}`, `{"a": "x\ny"}`},
		{"object", `{"a": `, `"{\"a\": "`},
		{"object", `[1]`, `"[1]"`},
		{"object", `['a']`, `"['a']"`},
		{"object", `see {"a": 1}`, `"see {\"a\": 1}"`},
		{"place", `{"city": "Zürich"}`, `{"city": "Zürich"}`},
		{"array", "[1, 2]", "[1, 2]"},
		{"array", "1, 2", `"1, 2"`},
		{"array", "[1 2]", "[1,2]"},
	} {
		p, known := parametersOf(&valueTool)[c.parameter]
		if got := typedValue(p, known, c.raw); string(got) != c.want {
			t.Errorf("%s: %q is %s, want %s", c.parameter, c.raw, got, c.want)
		}
	}
	if len(parametersOf(nil)) > 0 {
		t.Error("an unknown tool has parameters")
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		def  *tool.Definition
		add  [][2]string
		want string
	}{
		{nil, nil, `{}`},
		{nil, [][2]string{{"b", "1"}, {"a", "x"}}, `{"b":"1","a":"x"}`},
		{nil, [][2]string{{"a", "1"}, {"b", "2"}, {"a", "3"}}, `{"a":"3","b":"2"}`},
		{&valueTool, [][2]string{{"count", "1"}, {"text", "1"}, {"new", "1"}}, `{"count":1,"text":"1","new":"1"}`},
		{&valueTool, [][2]string{{"count", "1"}, {"count", "2"}}, `{"count":2}`},
		{&valueTool, [][2]string{{"array", "1"}, {"array", "2"}}, `{"array":[1,2]}`},
		{&valueTool, [][2]string{{"words", "1"}, {"words", "2"}}, `{"words":["1","2"]}`},
		{&valueTool, [][2]string{{"things", "1"}, {"things", "x"}}, `{"things":["1","x"]}`},
		{&valueTool, [][2]string{{"array", "[1]"}}, `{"array":[1]}`},
		{nil, [][2]string{{`"`, "\xff"}}, `{"\"":"\ufffd"}`},
	} {
		a := argumentsFor(c.def)
		for _, kv := range c.add {
			a.add(kv[0], kv[1])
		}
		if got := a.json(); string(got) != c.want {
			t.Errorf("%q are %s, want %s", c.add, got, c.want)
		}
	}

	a := argumentsFor(&valueTool)
	a.add("array", "1")
	a.addJSON("array", json.RawMessage(`[2]`))
	a.addJSON("object", json.RawMessage(`{}`))
	a.add("object", `{"a":1}`)
	if got, want := string(a.json()), `{"array":[2],"object":{"a":1}}`; got != want {
		t.Errorf("text and JSON are %s, want %s", got, want)
	}
}

func TestUnframe(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":              "",
		"\n":            "",
		"\n\n":          "",
		"a\n":           "a\n",
		" \na\n":        " \na\n",
		"\na":           "a",
		"\na\n":         "a",
		"\n\na\n\n":     "\na\n",
		"\n  a \n":      "  a ",
		"\r\na\r\n":     "a",
		"\na\r":         "a\r",
		"\r\n a\r\nb\n": " a\r\nb",
	} {
		if got := unframe(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestDecodeEntities(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                     "",
		"a < b":                                "a < b",
		"&lt;a b=&quot;c&quot;&gt;&apos;&amp;": `<a b="c">'&`,
		"&amp;lt;":                             "&lt;",
		"&#65;&#x42;&#X43;&#x1F600;":           "ABC😀",
		"&nbsp;&LT;&;&#;&#x;&#-1;":             "&nbsp;&LT;&;&#;&#x;&#-1;",
		"&#0000000000065;":                     "&#0000000000065;",
		"&#xD800;&#x110000;":                   "&#xD800;&#x110000;",
		"AT&T; a&b&lt":                         "AT&T; a&b&lt",
		"&&lt;":                                "&<",
	} {
		if got := decodeEntities(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func FuzzTypedValue(f *testing.F) {
	f.Add("5.0")
	f.Add(`{\"a\": 1}`)
	f.Add("[1, 'a'")
	f.Fuzz(func(t *testing.T, raw string) {
		for _, p := range valueTool.Schema().Properties() {
			if value := typedValue(p, true, raw); !json.Valid(value) {
				t.Errorf("%s: %q is %s", p.Name, raw, value)
			}
		}
		if decoded := decodeEntities(raw); len(decoded) > len(raw) || !strings.Contains(raw, "&") && decoded != raw {
			t.Errorf("%q is %q", raw, decoded)
		}
	})
}
