package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzValid holds Valid to json.Valid.
func FuzzValid(f *testing.F) {
	for _, text := range []string{
		``, ` `, `{}`, ` [ ] `, `{"a":[1,{"b":null}],"c":true}`, `[1,]`, `{"a":1,}`, `{"a"}`, `{,}`, `[,]`, `{"a":}`, `]`, `[}`, `{]`,
		`"é今\ud83d\n\/"`, `"\x"`, `"\u12g4"`, `"\u12`, "\"\n\"", "\"\x80\xff\"", `"a`, `"\`, `"a\"`,
		`0`, `-0.5e+10`, `01`, `-`, `1.`, `.5`, `1e`, `1E-`, `+1`, `1 2`, `truex`, `tru`, `null,`, `{"a":1 "b":2}`, `[1 2]`, `{1:2}`,
		strings.Repeat("[", mostNested) + strings.Repeat("]", mostNested),
		strings.Repeat("[", mostNested+1) + strings.Repeat("]", mostNested+1),
		strings.Repeat(`{"a":[`, 100) + "1" + strings.Repeat(`]}`, 100),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := Valid(b), json.Valid(b); got != want {
			t.Errorf("%q: %v", b, got)
		}
	})
}

func BenchmarkValid(b *testing.B) {
	for name, text := range map[string]string{
		"log":     strings.Repeat("2026-11-21T00:33:27Z INFO tool call tool=\"order\" result_bytes=13\n", 1000),
		"Chinese": strings.Repeat("今天的天气很好，适合出去散步。\n", 1400),
	} {
		data, _ := json.Marshal(map[string]string{"text": text})
		for by, valid := range map[string]func([]byte) bool{"ours": Valid, "encoding-json": json.Valid} {
			b.Run(name+"/"+by, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if !valid(data) {
						b.Fatal("it is valid")
					}
				}
			})
		}
	}
}
