package script

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"helve/catalog"
	"helve/sandbox"
	"helve/tool"
)

// FuzzConfig: whatever stands in a tool.yaml, there is a good tool or an error that
// names the file, never both and never a panic.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"name: a\ndescription: A.\ncommand: [./run.py]\n",
		"name: a\ndescription: A.\ncommand: [python3, run.py, x]\ninput: arguments\noutput: json\nenv: {A: $}\nlimits: {memory: 1GiB, output: 3 k}\n",
		"name: a\ndescription: A.\nwasm: m.wasm\nparameters: {a: {type: string, required: true}}\ntimeout: 1h\n",
		"name: a\ndescription: A.\ncommand: ['', '%s', \"\\0\"]\nenv: {'a/b~': x}\nlimits: {work: 9999999999999GiB}\n",
		"name: ''\ncommand: []\nwasm: ../x\n", "[", "",
	} {
		f.Add(seed)
	}
	files := []sandbox.File{{Name: "m.wasm", Data: moduleHead}, {Name: "run.py", Data: []byte("#!/usr/bin/env python3\n")}}
	f.Fuzz(func(t *testing.T, text string) {
		file := &catalog.File{Path: "tools/script/a/tool.yaml", Data: []byte(text), Env: env{}.lookup}
		var c Config
		if len(file.Data) == 0 || file.Decode(&c) != nil {
			return
		}
		folder := &folder{path: "tools/script/a", files: append([]sandbox.File(nil), files...), bytes: 30, digest: digest(files)}
		s, err := newScript(&c, folder, Options{Log: nil}.withLog(), &problems{file: file})
		if (s == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", text, s, err)
		}
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				if strings.Contains(line, "%!") {
					t.Errorf("%q: %s", text, line)
				}
			}
			if !strings.Contains(err.Error(), "tools/script/a/tool.yaml:") {
				t.Errorf("%q: no place in %v", text, err)
			}
			return
		}
		if err := s.Definition().Check(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if len(s.program.args) == 0 || s.limits.Time <= 0 || s.limits.Output <= 0 || s.limits.Memory < 0 || s.limits.Work < 0 {
			t.Errorf("%q: %+v", text, s)
		}
	})
}

// FuzzOutcome: whatever a program prints, and however it ends, the model gets text that
// it can read, and no more of it than it may.
func FuzzOutcome(f *testing.F) {
	f.Add([]byte("text"), []byte("said"), 0, byte(0), true)
	f.Add([]byte(`{"error":"x","success":true,"code":{},"a":[1e999]}`), []byte("\x1b[1m\r\n"), 1, byte(0), false)
	f.Add([]byte("\x1b]0;"), []byte("\x00\xff"), 2, byte(3), true)
	reasons := []sandbox.Reason{"", sandbox.Timeout, sandbox.CPU, sandbox.Memory, sandbox.Processes, sandbox.Output, sandbox.Canceled, "another"}
	f.Fuzz(func(t *testing.T, out, said []byte, code int, reason byte, asJSON bool) {
		s := &script{definition: tool.Definition{Name: "a"}, digest: strings.Repeat("0", 64), folder: "tools/script/a", log: Options{}.withLog().Log}
		s.limits.Output = 64 << 10
		if asJSON {
			s.output = outputJSON
		}
		r := &sandbox.Result{Stdout: out[:min(len(out), s.limits.Output)], Stderr: said, ExitCode: code, Reason: reasons[int(reason)%len(reasons)], Truncated: len(out) > s.limits.Output}
		if e := s.failure(t.Context(), r, s.tell(r)); e != nil {
			written, err := json.Marshal(e)
			if err != nil || e.Message == "" || !utf8.ValidString(e.Message) || len(written) > 128<<10 {
				t.Errorf("%q, %q: %+v, %v", out, said, e, err)
			}
			return
		}
		result, err := s.success(r)
		if err != nil {
			if e := tool.AsError(err); e.Message == "" || !utf8.ValidString(e.Message) {
				t.Errorf("%q: %v", out, err)
			}
			return
		}
		text := result.Text()
		if text == "" || !utf8.ValidString(text) || asJSON && !json.Valid([]byte(text)) {
			t.Errorf("%q became %q", out, text)
		}
		if !asJSON && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			t.Errorf("%q became %q", out, text)
		}
	})
}

// FuzzSize: what is written of a size is read as the same.
func FuzzSize(f *testing.F) {
	for _, seed := range []string{"1GiB", "5 k", "999999999999999GiB", "0B", "-1MiB", "1.5GiB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parseSize(text)
		if err != nil {
			return
		}
		again, err := parseSize(strings.TrimSuffix(sizeText(n), "ytes"))
		if n < 0 || err == nil && again != n {
			t.Errorf("%q: %d, %s, %d, %v", text, n, sizeText(n), again, err)
		}
	})
}
