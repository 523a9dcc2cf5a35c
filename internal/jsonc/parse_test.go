package jsonc_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"helve/internal/jsonc"
)

const settings = `// what an editor keeps
{
	/* servers,
	   by name */
	"é": "x", "servers": {
		"a": {"args": ["-y", "a//b", ], }, // the first
	},
}`

func TestWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	v, err := jsonc.Parse([]byte("\ufeff" + settings))
	if err != nil {
		t.Fatal(err)
	}
	a := v.Get("servers").Get("a")
	if got := a.Get("args").Elements[1]; got.Text != "a//b" || got.Place != (jsonc.Place{Line: 6, Column: 24}) {
		t.Errorf("got %q at %v", got.Text, got.Place)
	}
	if got := v.Get("servers").Place; got != (jsonc.Place{Line: 5, Column: 23}) {
		t.Errorf("columns are not counted in characters: %v", got)
	}
	if a.Get("no").Get("where") != nil {
		t.Error("something is nowhere")
	}
}

func TestFaultsHaveTheirPlaces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "1:1: the file ends where a value is due",
		"{\n  a: 1}":            "2:3: a name in double quotes is due here",
		"{\"a\" 1}":             "1:6: a colon is due here, behind the name \"a\"",
		"{\"a\": }":             "1:7: the value of a is due here, not '}'",
		"{\"a\": yes}":          "1:7: the value of a is due here: text stands in double quotes",
		"{\"a\": 1 \"b\": 2}":   "1:9: a comma or '}' is due here",
		"\n [1, {\"a\": [2, 3 ": "2:12: this bracket is not closed",
		"{} x":                  "1:4: the file goes on behind its end: is a bracket closed too early?",
		"[1, /* 2":              "1:5: this comment has no end: write */",
		"[\"a\n\"]":             "1:2: this text has no end: a double quote is missing on its line",
		`["C:\dir"]`:            "1:2: this text has a control character, or a \\ that means nothing: write \\\\ for the character itself",
		"[\"\xff\"]":            "1:2: this text is not UTF-8: save the file as UTF-8",
		"[01]":                  "1:2: a value is due here: text stands in double quotes",
	} {
		if _, err := jsonc.Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q\ngot  %v\nwant %s", text, err, want)
		}
	}
	if _, err := jsonc.Parse([]byte(strings.Repeat("[", 1_000_000))); err == nil || !strings.Contains(err.Error(), "more than 200") {
		t.Errorf("a deep text: %.80v", err)
	}
}

// plain is a value as encoding/json has it.
func plain(v *jsonc.Value) any {
	switch v.Kind {
	case jsonc.Object:
		m := map[string]any{}
		for _, one := range v.Members {
			m[one.Name] = plain(one.Value)
		}
		return m
	case jsonc.Array:
		a := []any{}
		for _, one := range v.Elements {
			a = append(a, plain(one))
		}
		return a
	case jsonc.String:
		return v.Text
	case jsonc.Number:
		return json.Number(v.Text)
	case jsonc.Bool:
		return v.Text == "true"
	}
	return nil
}

// FuzzParse: what is JSON means the same here, and every fault is in the text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{settings, `{"a":[1,2.5e3,true,null,"\ud83d\ude00"],"b":{}}`, "[1,]", "/**/1//", `"\`, "{\"a\":{\"a\":1},\"a\":2}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := jsonc.Parse(data)
		decoder := json.NewDecoder(strings.NewReader(string(data)))
		decoder.UseNumber()
		var want any
		strict := json.Valid(data) && decoder.Decode(&want) == nil
		var fault *jsonc.Error
		switch {
		case errors.As(err, &fault):
			if lines := 1 + strings.Count(string(data), "\n"); fault.Line < 1 || fault.Line > lines || fault.Column < 1 || fault.Column > len(data)+1 {
				t.Errorf("%v is not in %q", fault, data)
			}
			excused := strings.Contains(fault.Message, "lie in one another") || strings.Contains(fault.Message, "UTF-8")
			if strict && !excused {
				t.Errorf("%q is JSON: %v", data, err)
			}
		case err != nil:
			t.Errorf("an error of another type: %v", err)
		case strict && !reflect.DeepEqual(plain(v), want):
			t.Errorf("%q: got %v, want %v", data, plain(v), want)
		}
	})
}
