// Package scripts_test calls the tools of this folder.
package scripts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"helve/catalog"
	"helve/sandbox"
	"helve/script"
	"helve/tool"
)

// host runs the scripts of this folder as they are, in a folder of the test: what they
// do is in question here, and not what they could. Nothing else may be run so.
type host struct{ t *testing.T }

func (h host) Run(ctx context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	dir := h.t.TempDir()
	for _, f := range spec.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.Data, f.Mode|0o600); err != nil {
			return nil, err
		}
	}
	program := spec.Args[0]
	if strings.HasPrefix(program, "./") {
		program = filepath.Join(dir, program)
	}
	c := exec.CommandContext(ctx, program, spec.Args[1:]...)
	var out, said bytes.Buffer
	c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, bytes.NewReader(spec.Stdin), &out, &said
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, errors.Join(sandbox.ErrExec, err)
	}
	return &sandbox.Result{ExitCode: c.ProcessState.ExitCode(), Stdout: out.Bytes(), Stderr: said.Bytes(), Files: os.DirFS(dir)}, nil
}

func load(t *testing.T) *catalog.Catalog {
	t.Helper()
	box := func() (sandbox.Runner, error) { return host{t}, nil }
	c, err := catalog.Load(t.Context(), catalog.Options{Dir: ".", Sources: []catalog.Source{script.Source(script.Options{Sandbox: box})}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheScriptsDoWhatTheySay(t *testing.T) {
	t.Parallel()
	c := load(t)
	for name, test := range map[string]struct{ tool, needs, arguments, want string }{
		"Python":          {"word_count", "python3", `{"text":"to be or not to be","most":2}`, `{"words":6,"lines":1,"characters":18,"most":{"to":2,"be":2}}`},
		"Python, default": {"word_count", "python3", `{"text":"to be or not to be"}`, `{"words":6,"lines":1,"characters":18,"most":{"to":2,"be":2,"or":1,"not":1}}`},
		"Python, Chinese": {"word_count", "python3", `{"text":"你好 世界"}`, `{"words":2,"lines":1,"characters":5,"most":{"你好":1,"世界":1}}`},
		"Python, error":   {"word_count", "python3", `{"text":"…"}`, `the text has no words: give the text itself, not its name`},
		"shell":           {"diff_texts", "diff", `{"before":"a\ntea","after":"a\n$(coffee)"}`, "--- before\n+++ after\n@@ -1,2 +1,2 @@\n a\n-tea\n+$(coffee)"},
		"shell, the same": {"diff_texts", "diff", `{"before":"-x","after":"-x"}`, "The texts are the same."},
		"Node":            {"make_csv", "node", `{"rows":[{"a":1,"b":"x,\"y\""},{"a":null,"c":[2]}]}`, "Wrote table.csv: 2 rows, columns a, b, c."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(test.needs); err != nil {
				t.Skip(err)
			}
			one, ok := c.Tool(test.tool)
			if !ok {
				t.Fatal(c.Problems())
			}
			r, err := tool.Invoke(t.Context(), one, tool.Call{Name: test.tool, Arguments: json.RawMessage(test.arguments)})
			got := r.Text()
			if err != nil {
				got = tool.AsError(err).Message
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if files, ok := r.Artifact.(script.Files); ok != (test.tool == "make_csv") || ok && string(files[0].Data) != "a,b,c\r\n1,\"x,\"\"y\"\"\",\r\n,,[2]\r\n" {
				t.Errorf("it made %v", r.Artifact)
			}
		})
	}
}

// TestTheModuleSaysHowToBuildIt where it was not built, and is a tool where it was.
func TestTheModuleSaysHowToBuildIt(t *testing.T) {
	t.Parallel()
	c := load(t)
	if _, err := os.Stat("tools/script/hash_text/hash_text.wasm"); err == nil {
		if _, ok := c.Tool("hash_text"); !ok {
			t.Error(c.Problems())
		}
		return
	}
	if p := c.Problems(); len(p) != 1 || !strings.Contains(p[0].Error(), "tools/script/hash_text/tool.yaml:6:7: wasm: there is no file hash_text.wasm in tools/script/hash_text: build it, such as by GOOS=wasip1 GOARCH=wasm go build -o hash_text.wasm .") {
		t.Errorf("got %v", p)
	}
}
