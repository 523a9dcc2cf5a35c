package gofunc_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"helve/catalog"
	"helve/gofunc"
	"helve/tool"
)

// TestInAModule: a folder in a module is a package of it, which may import others, and
// what changes in those counts.
func TestInAModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cache := filepath.Join(dir, ".cache")
	folder := filepath.Join(dir, "tools", "builtin")
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.sum", read(t, filepath.Join(root, "go.sum")))
	mod := strings.Replace(read(t, filepath.Join(root, "go.mod")), "module helve\n", "module example.com/shop\n", 1)
	mod = strings.Replace(mod, "require (", "require example.com/local v0.0.0\n\nreplace example.com/local => ./local\n\nrequire (", 1)
	mod = regexp.MustCompile(`(?m)^tool .*$`).ReplaceAllString(mod, "")
	write(t, dir, "go.mod", mod+"\nrequire helve v0.0.0\n\nreplace helve => "+root+"\n")
	write(t, dir, "internal/price/price.go", "package price\n\nfunc Of(n int) int { return 2 * n }\n")
	write(t, dir, "internal/price/README.md", "not compiled")
	write(t, dir, "internal/price/data/.factor", "2")
	write(t, dir, "internal/price/embed.go", "package price\n\nimport _ \"embed\"\n\n//go:embed data/.factor\nvar factor string\n")
	write(t, dir, "local/go.mod", "module example.com/local\n\ngo 1.26\n")
	write(t, dir, "local/local.go", "package local\n")
	write(t, folder, ".prompt.txt", "hello")
	write(t, folder, "tools.go", "package builtin\n\nimport (\n\t_ \"embed\"\n\n\t_ \"example.com/local\"\n\t\"example.com/shop/internal/price\"\n)\n\n//go:embed .prompt*\nvar prompt string\n\n// Price tells a price.\n//\n//helve:tool\nfunc Price(n int) int { return price.Of(n) }\n")

	file, err := gofunc.Build(t.Context(), folder, cache)
	if err != nil {
		t.Fatal(err)
	}
	if stale, err := file.Stale(); stale != "" || err != nil || file.Package != "example.com/shop/tools/builtin" {
		t.Errorf("package %s: %s, %v", file.Package, stale, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 6 {
		t.Errorf("%d entries in the module, %v: something was left behind", len(entries), err)
	}

	found, err := gofunc.Source(gofunc.Options{Cache: cache}).Load(t.Context(), &catalog.File{Path: gofunc.Folder, Dir: dir})
	if err != nil || len(found) != 1 || found[0].File != "tools/builtin/tools.go" || found[0].Line != 16 {
		t.Fatalf("found %v, %v", found, err)
	}
	result, err := tool.Invoke(t.Context(), found[0].Tool, tool.Call{Arguments: []byte(`{"n":21}`)})
	if err != nil || result.Text() != "42" {
		t.Errorf("price = %q, %v", result.Text(), err)
	}
	closeAll(t, map[string]tool.Tool{"price": found[0].Tool})

	if err := gofunc.Check(t.Context(), folder, cache); err != nil {
		t.Errorf("Check: %v", err)
	}
	for path, stale := range map[string]bool{
		"internal/price/price.go":      true,
		"internal/price/new.go":        true,
		"internal/price/new_amd64.s":   true,
		"internal/price/data/.factor":  true,
		"internal/price/README.md":     false,
		"internal/price/price_test.go": false,
		"local/local.go":               true,
		"local/go.mod":                 true,
		"go.mod":                       true,
		"go.work":                      true,
		"tools/builtin/.prompt.txt":    true,
		"tools/builtin/.prompt2":       true,
		"tools/builtin/.tools.go.swp":  false,
	} {
		was, err := os.ReadFile(filepath.Join(dir, path))
		write(t, dir, path, string(was)+"\n")
		switch told := gofunc.Check(t.Context(), folder, cache); {
		case !stale && told != nil:
			t.Errorf("%s changed: %v", path, told)
		case stale && (!errors.Is(told, gofunc.ErrStale) || !strings.Contains(told.Error(), filepath.Base(path))):
			t.Errorf("%s changed: %v, want that it is not what it was", path, told)
		}
		if err == nil {
			write(t, dir, path, string(was))
		} else if err := os.Remove(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := gofunc.Check(t.Context(), folder, cache); err != nil {
		t.Errorf("all as it was: %v", err)
	}
	sums := filepath.Join(dir, "go.sum")
	sumsText, err := os.ReadFile(sums)
	if err := errors.Join(err, os.Remove(sums), syscall.Mkfifo(sums, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := gofunc.Check(t.Context(), folder, cache); err == nil || !strings.Contains(err.Error(), "go.sum: not a regular file") {
		t.Errorf("a pipe: %v", err)
	}

	if err := errors.Join(os.Remove(sums), os.WriteFile(sums, sumsText, 0o644)); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "internal/price/price.go", "package price\n\nfunc Of(n int) int { return n(3) }\n")
	place := filepath.Join(dir, "internal", "price", "price.go") + ":3:29"
	if _, err := gofunc.Build(t.Context(), folder, cache); err == nil || !strings.Contains(err.Error(), "\n"+place) {
		t.Errorf("the compiler's error does not name %s: %v", place, err)
	}
}

// TestAModuleWithoutHelve says how a module comes to require it, and leaves nothing
// behind.
func TestAModuleWithoutHelve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/shop\n\ngo 1.26\n")
	write(t, dir, "a/a.go", "package a\n\n// F does.\n//\n//helve:tool\nfunc F() {}\n")
	_, err := gofunc.Build(t.Context(), filepath.Join(dir, "a"), filepath.Join(dir, "cache"))
	if err == nil || !strings.Contains(err.Error(), `"replace helve => DIR"`) {
		t.Errorf("error %v", err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "a")); err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v: something was left behind", len(entries), err)
	}

}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
