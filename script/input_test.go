package script

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"helve/schema"
)

var someFlags = schema.MustCompile(`{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"number"},"ok":{"type":"boolean"},"list":{"type":"array"},"z":{"type":"object"}}}`)

// TestSizes are written as helve's flags have them.
func TestSizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"64KiB": 64 << 10, "1 MiB": 1 << 20, "2g": 2 << 30, "3M": 3 << 20, "4k": 4 << 10, "5B": 5, "6": 6, "1GB": -1, "MiB": -1, "": -1, "1.5GiB": -1, "-1": -1} {
		if n, err := parseSize(text); n != max(want, 0) || (err != nil) != (want < 0) {
			t.Errorf("%q: got %d, %v", text, n, err)
		}
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string][]string{
		``:                         nil,
		`{}`:                       nil,
		`{"ok":true,"text":"a b"}`: {"--text=a b", "--ok=true"},
		`{"text":"","n":1.50}`:     {"--text=", "--n=1.50"},
		`{"text":"--n=5\n$(x)"}`:   {"--text=--n=5\n$(x)"},
		`{"list": [1, "a"], "z": {"k": null}, "n": null}`: {`--list=[1,"a"]`, `--z={"k":null}`},
	} {
		got, err := flags(someFlags, []byte(arguments))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v", arguments, got, err)
		}
	}
	for arguments, want := range map[string]string{
		`{"text":"a\u0000"}`: "text holds the character NUL",
		`{"other":1}`:        `"other" is no parameter`,
		`[]`:                 "no JSON object",
		`{"text":"` + strings.Repeat("x", maxFlag+1) + `"}`: "at most 102400 can be passed on",
	} {
		if _, err := flags(someFlags, []byte(arguments)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: got %v", arguments, err)
		}
	}
}

// FuzzFlags: an argument is never more or less than one word of the command, and begins
// with the name of its parameter.
func FuzzFlags(f *testing.F) {
	for _, seed := range []string{`{}`, `{"text":"-x","ok":false}`, `{"z":{"a":[1]},"TEXT":1}`, `null`, `{"text":"a","text":"b"}`} {
		f.Add([]byte(seed))
	}
	names := []string{"--text=", "--n=", "--ok=", "--list=", "--z="}
	f.Fuzz(func(t *testing.T, arguments []byte) {
		got, err := flags(someFlags, arguments)
		if err != nil {
			return
		}
		at := -1
		for _, flag := range got {
			name := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(flag, n) })
			if name <= at || strings.ContainsRune(flag, 0) || !utf8.ValidString(flag) && utf8.Valid(arguments) {
				t.Fatalf("%q: %q", arguments, got)
			}
			at = name
		}
	})
}

// FuzzLine: what a script reads is one line, and the same JSON.
func FuzzLine(f *testing.F) {
	f.Add([]byte("{\n \"a\" : \"\\n\" }"))
	f.Fuzz(func(t *testing.T, arguments []byte) {
		if !json.Valid(arguments) {
			return
		}
		got := string(line(arguments))
		if strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\n") || !json.Valid([]byte(got)) {
			t.Errorf("%q became %q", arguments, got)
		}
	})
}
