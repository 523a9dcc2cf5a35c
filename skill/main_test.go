package skill

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"helve/sandbox"
	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a sandbox that runs nothing: it remembers what it was asked, and answers.
type recorder struct {
	result *sandbox.Result
	err    error

	mu   sync.Mutex
	runs []sandbox.Spec
}

func (r *recorder) Run(_ context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs = append(r.runs, spec)
	if r.result == nil && r.err == nil {
		return &sandbox.Result{}, nil
	}
	return r.result, r.err
}

func (r *recorder) last(t *testing.T) sandbox.Spec {
	t.Helper()
	if len(r.runs) == 0 {
		t.Fatal("nothing ran")
	}
	return r.runs[len(r.runs)-1]
}

// skillMD is a SKILL.md with a body.
func skillMD(name, more string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + ".\n" + more + "---\n\nDo it.\n"
}

// folderOf makes a folder of files; those whose names end in ! may be executed.
func folderOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		mode := fs.FileMode(0o644)
		name, executable := strings.CutSuffix(name, "!")
		if executable {
			mode = 0o755
		}
		writeFile(t, filepath.Join(dir, name), text, mode)
	}
	return dir
}

// libraryOf opens a folder of files, in which nothing is wrong.
func libraryOf(t testing.TB, runner sandbox.Runner, files map[string]string) (*Library, string) {
	t.Helper()
	dir := folderOf(t, files)
	l, problems := Open(Options{Folders: []string{dir}, Runner: runner})
	for _, p := range problems {
		t.Error(p.Error())
	}
	return l, dir
}

// callTool calls a tool of the library.
func callTool(t testing.TB, l *Library, name, arguments string) (tool.Result, error) {
	t.Helper()
	for _, each := range l.Tools() {
		if each.Definition().Name == name {
			return tool.Invoke(t.Context(), each, tool.Call{Name: name, Arguments: []byte(arguments)})
		}
	}
	t.Fatalf("no tool %s", name)
	return tool.Result{}, nil
}

func kind(err error) tool.Kind {
	if err == nil {
		return ""
	}
	return tool.AsError(err).Kind
}
