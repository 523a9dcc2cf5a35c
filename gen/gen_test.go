package gen_test

import (
	"bytes"
	"errors"
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"helve/gen"
)

var update = flag.Bool("update", false, "write the expected files anew")

// TestGeneratedIsCurrent fails where testdata/kinds was not generated anew after a
// change of this package or of its source.
func TestGeneratedIsCurrent(t *testing.T) {
	t.Parallel()
	f := generate(t, "testdata/kinds")
	if *update {
		if _, err := f.Write(); err != nil {
			t.Fatal(err)
		}
	}
	stale, err := f.Stale()
	if err != nil || stale != "" {
		t.Errorf("%s, %v: run go test ./gen -update", stale, err)
	}
	if f.Function != "Tools" || f.Package != "helve/gen/testdata/kinds" {
		t.Errorf("function %s of package %s", f.Function, f.Package)
	}
	formatted, err := format.Source(f.Source)
	if err != nil || !bytes.Equal(formatted, f.Source) {
		t.Errorf("the file is not in gofmt's form: %v", err)
	}
	if again := generate(t, "testdata/kinds"); !bytes.Equal(again.Source, f.Source) {
		t.Error("the same source made other bytes")
	}
}

func generate(t *testing.T, dir string) *gen.File {
	t.Helper()
	f, err := gen.Generate(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestProblems wants every mistake in one go, each with its place.
func TestProblems(t *testing.T) {
	t.Parallel()
	_, err := gen.Generate(t.Context(), "testdata/problems")
	var problems gen.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("error %v, want Problems", err)
	}
	golden(t, "testdata/problems/want.txt", problems.Error()+"\n")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestBrokenNeighbours: neither an old generated file nor other files that do not
// compile keep the tools from being written anew.
func TestBrokenNeighbours(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/stale.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range archive.Files {
		write(t, dir, map[string]string{file.Name: string(file.Data)})
	}
	f := generate(t, dir)
	if len(f.Tools) != 1 || f.Tools[0].Name != "add" || !strings.HasSuffix(f.Tools[0].Place, "tool.go:7") {
		t.Errorf("tools %v", f.Tools)
	}
	if stale, err := f.Stale(); err != nil || !strings.Contains(stale, "helve_gen.go:2: has ") {
		t.Errorf("Stale() = %q, %v", stale, err)
	}
}

func TestFolders(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no folder":       {nil, "no such file"},
		"no module":       {map[string]string{"a.go": "package a\n"}, "go mod init"},
		"no Go":           {map[string]string{"go.mod": "module a\n"}, "no Go files"},
		"only generated":  {map[string]string{"go.mod": "module a\n", "helve_gen.go": "package a\n"}, "no Go files"},
		"an old go.mod":   {map[string]string{"go.mod": "module a\n\ngo 1.26\n\nrequire (\n\tb v0.0.0\n\tc v0.0.0\n)\n\nreplace (\n\tb => ./b\n\tc => ./c\n)\n", "b/go.mod": "module b\n\ngo 1.26\n\nrequire c v0.1.0\n", "b/b.go": "package b\n", "c/go.mod": "module c\n", "a.go": "package a\n\nimport _ \"b\"\n"}, "go mod tidy"},
		"nothing marked":  {map[string]string{"go.mod": "module a\n", "a.go": "package a\n"}, "no function is marked"},
		"syntax error":    {map[string]string{"go.mod": "module a\n", "a.go": "package a\n\n// F does.\n//\n//helve:tool\nfunc F() {\n\nfunc( {\n"}, "a.go:"},
		"two packages":    {map[string]string{"go.mod": "module a\n", "a.go": "package a\n", "b.go": "package b\n"}, "found packages a (a.go) and b (b.go)"},
		"a broken go.mod": {map[string]string{"go.mod": "modul a\n", "a.go": "package a\n"}, "go.mod:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a")
			write(t, dir, test.files)
			_, err := gen.Generate(t.Context(), dir)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const add = "package a\n\n// Add adds.\n//\n//helve:tool\nfunc Add(a, b int) int { return a + b }\n"

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module a\n", "a.go": add, "tools.go": "package a\n\nfunc Tools() {}\n"})
	f := generate(t, dir)
	if f.Function != "HelveTools" {
		t.Errorf("the function is called %s, want HelveTools: Tools is the user's", f.Function)
	}
	if stale, err := f.Stale(); !strings.Contains(stale, "is not there") || err != nil {
		t.Errorf("Stale() = %q, %v", stale, err)
	}
	for _, want := range []bool{true, false} {
		if changed, err := f.Write(); changed != want || err != nil {
			t.Errorf("Write() = %t, %v, want %t", changed, err, want)
		}
	}
	if stale, err := f.Stale(); stale != "" || err != nil {
		t.Errorf("Stale() = %q, %v", stale, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Errorf("%d files, %v: something was left behind", len(entries), err)
	}
}

func TestWriteKeepsWhatPeopleWrote(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module a\n", "a.go": add, "helve_gen.go": "package a\n\n// mine\n"})
	if _, err := generate(t, dir).Write(); err == nil || !strings.Contains(err.Error(), "another name") {
		t.Errorf("error %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "helve_gen.go")); err != nil || !strings.Contains(string(data), "// mine") {
		t.Errorf("the file is now %q, %v", data, err)
	}
}
