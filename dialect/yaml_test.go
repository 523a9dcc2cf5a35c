package dialect

import (
	"encoding/json"
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
		writeYAML(&b, string(arguments))
		if again, err := readYAML(b.String(), nil); err != nil || !sameJSON(arguments, again) {
			t.Errorf("%q is %s; written as %s, it is %s, %v", text, arguments, b.String(), again, err)
		}
	})
}
