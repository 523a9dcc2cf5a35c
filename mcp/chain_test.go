package mcp

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestChain(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	t.Setenv(ChainVariable, "")
	if len(Chain()) > 0 || chainWith("") != "" {
		t.Errorf("got %q and %q without a chain", Chain(), chainWith(""))
	}
	t.Setenv(ChainVariable, chainWith(link))
	t.Setenv(ChainVariable, chainWith(filepath.Join(dir, "missing")))
	if got, want := Chain(), []string{RealFolder(dir), filepath.Join(dir, "missing")}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
