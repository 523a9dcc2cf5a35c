//go:build unix

package takeout

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTaker(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"a": "a", "b/c": "cc", "given": "given", "changed": "later", "large": strings.Repeat("x", 100)} {
		write(name, text)
	}
	if err := os.Chtimes(filepath.Join(dir, "given"), LongAgo, LongAgo); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "linked")); err != nil {
		t.Fatal(err)
	}
	write(strings.Repeat("d/", mostDepth+1)+"deep", "deep")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()

	var taken []string
	stamp := func(name string) Stamp {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return StampOf(info)
	}
	given, changed := stamp("given"), stamp("changed")
	changed.old = true
	taker := Taker{Given: map[string]Stamp{"given": given, "changed": changed}, Files: 3, Bytes: 50, Take: func(name string, _ bool, size int64, content io.Reader) error {
		data, err := io.ReadAll(content)
		taken = append(taken, fmt.Sprintf("%s %d %s", name, size, data))
		return err
	}}
	left, err := taker.From(root)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a 1 a", "b/c 2 cc", "changed 5 later"}; !slices.Equal(taken, want) {
		t.Errorf("taken: %q", taken)
	}
	want := []string{
		strings.Repeat("d/", mostDepth) + "d: it lies too deep", "large: there are too many files",
		"link: it is no regular file", "linked: it is no regular file",
	}
	if !slices.Equal(left, want) {
		t.Errorf("left: %q", left)
	}

	broken := errors.New("broken")
	taker = Taker{Files: 3, Bytes: 50, Take: func(string, bool, int64, io.Reader) error { return broken }}
	if _, err := taker.From(root); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestMany has more in a folder than is looked at, and more that stays than is told.
func TestMany(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range mostLeft + 5 {
		if err := os.Symlink("x", filepath.Join(dir, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var taker Taker
	left, err := taker.From(root)
	if err != nil || len(left) != mostLeft+1 || left[mostLeft] != "and 5 more" {
		t.Errorf("%q, %v", left, err)
	}
}
