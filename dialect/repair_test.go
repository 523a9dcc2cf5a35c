package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestRepairJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, want string
		repairs        []Repair
	}{
		{"trailing comma in an object", `{"a":1,}`, `{"a":1}`, []Repair{{6, TrailingComma}}},
		{"trailing comma in an array", `[1, 2 , ]`, `[1,2]`, []Repair{{6, TrailingComma}}},
		{"trailing comma and a comment", "[1, // one\n]", `[1]`, []Repair{{2, TrailingComma}, {4, Comment}}},
		{"comma inside a string", `{'a':'x,}'}`, `{"a":"x,}"}`, []Repair{{1, SingleQuotes}, {5, SingleQuotes}}},
		{"missing comma between members", `{"a":1 "b":2}`, `{"a":1,"b":2}`, []Repair{{7, MissingComma}}},
		{"missing comma on lines", "{\"a\":\"x\"\n\"b\":2}", `{"a":"x","b":2}`, []Repair{{9, MissingComma}}},
		{"missing comma between objects", `[{"a":1}{"a":2}]`, `[{"a":1},{"a":2}]`, []Repair{{8, MissingComma}}},
		{"missing comma between numbers", `[1 2]`, `[1,2]`, []Repair{{3, MissingComma}}},
		{"single quotes", `{'a': 'it is "so"'}`, `{"a":"it is \"so\""}`, []Repair{{1, SingleQuotes}, {6, SingleQuotes}}},
		{"escaped single quote", `{"a": "it\'s, it\'s"}`, `{"a":"it's, it's"}`, []Repair{{9, InvalidEscape}}},
		{"escaped underscore", `{"a": "my\_file"}`, `{"a":"my_file"}`, []Repair{{9, InvalidEscape}}},
		{"a Windows path", `{"a": "C:\Users\x"}`, `{"a":"C:\\Users\\x"}`, []Repair{{9, InvalidEscape}}},
		{"a short unicode escape", `{"a": "C:\users"}`, `{"a":"C:\\users"}`, []Repair{{9, InvalidEscape}}},
		{"an escaped dollar and backtick", "{\"a\": \"\\`a\\$b\\`\"}", "{\"a\":\"`a$b`\"}", []Repair{{7, InvalidEscape}}},
		{"a regular expression", `{"a": "\d+\.\*"}`, `{"a":"\\d+\\.\\*"}`, []Repair{{7, InvalidEscape}}},
		{"a backslash before a newline", "{\"a\": \"x \\\n y\"}", `{"a":"x \n y"}`, []Repair{{9, InvalidEscape}}},
		{"a backslash before a tab", "{\"a\": \"x\\\ty\"}", `{"a":"x\ty"}`, []Repair{{8, InvalidEscape}}},
		{"escapes that JSON has stay", `{'a': "\u00e9\ud83d\ude00\ud800\n\/"}`, `{"a":"\u00e9\ud83d\ude00\ud800\n\/"}`, []Repair{{1, SingleQuotes}}},
		{"unquoted keys", `{a: 1, $b_c-2.d: 2, 3: 4, größe: 5}`, `{"a":1,"$b_c-2.d":2,"3":4,"größe":5}`,
			[]Repair{{1, Unquoted}, {7, Unquoted}, {20, Unquoted}, {26, Unquoted}}},
		{"unquoted words", `{"a": Paris, "b": [x/y, 東京]}`, `{"a":"Paris","b":["x/y","東京"]}`,
			[]Repair{{6, Unquoted}, {19, Unquoted}, {24, Unquoted}}},
		{"slashes inside a word", `{path:a//b}`, `{"path":"a//b"}`, []Repair{{1, Unquoted}, {6, Unquoted}}},
		{"a comment right behind a literal", "[true// yes\n,1/* one */,None# no\n]", `[true,1,null]`,
			[]Repair{{5, Comment}, {14, Comment}, {24, PythonLiteral}, {28, Comment}}},
		{"Python literals", `{"a": True, "b": False, "c": None}`, `{"a":true,"b":false,"c":null}`,
			[]Repair{{6, PythonLiteral}, {17, PythonLiteral}, {29, PythonLiteral}}},
		{"Python literals inside strings", `{'True': "None"}`, `{"True":"None"}`, []Repair{{1, SingleQuotes}}},
		{"raw newlines and tabs", "{\"a\": \"x\n\ty\r\n\"}", `{"a":"x\n\ty\r\n"}`, []Repair{{8, ControlCharacter}}},
		{"control characters", "{\"a\": \"\x00\x1f\"}", `{"a":"\u0000\u001f"}`, []Repair{{7, ControlCharacter}}},
		{"comments", "// first\n{ /* a */ \"a\": 1, # one\n }", `{"a":1}`,
			[]Repair{{0, Comment}, {11, Comment}, {25, TrailingComma}, {27, Comment}}},
		{"comment signs inside strings", `{'a': "http://x/*y*/#z"}`, `{"a":"http://x/*y*/#z"}`, []Repair{{1, SingleQuotes}}},
		{"numbers", `[+5, .5, -.5, 5., 1E+2, 12345678901234567890123.10]`, `[5,0.5,-0.5,5.0,1E+2,12345678901234567890123.10]`,
			[]Repair{{1, Number}, {5, Number}, {9, Number}, {14, Number}}},
		{"a fence", "```json\n{\"a\": 1}\n```\n", `{"a":1}`, []Repair{{0, Fence}, {17, Fence}}},
		{"a fence without a word", "```\n[1]\n```", `[1]`, []Repair{{0, Fence}, {8, Fence}}},
		{"a fence on one line", "```JSON {\"a\": 1}```", `{"a":1}`, []Repair{{0, Fence}, {16, Fence}}},
		{"a fence inside a string", "```\n{\"a\": \"```\"}\n```", "{\"a\":\"```\"}", []Repair{{0, Fence}, {17, Fence}}},
		{"a fence that is not closed", "```json\n{\"a\": 1}", `{"a":1}`, []Repair{{0, Fence}}},
		{"the word json", "json\n{\"a\": 1}", `{"a":1}`, []Repair{{0, Fence}}},
		{"a byte order mark", "\uFEFF{\"a\": 1}", `{"a":1}`, []Repair{{0, ByteOrderMark}}},
		{"a doubled closer", `{"a": [1]}}`, `{"a":[1]}`, []Repair{{10, ExtraCloser}}},
		{"bytes that are not UTF-8", "{\"a\": \"x\xff\xfey\"}", "{\"a\":\"x\uFFFD\uFFFDy\"}", []Repair{{8, InvalidUTF8}}},
		{"repeated keys", `{'a':1,"a":2}`, `{"a":1,"a":2}`, []Repair{{1, SingleQuotes}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, repairs, err := RepairJSON([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.repairs, repairs); diff != "" {
				t.Errorf("repairs (-want +got):\n%s", diff)
			}
			if !json.Valid(got) {
				t.Errorf("%s is not valid JSON", got)
			}
		})
	}
}

func TestRepairJSONLeavesValidTextAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`, ` [ 1 , 2 ] `, `"x"`, `12`, `null`, `{"a":1,"a":2}`, `{"a":"unicode \u00e9 \u4e2d \ud800"}`, `1e999`, `{"z":1,"a":1.0}`,
		`{"a":"// x # y /* z */ ' \" \\"}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	} {
		in := []byte(text)
		got, repairs, err := RepairJSON(in)
		if err != nil || repairs != nil || string(got) != text {
			t.Errorf("RepairJSON(%.40s) = %.40s, %v, %v, want it unchanged", text, got, repairs, err)
		}
	}
}

func TestRepairJSONNeverCompletes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `  `, `{`, `[`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a": `, `{"a":1`, `{"a":1,`, `{"a":tru`, `{"a":1.`, `{"a":-`, `{"a":"x`, `{"a":"x"`, `{"a":"x,`,
		`{"a":"x\`, `{"a":"x\u12`, `{"a":"\ud83d\ud`, `{"a":[1,2`, `{"a":[1,2]`, `{"a":{"b":1}`, `{'a':'b`, `{a`, `{a:b`, "{\"a\":1 // x", "{\"a\":1 /* x",
		"```", "```json", "// x", "json", "{\"a\":\"\xe6",
	} {
		got, _, err := RepairJSON([]byte(text))
		if !errors.Is(err, ErrTruncated) {
			t.Errorf("RepairJSON(%q) = %s, %v, want ErrTruncated", text, got, err)
		}
	}
}

func TestRepairJSONRefusesToGuess(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`hello`, `True`, `'x'`, `+5`, `Here is the call: {"a":1}`, `{"a":1} and that is all`, `{"a":1}{"b":2}`, `{"a":1},{"b":2}`, `{"a":1}, "b":2}`, "```json\n{\"a\":1\n```",
		`{"a": "value with ,"fake": inside"}`, `{"a": "value with ","fake": inside"}`, `{'a': 'it's'}`,
		`{"a": "say " hi " now"}`, `["say " hi " now"]`, `{"a": """x"""}`, `{"a": "x" + "y"}`, `{"a": "x"b: 1}`, `{"a":"x""b":1}`,
		`{"a": NaN}`, `{"a": Infinity}`, `{"a": -Infinity}`, `{"a": undefined}`, `{"a": TRUE}`, `{"a": nil}`,
		`{"a": 007}`, `{"a": 1_000}`, `{"a": 0x1F}`, `{"a": 1e}`, `{"a": 12apples}`, `{"a": 2024-01-01}`, `{"a": +}`, `{"a": .}`, `[1/2]`,
		`{"a": New York}`, `{"a" = 1}`, `{"a" => 1}`, `{"a" 1}`, `{"a":}`, `{"a"}`, `{:1}`, `{,}`, `[,]`, `[1,,2]`, `{"a":1,,}`, `[1 -2]`,
		`{"a":[1}`, `{"a":{"b":1]}`, `(1, 2)`, `{"a": (1, 2)}`, `{1, 2}`, `{"a": f(1)}`, `{"a": f"x"}`, "{\"a\": `x`}", `{“a”: 1}`, `{"a": “b”}`, `{"a"： 1}`,
		`{"a": /etc/passwd}`, `{"a": https://x}`, "{\"a\": \xff}", "```true\n```", "```python\n{\"a\":1}\n```", "\x00{}", "{\"a\":1}\x00",
		strings.Repeat("[", 600) + "1," + strings.Repeat("]", 600),
	} {
		got, _, err := RepairJSON([]byte(text))
		if err == nil || errors.Is(err, ErrTruncated) {
			t.Errorf("RepairJSON(%.60q) = %.60s, %v, want an error other than ErrTruncated", text, got, err)
		}
	}
}

func TestRepairJSONErrorSaysWhere(t *testing.T) {
	t.Parallel()
	_, _, err := RepairJSON([]byte(`{"key": "secret" = 1}`))
	if want := `dialect: not JSON: unexpected '=' at byte 17`; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// nasty are inputs that made other repairers quadratic, a mebibyte each.
func nasty() map[string]string {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"sloppy objects":          "[" + fill(`{a: 'b', "c": True,},`) + "]",
		"openers":                 fill("["),
		"objects in objects":      fill(`{"a":`),
		"slashes in a word":       "{a: x" + fill("/x") + "}",
		"hashes in a word":        "{a: x" + fill("#1") + "}",
		"digits":                  "[+" + fill("1") + "]",
		"comments":                "[1, " + fill("/**/") + "]",
		"comments behind a comma": "[" + fill("1,/*x*/") + "]",
		"unclosed comments":       "[" + fill("/*"),
		"backslashes":             `{'a': "` + fill(`\`) + `"}`,
		"escapes":                 `{'a': "` + fill(`\_`) + `"}`,
		"raw newlines":            `{'a': "` + fill("x\n") + `"}`,
		"bytes not UTF-8":         `{'a': "` + fill("\xff") + `"}`,
		"quotes":                  "{'a': '" + fill(`"`) + "'}",
		"missing commas":          "[" + fill(`"a" `) + "]",
		"extra closers":           "{}" + fill("}"),
		"ticks":                   fill("`"),
	}
}

func TestRepairJSONIsLinear(t *testing.T) {
	t.Parallel()
	for name, text := range nasty() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repairer{in: []byte(text)}
			_ = r.document() // whether it can be mended does not matter here
			if r.looks > 8*len(text) {
				t.Errorf("looked at %d bytes of %d", r.looks, len(text))
			}
			if len(r.out) > 6*len(text)+16 {
				t.Errorf("wrote %d bytes for %d", len(r.out), len(text))
			}
		})
	}
}

func FuzzRepairJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,}`, `{'a': 'b' "c": [True, None,], // x` + "\n}", "```json\n{a: b//c, d: +1.}\n```", `{"a": "x\_\'\u12"}}`, "[1 2 {}[]]", "{\"a\":\"\xff\n\"}", `{"a":"x`, "\uFEFFjson{}", `[1,/*x*/]]}`, `{"a":"use "strict"; x","b":"he "}" y"}`,
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		before := bytes.Clone(text)
		got, repairs, err := RepairJSON(text)
		if !bytes.Equal(before, text) {
			t.Fatal("changed its input")
		}
		if json.Valid(text) && utf8.Valid(text) {
			if err != nil || repairs != nil || !bytes.Equal(got, text) {
				t.Fatalf("valid %q became %q, %v, %v", text, got, repairs, err)
			}
			return
		}
		if err != nil {
			return
		}
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Fatalf("%q became %q, which is not valid", text, got)
		}
		if len(repairs) == 0 {
			t.Fatalf("%q became %q without a repair", text, got)
		}
		for i, r := range repairs {
			if r.Offset < 0 || r.Offset >= len(text) || i > 0 && r.Offset < repairs[i-1].Offset {
				t.Fatalf("%q: repairs out of order or place: %v", text, repairs)
			}
		}
		again, more, err := RepairJSON(got)
		if err != nil || more != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q became %q, and that %q, %v, %v", text, got, again, more, err)
		}
		// A part of the text is refused, or it is the whole value already. An inner
		// quote shows only by what follows it.
		if cut < 0 || cut > len(text) || slices.ContainsFunc(repairs, func(r Repair) bool { return r.Kind == InnerQuote }) {
			return
		}
		part, _, err := RepairJSON(text[:cut])
		if err == nil && compact(t, part) != compact(t, got) {
			t.Fatalf("%q became %q, but its first %d bytes became %q", text, got, cut, part)
		}
	})
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRepairJSONCutAnywhere(t *testing.T) {
	t.Parallel()
	text := "```json\n{'path': \"C:\\dir\\_x\", items: [1, 2,], \"sub\": {\"a\": True \"b\": 'y'}, // done\n}\n```"
	want, _, err := RepairJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')+1
	for i := range len(text) {
		got, _, err := RepairJSON([]byte(text[:i]))
		if i < end && (err == nil || i > start && !errors.Is(err, ErrTruncated)) {
			t.Errorf("the first %d bytes gave %s, %v, want ErrTruncated", i, got, err)
		}
		if i >= end && err == nil && !bytes.Equal(got, want) {
			t.Errorf("the first %d bytes gave %s, want %s", i, got, want)
		}
	}
}

func BenchmarkRepairJSON(b *testing.B) {
	valid := `{"items":[` + strings.Repeat(`{"name":"a thing","size":12.5,"ok":true,"text":"line one\nline two"},`, 1400) + `{}]}`
	inputs := []struct{ name, text string }{
		{"valid", valid},
		{"one_trailing_comma", strings.TrimSuffix(valid, "}") + ",}"},
		{"sloppy", `{items:[` + strings.Repeat("{name:'a thing',\"size\":+12.5 \"ok\":True,\"text\":\"line one\nline two\",},", 1400) + `]}`},
		{"truncated", valid[:len(valid)-1]},
	}
	for _, input := range inputs {
		b.Run(input.name, func(b *testing.B) {
			text := []byte(input.text)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				_, _, _ = RepairJSON(text)
			}
		})
	}
}
