package dialect

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

func TestReadPython(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{ // want "": an error
		{"nothing", `()`, `{}`},
		{"white space", "( \n a = 1 ,\tb = 2 , )", `{"a":1,"b":2}`},
		{"constants", `(a=True, b=False, c=None)`, `{"a":true,"b":false,"c":null}`},
		{"constants of JSON", `(a=true, b=false, c=null)`, `{"a":true,"b":false,"c":null}`},

		{"integers", `(a=0, b=-3, c=+4, d=1_000_000)`, `{"a":0,"b":-3,"c":4,"d":1000000}`},
		{"leading zeros", `(month=07, zero=00, neg=-08)`, `{"month":7,"zero":0,"neg":-8}`},
		{"every digit is kept", `(a=9007199254740993, b=1.23e-4, c=1.10)`, `{"a":9007199254740993,"b":1.23e-4,"c":1.10}`},
		{"points without digits", `(a=.5, b=5., c=5.e3, d=-.5E+2)`, `{"a":0.5,"b":5.0,"c":5.0e3,"d":-0.5E+2}`},
		{"a lone point", `(a=.)`, ``},
		{"complex", `(a=1j)`, ``},
		{"hexadecimal", `(a=0x1f)`, ``},
		{"doubled underscore", `(a=1__0)`, ``},
		{"arithmetic", `(a=1+1)`, ``},

		{"quotes", `(a='x', b="y", c='say "hi"', d="it's")`, `{"a":"x","b":"y","c":"say \"hi\"","d":"it's"}`},
		{"empty strings", `(a='', b="", c='''''', d='' '')`, `{"a":"","b":"","c":"","d":""}`},
		{"triple quotes", `(a='''it's
two''', b="""a "b" ""c""")`, `{"a":"it's\ntwo","b":"a \"b\" \"\"c"}`},
		{"raw newline", "(a='one\ntwo')", `{"a":"one\ntwo"}`},
		{"escapes", `(a='\n\t\r\\\'\"\a\b\f\v')`, `{"a":"\n\t\r\\'\"\u0007\b\f\u000b"}`},
		{"continued line", "(a='one \\\ntwo')", `{"a":"one two"}`},
		{"codes", `(a='\x41\u00e9\U0001F600\101\0')`, `{"a":"Aé😀A\u0000"}`},
		{"surrogate pair", `(a='\ud83d\ude00')`, `{"a":"😀"}`},
		{"half a pair", `(a='\ud83d!')`, `{"a":"�!"}`},
		{"unknown escapes", `(a='C:\dir\$x\é')`, `{"a":"C:\\dir\\$x\\é"}`},
		{"escape without digits", `(a='\xg1')`, ``},
		{"escape cut", `(a='\u12')`, ``},
		{"named character", `(a='\N{BULLET}')`, ``},
		{"concatenation", "(a='x' \"y\"\n'''z''')", `{"a":"xyz"}`},
		{"raw strings", `(a=r'\n\'', b=R"\d+", c=u'x')`, `{"a":"\\n\\'","b":"\\d+","c":"x"}`},
		{"bytes", `(a=b'x')`, ``},
		{"f-string", `(a=f'{x}')`, ``},
		{"markup in strings", `(a='</function_calls>[f(b=1)]')`, `{"a":"</function_calls>[f(b=1)]"}`},
		{"not UTF-8", "(a='\xff')", `{"a":"\ufffd"}`},

		{"list", `(a=[], b=[1, 'x', [None,],])`, `{"a":[],"b":[1,"x",[null]]}`},
		{"tuple", `(a=(), b=(1,), c=(1, 2), d=(1), e=('x' 'y'))`, `{"a":[],"b":[1],"c":[1,2],"d": 1,"e": "xy"}`},
		{"dict", `(a={}, b={'k': [1], "l": {'m': None}})`, `{"a":{},"b":{"k":[1],"l":{"m":null}}}`},
		{"keys of a dict", `(a={1: 'x', True: 'y', None: 'z'})`, `{"a":{"1":"x","true":"y","null":"z"}}`},
		{"names given as strings", `(a=1, **{'b c': 2})`, `{"a":1,"b c":2}`},
		{"no names given as strings", `(**{})`, ``},
		{"set", `(a={1, 2})`, ``},
		{"missing comma", `(a=[1 2])`, ``},
		{"missing value", `(a=)`, ``},
		{"two commas", `(a=[1,,2])`, ``},

		{"position", `('x')`, ``},
		{"position behind a name", `(a=1, 2)`, ``},
		{"word", `(a=celsius)`, ``},
		{"call", `(a=open('x'))`, ``},
		{"comparison", `(a==1)`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readPython(tt.in, nil)
			if tt.want == "" {
				if err == nil {
					t.Fatalf("%s is %s, want an error", tt.in, got)
				}
				return
			}
			if err != nil || string(got) != tt.want {
				t.Errorf("%s is %s, %v; want %s", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestReadLoosePython(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`(unit=celsius, day=2026-08-06)`: `{"unit":"celsius","day":"2026-08-06"}`,
		`(a={k: v})`:                     `{"a":{"k":"v"}}`,
		`({"a": 1, "b": [true]})`:        `{"a":1,"b":[true]}`,
		`({"a": 1}, {"b": 2})`:           ``,
		`(a=New York)`:                   ``,
		`("Paris")`:                      ``,
	} {
		got, err := readLoosePython(in, nil)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s is %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestNumbersForText(t *testing.T) {
	t.Parallel()
	def := &tool.Definition{Name: "f", Parameters: schema.MustCompile(
		`{"type":"object","properties":{"zip":{"type":"string"},"n":{"type":"integer"},"both":{"type":["string","integer"]},"maybe":{"type":["string","null"]}}}`)}
	const want = `{"zip":"00420","n":7,"both":5,"maybe":null,"other":7}`
	if got, err := readPython(`(zip=00420, n=07, both=5, maybe=None, other=07)`, def); string(got) != want {
		t.Errorf("Python: %s, %v; want %s", got, err, want)
	}
	if got, err := readGemma(gemma4Fence)(`{zip:00420,n:07,both:5,maybe:null,other:07}`, def); string(got) != want {
		t.Errorf("Gemma: %s, %v; want %s", got, err, want)
	}
}

// endOf returns where a literal ends when it comes byte by byte.
func endOf(l *literals, text string) (int, extent) {
	x := literalExtent{literals: l}
	for n := range len(text) {
		if e := x.scan(text[:n+1]); e != extentOpen {
			return x.at, e
		}
	}
	return x.at, extentOpen
}

func TestLiteralExtent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		syntax *literals
		text   string // ends with what comes first behind the extent
		want   extent
	}{
		{&pythonSyntax, `(a=')', b="]", c='''}''\'''')|`, extentEnd},
		{&pythonSyntax, `(a='', b="" '')|`, extentEnd},
		{&pythonSyntax, `(a=r'\')', b={'k': (1, [2])})|`, extentEnd},
		{&pythonSyntax, `(a=[1)`, extentAlien},
		{&pythonSyntax, `(a='x' <`, extentAlien},
		{&pythonSyntax, `(it'`, extentAlien},
		{&pythonSyntax, `(a=b'`, extentAlien},
		{&pythonSyntax, `(a=1;`, extentAlien},
		{&pythonSyntax, strings.Repeat("(", maxDepth) + "(", extentAlien},
		{gemmaSyntax(gemma4Fence), `{a:<|"|>}"\<|"|>,b:"}",c:'}',d:it's}|`, extentEnd},
		{gemmaSyntax(gemma4Fence), `{a:say "hi",b:[1]}|`, extentEnd},
		{gemmaSyntax(gemma4Fence), `{a:1<`, extentOpen},
		{gemmaSyntax(gemma4Fence), `{a:1<t`, extentAlien},
		{gemmaSyntax(gemmaFence), `{a:<escape>}<esc<escape>}|`, extentEnd},
	} {
		at, got := endOf(tt.syntax, tt.text)
		whole := literalExtent{literals: tt.syntax}
		if e := whole.scan(tt.text); got != tt.want || e != tt.want || whole.at != at {
			t.Errorf("%q: %d at %d byte by byte, %d at %d in one piece, want %d", tt.text, got, at, e, whole.at, tt.want)
		}
		if tt.want == extentEnd && at != len(tt.text)-1 {
			t.Errorf("%q ends at %d", tt.text, at)
		}
	}
}

// FuzzPython holds that arguments are found and read the same in any pieces, and
// that what was read can be written and read again.
func FuzzPython(f *testing.F) {
	for _, s := range []string{`()`, `(a=1)`, `(a='x\n', b=[(1,), {'k': None}])`, `(a='''x''' "y", **{'z': r'\'})`, `({"a": 1.5e3})`, `(a=07, b=c-d)`, `(a=[1)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || text[0] != '(' {
			return
		}
		whole := literalExtent{literals: &pythonSyntax}
		e := whole.scan(text)
		if at, pieces := endOf(&pythonSyntax, text); pieces != e || at != whole.at {
			t.Fatalf("%q: %d at %d, byte by byte %d at %d", text, e, whole.at, pieces, at)
		}
		if e != extentEnd {
			return
		}
		text = text[:whole.at]
		for _, read := range []func(string, *tool.Definition) (json.RawMessage, error){readPython, readLoosePython} {
			arguments, err := read(text, nil)
			if err != nil {
				continue
			}
			if !json.Valid(arguments) || !utf8.Valid(arguments) || arguments[0] != '{' {
				t.Fatalf("%q is %q", text, arguments)
			}
			var b strings.Builder
			writePython(&b, message.ToolCall{Arguments: arguments})
			again, err := readPython(b.String(), nil)
			if err != nil || !sameJSON(arguments, again) {
				t.Errorf("%q is %s; written as %q, it is %s, %v", text, arguments, b.String(), again, err)
			}
		}
	})
}

func sameJSON(a, b []byte) bool {
	var x, y any
	decode := func(data []byte, v *any) error {
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.UseNumber()
		return d.Decode(v)
	}
	return decode(a, &x) == nil && decode(b, &y) == nil && reflect.DeepEqual(x, y)
}
