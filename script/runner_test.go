package script

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"helve/catalog"
	"helve/sandbox"
	"helve/tool"
)

// fake is a runner that says what it was asked, and answers what a test wants.
type fake struct {
	mu     sync.Mutex
	specs  []sandbox.Spec
	answer func(context.Context, sandbox.Spec) (*sandbox.Result, error)
}

func (f *fake) Run(ctx context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	f.mu.Lock()
	f.specs = append(f.specs, spec)
	f.mu.Unlock()
	if f.answer == nil {
		return &sandbox.Result{Stdout: []byte("fine\n")}, nil
	}
	return f.answer(ctx, spec)
}

// workspace writes the files of a txtar archive below tools/script, and a helve.yaml.
func workspace(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "helve.yaml", "")
	for _, f := range txtar.Parse([]byte(archive)).Files {
		put(t, dir, "tools/script/"+f.Name, string(f.Data))
	}
	return dir
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

type env map[string]string

func (e env) lookup(name string) (string, bool) { v, ok := e[name]; return v, ok }

func options(dir string, runner sandbox.Runner, log *slog.Logger, variables env) catalog.Options {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	the := func() (sandbox.Runner, error) { return runner, nil }
	return catalog.Options{Dir: dir, Env: variables.lookup, Sources: []catalog.Source{Source(Options{Sandbox: the, WASM: the, Log: log})}}
}

// problemsIn loads a workspace and returns what is wrong in it.
func problemsIn(t *testing.T, dir string) string {
	t.Helper()
	c, err := catalog.Load(t.Context(), options(dir, &fake{}, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range c.Problems() {
		all = append(all, p.Error())
	}
	return strings.Join(all, "\n")
}

// oneTool loads the one tool of an archive.
func oneTool(t *testing.T, archive string, runner sandbox.Runner, log *slog.Logger, variables env) tool.Tool {
	t.Helper()
	c, err := catalog.Load(t.Context(), options(workspace(t, archive), runner, log, variables))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Problems() {
		if !p.Warning { // the machine may lack an interpreter
			t.Fatal(p.Error())
		}
	}
	if n := len(c.Tools()); n != 1 {
		t.Fatalf("there are %d tools", n)
	}
	return c.Tools()[0]
}

// logged is a log that keeps what it is told.
func logged() (*slog.Logger, func() string) {
	var mu sync.Mutex
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return b.Write(p)
	}), nil))
	return log, func() string {
		mu.Lock()
		defer mu.Unlock()
		return b.String()
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
