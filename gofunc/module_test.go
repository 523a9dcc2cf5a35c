package gofunc_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
	mod = regexp.MustCompile(`(?m)^tool .*$`).ReplaceAllString(mod, "")
	write(t, dir, "go.mod", mod+"\nrequire helve v0.0.0\n\nreplace helve => "+root+"\n")
	write(t, dir, "internal/price/price.go", "package price\n\nfunc Of(n int) int { return 2 * n }\n")
	write(t, folder, "tools.go", "package builtin\n\nimport \"example.com/shop/internal/price\"\n\n// Price tells a price.\n//\n//helve:tool\nfunc Price(n int) int { return price.Of(n) }\n")

	file, err := gofunc.Build(t.Context(), folder, cache)
	if err != nil {
		t.Fatal(err)
	}
	if stale, err := file.Stale(); stale != "" || err != nil || file.Package != "example.com/shop/tools/builtin" {
		t.Errorf("package %s: %s, %v", file.Package, stale, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 {
		t.Errorf("%d entries in the module, %v: something was left behind", len(entries), err)
	}

	found, err := gofunc.Source(gofunc.Options{Cache: cache}).Load(t.Context(), &catalog.File{Path: gofunc.Folder, Dir: dir})
	if err != nil || len(found) != 1 || found[0].File != "tools/builtin/tools.go" || found[0].Line != 8 {
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
	write(t, dir, "internal/price/price.go", "package price\n\nfunc Of(n int) int { return 3 * n }\n")
	if err := gofunc.Check(t.Context(), folder, cache); !errors.Is(err, gofunc.ErrStale) || !strings.Contains(err.Error(), "price.go") {
		t.Errorf("Check after a change of another package: %v", err)
	}

	write(t, dir, "internal/price/price.go", "package price\n\nfunc Of(n int) int { return n(3) }\n")
	place := filepath.Join(dir, "internal", "price", "price.go") + ":3:29"
	if _, err := gofunc.Build(t.Context(), folder, cache); err == nil || !strings.Contains(err.Error(), "\n"+place) {
		t.Errorf("the compiler's error does not name %s: %v", place, err)
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
