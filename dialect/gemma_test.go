package dialect

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadGemma(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{ // want "": an error
		{"nothing", `{}`, `{}`},
		{"fenced", `{a:<|"|>x<|"|>,b:<|"|><|"|>}`, `{"a":"x","b":""}`},
		{"fenced text is taken as it is", `{a:<|"|>\"{x}\n[, ]<|"|>}`, `{"a":"\\\"{x}\\n[, ]"}`},
		{"white space", "{ a : 1 ,\n b :\t[ 1 , 2 ] , }", `{"a":1,"b":[1,2]}`},
		{"constants", `{a:true,b:null,c:False}`, `{"a":true,"b":null,"c":false}`},
		{"numbers", `{a:-3,b:1.50,c:9007199254740993}`, `{"a":-3,"b":1.50,"c":9007199254740993}`},
		{"words", `{a:hello,b:hello big world,c:it's,d:10:30,e:https://x.y/z?q=1}`, `{"a":"hello","b":"hello big world","c":"it's","d":"10:30","e":"https://x.y/z?q=1"}`},
		{"JSON strings", `{a:"x,y:{\"\n",b:'it\'s'}`, `{"a":"x,y:{\"\n","b":"it's"}`},
		{"keys", `{"a b":1,<|"|>c:d<|"|>:2,'e':3,f g:4}`, `{"a b":1,"c:d":2,"e":3,"f g":4}`},
		{"nested", `{a:{b:[{c:<|"|>}<|"|>}],d:{}}}`, `{"a":{"b":[{"c":"}"}],"d":{}}}`},
		{"no value", `{a:}`, ``},
		{"no key", `{:1}`, ``},
		{"no colon", `{a}`, ``},
		{"two commas", `{a:1,,b:2}`, ``},
		{"text behind a string", `{a:<|"|>x<|"|>y}`, ``},
		{"bracket in a word", `{a:x[1]}`, ``},
		{"open fence", `{a:<|"|>x}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readGemma(gemma4Fence)(tt.in, nil)
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

// FuzzGemma holds for Gemma's literals what FuzzPython does for Python's.
func FuzzGemma(f *testing.F) {
	for _, s := range []string{`{}`, `{a:1}`, `{a:<|"|>x<|"|>,b:[1,{c:d}]}`, `{a:"x\n",b:'y',c:it's}`, `{"a b":1}`, `{a:1<|`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || text[0] != '{' {
			return
		}
		syntax := gemmaSyntax(gemma4Fence)
		whole := literalExtent{literals: syntax}
		e := whole.scan(text)
		if at, pieces := endOf(syntax, text); pieces != e || at != whole.at {
			t.Fatalf("%q: %d at %d, byte by byte %d at %d", text, e, whole.at, pieces, at)
		}
		if e != extentEnd {
			return
		}
		read := readGemma(gemma4Fence)
		arguments, err := read(text[:whole.at], nil)
		if err != nil {
			return
		}
		if !json.Valid(arguments) || !utf8.Valid(arguments) || arguments[0] != '{' {
			t.Fatalf("%q is %q", text, arguments)
		}
		var b strings.Builder
		gemmaNotation(gemma4Fence).write(&b, string(arguments))
		again, err := read(b.String(), nil)
		if err != nil || !sameJSON(arguments, again) {
			t.Errorf("%q is %s; written as %q, it is %s, %v", text, arguments, b.String(), again, err)
		}
	})
}
