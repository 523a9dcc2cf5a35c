package dialect

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadYAML(t *testing.T) {
	t.Parallel()
	def := &elementTools[1]
	bomb := "a: &a [x, x]\n"
	for c := 'b'; c < 'z'; c++ {
		bomb += string(c) + ": &" + string(c) + " [*" + string(c-1) + ", *" + string(c-1) + "]\n"
	}
	for _, tt := range []struct{ name, in, want string }{ // want "": an error
		{"nothing", "\n", `{}`},
		{"a comment", "# nothing\n", `{}`},
		{"types", "a: 1\nb: 1.50\nc: true\nd: null\ne: ~\nf: x y\ng:", `{"a":1,"b":1.50,"c":true,"d":null,"e":null,"f":"x y","g":null}`},
		{"order and digits", "z: 9007199254740993\na: -1.23e-4", `{"z":9007199254740993,"a":-1.23e-4}`},
		{"what JSON writes otherwise", "a: 007\nb: 0x1f\nc: +5\nd: .5\ne: 1_000\nf: .inf\ng: 2026-08-06\nh: yes", `{"a":"007","b":"0x1f","c":"+5","d":".5","e":"1_000","f":".inf","g":"2026-08-06","h":"yes"}`},
		{"where a number is wanted", "count: 007\nsizes: [+1, 1_000]", `{"count":7,"sizes":[1,1000]}`},
		{"where text is wanted", "tags: [1, true, null, 1.0]\nplace:\n  zip: 00118", `{"tags":["1","true","null","1.0"],"place":{"zip":"00118"}}`},
		{"quotes", `a: "1\n"` + "\nb: 'it''s'\nc: \"true\"", `{"a":"1\n","b":"it's","c":"true"}`},
		{"blocks", "a: |\n  x\n    y\n\n  z\nb: >-\n  x\n  y\nc: |2-\n   x\nd: |+\n  x\n\n", `{"a":"x\n  y\n\nz\n","b":"x y","c":" x","d":"x\n\n"}`},
		{"nested", "a:\n- b: [1, {c: d}]\n- - 2\n", `{"a":[{"b":[1,{"c":"d"}]},[2]]}`},
		{"tags", "a: !!str 5\nb: !mine x", `{"a":"5","b":"x"}`},
		{"keys", "1: a\ntrue: b", `{"1":"a","true":"b"}`},
		{"anchor", "a: &x 1", `{"a":1}`},
		{"alias", "a: &x 1\nb: *x", ``},
		{"bomb", bomb, ``},
		{"merge", "a: &x {b: 1}\nc:\n  <<: *x", ``},
		{"key twice", "a: 1\na: 2", ``},
		{"key of a list", "? [a]\n: b", ``},
		{"list", "- a", ``},
		{"scalar", "a", ``},
		{"two documents", "a: 1\n---\nb: 2", ``},
		{"broken", "a: [", ``},
		{"too deep", "a: " + strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), ``},
		{"too long", "a: |\n" + strings.Repeat(" x\n", maxYAML/3), ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readYAML(tt.in, def)
			if string(got) != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("%.200s is %s, %v; want %s", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestYAMLBodies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"a call", "a <write>\npath: x\ntext: y z\n</write> b", `a «write{"path":"x","text":"y z"}» b`},
		{"indented", "<write>\n    path: x\n    text: y\n</write>", `«write{"path":"x","text":"y"}»`},
		{"all of it indented", "  <write>\n    path: x\n  </write>", `  «write{"path":"x"}»`},
		{"no arguments", "<now/><now />\n<now>\n</now><now></now>", "«now{}»«now{}»\n«now{}»«now{}»"},
		{"one line", "<write>path: x</write> b <now/>", `«write{"path":"x"}» b «now{}»`},
		{"closer at the end of a line", "<write>\npath: x</write> \n b", "«write{\"path\":\"x\"}»\n b"},
		{"closer amid a line", "<write>\ntext: a </write> b\n</write>", `«write{"text":"a </write> b"}»`},
		{"closer in a block", "<write>\ntext: |\n  a\n  </write>\n  <now/>\npath: x\n</write>", `«write{"text":"a\n</write>\n<now/>\n","path":"x"}»`},
		{"other tags", "<write>\ntext: '<a></write_x>'\n</write>", `«write{"text":"<a></write_x>"}»`},
		{"carriage returns", "<write>\r\npath: x\r\n</write>\r\n", "«write{\"path\":\"x\"}»\r\n"},
		{"types", "<write>\npath: 007\ntext: true\nmode: 5\n</write>", `«write{"path":"007","text":"true","mode":5}»`},
		{"list", "<write>\n- x\n</write><now/>", "<write>\n- x\n</write>«now{}»"},
		{"cut", "<write>\npath: /etc\n", "<write>\npath: /etc\n"},
		{"cut closer", "<write>\npath: /etc\n</wri", "<write>\npath: /etc\n</wri"},
		{"undeclared", "<read>\npath: x\n</read>", "<read>\npath: x\n</read>"},
		{"a tag without its end", "a <write\npath: x\ntext: y\n/> b", `a «write{"path":"x","text":"y"}» b`},
		{"the same, indented", "  <write\n    path: x\n    text: |\n      <img\n      />\n  />", `  «write{"path":"x","text":"<img\n/>\n"}»`},
		{"the same with a closer", "<write\npath: x />\n</write>", `«write{"path":"x />"}»`},
		{"a tag without its end before prose", "if a <write\nof: x\n/> <now\npath: x", "if a <write\nof: x\n/> <now\npath: x"},
		{"a tag without its end, cut", "<write\npath: x\n/", "<write\npath: x\n/"},
		{"hermes", "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>", `«now{}»`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			decoded(t, &yamlXML, Options{Tools: elementTools}, tt.in, tt.want)
		})
	}
}

// TestYAMLSlips is about bodies that YAML refuses.
func TestYAMLSlips(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{ // want "": it stays text
		{"a colon", "path: a: b\ntext: x", `{"path":"a: b","text":"x"}`},
		{"a pattern", "path:  **/*.go \nmode: 3", `{"path":"**/*.go","mode":3}`},
		{"marks", "path: @a\ntext: `b` [c", "{\"path\":\"@a\",\"text\":\"`b` [c\"}"},
		{"quotes in text", `text: a "b": 'c' \d`, `{"text":"a \"b\": 'c' \\d"}`},
		{"lines", "path: x\ntext: if a:\n  b\n\n</b> - c: d  \n", `{"path":"x","text":"if a:\n  b\n\n</b> - c: d  \n"}`},
		{"lines below", "text:\nfunc f() {\n\treturn\n}\n", `{"text":"\nfunc f() {\n\treturn\n}\n"}`},
		{"indented first line", "text:   a: b\nc\n", `{"text":"  a: b\nc\n"}`},
		{"carriage returns", "path: a: b\r\ntext: c: d\r\ne\r\n", `{"path":"a: b","text":"c: d\ne\n"}`},
		{"Python's documentation", "text: \"\"\"A: b\"\"\"\nimport c\n", `{"text":"\"\"\"A: b\"\"\"\nimport c\n"}`},
		{"blank lines", "\npath: a: b\n\n\ntext: x", `{"path":"a: b","text":"x"}`},
		{"other types are YAML", "path: a: b\nmode: 007", `{"path":"a: b","mode":7}`},
		{"elements", "<path> a </path>\n  <text>1 &lt; 2</text>\n<mode>5</mode>", `{"path":"a","text":"1 < 2","mode":5}`},

		{"lines that are not the last", "text: a: b\nc\npath: x", ``},
		{"an undeclared parameter", "path: a: b\nother: c", ``},
		{"what may be a parameter", "text: if a: b\nelse:\n  c", ``},
		{"twice", "path: a: b\npath: c", ``},
		{"text first", "Here:\npath: a: b", ``},
		{"a number", "mode: a: b", ``},
		{"half a quote", "path: \"a\ntext: b", ``},
		{"too many quotes", "path: \"a \"b\" c\"", ``},
		{"a long string of Python's", "text: \"\"\"\na: b\n\"\"\"\n", ``},
		{"a block that breaks off", "text: |\n  a\nb\n", ``},
		{"an anchor", "path: &a b: c\ntext: *a", ``},
		{"an alias", "path: &a b\ntext: *a", ``},
		{"lines with the closer", "text: a: b\nc", ``},
		{"elements in a line", "<path>a</path><text>b</text>", ``},
		{"elements over lines", "<text>a\nb</text>", ``},
		{"an element twice", "<path>a</path>\n<path>b</path>", ``},
		{"an undeclared element", "<path>a</path>\n<other>b</other>", ``},
		{"elements and text", "So:\n<path>a</path>", ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := "<write>\n" + tt.in + "</write>"
			want := in
			if tt.want != "" {
				want = "«write" + tt.want + "»"
			}
			decoded(t, &yamlXML, Options{Tools: elementTools}, in, want)
		})
	}
	events := decodeIn(&yamlXML, Options{Tools: elementTools}, "<write>\npath: a: b\n</write>", 0)
	if got := events[0].Call.Repairs; len(got) != 1 || got[0].Kind != Unquoted {
		t.Errorf("the repairs are %v", got)
	}
}

// FuzzYAMLSlips holds that what is mended is valid JSON, and made of what was there.
func FuzzYAMLSlips(f *testing.F) {
	for _, s := range []string{"path: a: b\ntext: c\nd\n", "path: *.go", "mode: 1\ntext: [a", "<path> a</path>\n<text>b</text>", "text: \"\"\"a\"\"\"\nb\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		arguments, repairs, err := mendedYAML(body, &elementTools[0], errNotYAML)
		if err != nil {
			return
		}
		if !json.Valid(arguments) || !utf8.Valid(arguments) || arguments[0] != '{' {
			t.Fatalf("%q is %q", body, arguments)
		}
		if len(repairs) == 0 || !utf8.ValidString(body) {
			return
		}
		lines := strings.ReplaceAll(body, "\r\n", "\n")
		for key, value := range members(string(arguments)) {
			at := strings.Index(body, key+":") + len(key) + 1
			mended := slices.ContainsFunc(repairs, func(r Repair) bool { return r.Offset == at })
			if mended && !strings.Contains(lines, unquote(value)) {
				t.Errorf("%q: %s is %s", body, key, value)
			}
		}
	})
}

// FuzzYAML holds that any YAML is refused or becomes valid JSON, and that this can
// be written and read again.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{"a: 1", "a: |\n  x\n", "a: [b, {c: 'd'}]", "a: &x\nb: *x", "? a\n: !!int 3", "a: \"\\u0041\"", "---\na: 1\n...", "%YAML 1.2\n---\na: 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		arguments, err := readYAML(text, &elementTools[1])
		if err != nil {
			return
		}
		if !json.Valid(arguments) || !utf8.Valid(arguments) || arguments[0] != '{' {
			t.Fatalf("%q is %q", text, arguments)
		}
		var b strings.Builder
		yamlNotation.write(&b, string(arguments))
		if again, err := readYAML(b.String(), nil); err != nil || !sameJSON(arguments, again) {
			t.Errorf("%q is %s; written as %s, it is %s, %v", text, arguments, b.String(), again, err)
		}
	})
}
