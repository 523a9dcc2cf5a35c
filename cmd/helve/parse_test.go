package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"helve/dialect"
)

// TestParseKeepsCharactersWhole feeds text of all kinds in pieces of all sizes: the
// strings that come out are JSON and make the input, with U+FFFD for each byte
// that is none.
func TestParseKeepsCharactersWhole(t *testing.T) {
	t.Parallel()
	inputs := []string{
		"", "é", "日本語 and 😀", "ends in half \xe6\x97", "\xff\xfe", "\xe6\xe6\x97\xa5", "a\xf0\x9f\x98b", "\xf0\x9f\x98\x80",
		"half \xe6\x97<think>\xa5 other</think> half\xe6<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>\x97",
		"\x00\u2028<b>&\"\\",
	}
	for _, in := range inputs {
		var whole string
		for chunk := 0; chunk <= 8; chunk++ {
			args := []string{"parse", "--dialect", "hermes"}
			if chunk > 0 {
				args = append(args, "--chunk", fmt.Sprint(chunk))
			}
			var out, errs bytes.Buffer
			if code := execute(args, stdio{strings.NewReader(in), &out, &errs}); code != exitOK {
				t.Fatalf("%q: exit code %d: %s", in, code, &errs)
			}
			got := joined(t, out.String())
			if chunk == 0 {
				whole = got
				want := strings.ToValidUTF8(in, "")
				if !strings.Contains(in, "<t") && strings.ReplaceAll(got, "\uFFFD", "") != want {
					t.Errorf("%q came out as %q", in, got)
				}
			}
			if got != whole {
				t.Errorf("%q in chunks of %d came out as %q, and whole as %q", in, chunk, got, whole)
			}
		}
	}
}

// joined puts the adjacent text of lines together.
func joined(t *testing.T, lines string) string {
	t.Helper()
	var b strings.Builder
	last := ""
	for l := range strings.Lines(lines) {
		var e struct{ Type, Text, Name string }
		if err := json.Unmarshal([]byte(l), &e); err != nil || !utf8.ValidString(l) {
			t.Fatalf("%q: %v", l, err)
		}
		if e.Type != last && e.Type != "text" {
			b.WriteString("[" + e.Type + e.Name + "]")
		}
		last = e.Type
		b.WriteString(e.Text)
	}
	return b.String()
}

// TestParseStreams reads the first line before the input is over.
func TestParseStreams(t *testing.T) {
	t.Parallel()
	in, model := io.Pipe()
	lines, out := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- execute([]string{"parse", "--dialect", "hermes"}, stdio{in, out, io.Discard})
		out.Close()
	}()
	r := bufio.NewReader(lines)
	for _, step := range []struct{ in, out string }{
		{"Hello <tool", `{"type":"text","text":"Hello "}`},
		{`_call>{"name":"f","arguments":{}}</tool_call>`, `{"type":"call","id":"call_1","name":"f","arguments":{}}`},
		{"bye", `{"type":"text","text":"bye"}`},
	} {
		if _, err := io.WriteString(model, step.in); err != nil {
			t.Fatal(err)
		}
		if l, err := r.ReadString('\n'); l != step.out+"\n" {
			t.Fatalf("after %q: %q, %v", step.in, l, err)
		}
	}
	model.Close()
	if rest, _ := io.ReadAll(r); len(rest) > 0 || <-code != exitOK {
		t.Errorf("%s", rest)
	}
}

// TestParseEndsInTime: nobody types, and --timeout ends it all the same.
func TestParseEndsInTime(t *testing.T) {
	t.Parallel()
	in, _ := io.Pipe()
	var out, errs bytes.Buffer
	if code := execute([]string{"parse", "--dialect", "hermes", "--timeout", "10ms"}, stdio{in, &out, &errs}); code != exitLimit {
		t.Errorf("exit code %d: %s", code, &errs)
	}
}

// TestPromptSaysWhatIsWrongWithTools names the line of each mistake.
func TestPromptSaysWhatIsWrongWithTools(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"[":        ":1: this is not JSON: unexpected end of JSON input",
		"\n\n[{}]": ":3: tool 1: it has no name",
		"[\n1]":    ":2: tool 1: want {\"name\": …, \"description\": …, \"parameters\": …}, not number",
		"[{\"name\":\"a\"},\n{\"name\":\"b\",\n\"function\":[]}]":                   ":3: tool 2: function must be an object, not array",
		"[{\"name\":\"a\"},\n{\"function\":\n{\"name\":\"a\"}}]":                    ":2: tool 2: tool 1 is called a already",
		"[{\"name\":\"a\",\"description\":{}}]":                                     ":1: tool 1: description must be a string, not object",
		"[{\"name\":\"a\",\"parameters\":{\"type\":\"object\",\"properties\":[]}}]": ":1: tool 1: the parameters of a: schema: ",
		"[{\"name\":\"a\",\"parameters\":\"none\"}]":                                ":1: tool 1: the parameters of a: schema: ",
		"null":                          ":1: want [{\"name\": …, \"description\": …, \"parameters\": …}], not null",
		"\ufeff[{\"name\":\"a\"},\n{}]": ":2: tool 2: it has no name",
		"[{\"name\":\"a\",\n\"input_schema\":{}}]":                                     ":2: tool 1: unknown key \"input_schema\": did you mean parameters?",
		"[{\"name\":\"a\",\"inputSchema\":{}}]":                                        ":1: tool 1: unknown key \"inputSchema\": did you mean parameters?",
		"[{\"name\":\"a\",\"descripton\":\"\"}]":                                       ":1: tool 1: unknown key \"descripton\": did you mean description?",
		"[{\"type\":\"function\",\"function\":\n{\"name\":\"a\",\n\"paramters\":{}}}]": ":3: tool 1: unknown key \"paramters\": did you mean parameters?",
		"[{\"name\":\"a\",\"x\":1}]":                                                   ":1: tool 1: unknown key \"x\": a tool has name, description and parameters",
		"[{\"name\":\"a\",\"parameters\":{\"type\":\"string\"}}]":                      ":1: tool 1: the parameters of a must have the type object, not string",
		"[{\"name\":\"a\",\"parameters\":{\"type\":[\"array\",\"null\"]}}]":            ":1: tool 1: the parameters of a must have the type object, not array",
	} {
		file := filepath.Join(t.TempDir(), "tools.json")
		if err := os.WriteFile(file, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := execute([]string{"prompt", "--dialect", "hermes", "--tools", file}, stdio{strings.NewReader(""), &out, &errs})
		if code != exitUsage || !strings.Contains(errs.String(), file+want) {
			t.Errorf("%s: exit code %d: %s, want %s", in, code, &errs, want)
		}
	}
}

// TestToolFilesOfOthers: what requests, templates and editors put into a file is no
// mistake.
func TestToolFilesOfOthers(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"[]", "\ufeff[{\"name\":\"a\"}]",
		`[{"type":"function","function":{"name":"a","strict":true,"parameters":{},"return":{"type":"string"}}}]`,
		`[{"type":"function","name":"a","strict":false,"parameters":{"properties":{}}}]`,
		`[{"name":"a","parameters":{"type":["object","null"]}}]`,
	} {
		file := filepath.Join(t.TempDir(), "tools.json")
		if err := os.WriteFile(file, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		var errs strings.Builder
		if _, err := toolFile(t.Context(), file, &errs); err != nil || errs.Len() > 0 {
			t.Errorf("%s: %v %s", in, err, &errs)
		}
	}
}

// FuzzParse feeds any bytes in pieces of any size: what comes out is the same as
// from one piece.
func FuzzParse(f *testing.F) {
	f.Add("a\xe6\x97\xa5<tool_call>{\"name\":\"f\"}</tool_call>\xff", 1)
	f.Add("<think>\xe6</think>\x97\xa5", 2)
	d, err := dialect.Lookup("hermes")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in string, chunk int) {
		print := func(n int) string {
			var out bytes.Buffer
			a := app{std: stdio{in: strings.NewReader(in), out: &out}}
			if err := a.parse(t.Context(), d.NewDecoder(dialect.Options{}), n); err != nil {
				t.Fatal(err)
			}
			return joined(t, out.String())
		}
		if whole, cut := print(0), print(max(1, chunk)); whole != cut {
			t.Errorf("%q: whole %q, in chunks of %d %q", in, whole, chunk, cut)
		}
	})
}

// TestParseJoinsText: what one piece of the input settles is one line, for text and
// for reasoning.
func TestParseJoinsText(t *testing.T) {
	t.Parallel()
	brackets := strings.Repeat("[", 1000)
	for _, test := range []struct{ dialect, in, want string }{
		{"pythonic", brackets, `{"type":"text","text":"` + brackets + "\"}\n"},
		{"hermes", "a<b<c<think>d<e<f</think>g<h", `{"type":"text","text":"a<b<c"}` + "\n" + `{"type":"reasoning","text":"d<e<f"}` + "\n" + `{"type":"text","text":"g<h"}` + "\n"},
	} {
		d, err := dialect.Lookup(test.dialect)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		p := newEventPrinter(&out)
		decoder := d.NewDecoder(dialect.Options{})
		p.events(append(slices.Clone(decoder.Feed(test.in)), decoder.End()...))
		if err := p.close(); err != nil || out.String() != test.want {
			t.Errorf("%s: %.200s, %v", test.in, &out, err)
		}
	}
}
