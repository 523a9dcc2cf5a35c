package builtin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/tool"
)

// newRoot returns a folder with the files given, and the folder's path.
func newRoot(t *testing.T, files map[string]string) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func symlink(t *testing.T, target, at string) {
	t.Helper()
	if err := os.Symlink(target, at); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	root, dir := newRoot(t, map[string]string{
		"a.txt":      "one\ntwo\nthree\n",
		"docs/b.txt": "b",
		"empty":      "",
		"zh.txt":     "中文",
		"latin":      "caf\xe9",
	})
	symlink(t, "docs/b.txt", filepath.Join(dir, "inside"))
	tests := []struct {
		in   readFileInput
		want string
	}{
		{readFileInput{Path: "a.txt"}, "one\ntwo\nthree\n"},
		{readFileInput{Path: "./docs/../a.txt"}, "one\ntwo\nthree\n"},
		{readFileInput{Path: "docs/b.txt"}, "b"},
		{readFileInput{Path: "inside"}, "b"},
		{readFileInput{Path: "empty"}, ""},
		{readFileInput{Path: "latin"}, "caf\uFFFD"},
		{readFileInput{Path: "a.txt", Limit: 14}, "one\ntwo\nthree\n"},
		{readFileInput{Path: "a.txt", Limit: 9}, "one\ntwo\n\n[bytes 0 to 8 of 14: read on with offset 8]"},
		{readFileInput{Path: "a.txt", Offset: 8}, "three\n\n[bytes 8 to 14: the end of the file]"},
		{readFileInput{Path: "a.txt", Limit: 2}, "on\n[bytes 0 to 2 of 14: read on with offset 2]"},
		{readFileInput{Path: "zh.txt", Limit: 5}, "中\n[bytes 0 to 3 of 6: read on with offset 3]"},
		{readFileInput{Path: "zh.txt", Offset: 3}, "文\n[bytes 3 to 6: the end of the file]"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.in), func(t *testing.T) {
			t.Parallel()
			result, err := readFile(root, test.in)
			if err != nil {
				t.Fatal(err)
			}
			if result.Text() != test.want {
				t.Errorf("got %q, want %q", result.Text(), test.want)
			}
		})
	}
}

func TestReadFileInParts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	root, _ := newRoot(t, map[string]string{"long": b.String()})
	var got strings.Builder
	var offset int64
	for range 10 {
		result, err := readFile(root, readFileInput{Path: "long", Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		text, note, _ := strings.Cut(result.Text(), "\n[bytes ")
		if len(text) > maxRead {
			t.Fatalf("a part of %d bytes", len(text))
		}
		got.WriteString(text)
		if _, err := fmt.Sscanf(note[strings.LastIndexByte(note, ' ')+1:], "%d]", &offset); err != nil {
			break
		}
	}
	if got.String() != b.String() {
		t.Errorf("the parts make %d bytes, want the %d of the file", got.Len(), b.Len())
	}
}

func TestReadFileErrors(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, dir := newRoot(t, map[string]string{"a.txt": "one", "docs/b": "b", "image": "\x89PNG\r\n\x00"})
	symlink(t, outside, filepath.Join(dir, "link"))
	symlink(t, "../..", filepath.Join(dir, "docs", "up"))
	tests := []struct {
		in     readFileInput
		want   string
		denied bool
	}{
		{readFileInput{Path: "nope"}, `path "nope" does not exist`, false},
		{readFileInput{Path: "docs"}, `path "docs" is a folder: use list_files`, false},
		{readFileInput{Path: "a.txt/b"}, `path "a.txt/b"`, false},
		{readFileInput{Path: "image"}, `path "image" is not a text file (7 bytes)`, false},
		{readFileInput{Path: "a.txt", Offset: 3}, `path "a.txt" ends at byte 3`, false},
		{readFileInput{Path: "../secret"}, `path "../secret" leaves the folder the tool may read`, true},
		{readFileInput{Path: outside}, "leaves the folder the tool may read", true},
		{readFileInput{Path: "link"}, `path "link" leaves the folder the tool may read`, true},
		{readFileInput{Path: "docs/up/x"}, "leaves the folder the tool may read", true},
	}
	for _, test := range tests {
		t.Run(test.in.Path, func(t *testing.T) {
			t.Parallel()
			result, err := readFile(root, test.in)
			if err == nil {
				t.Fatalf("got %q, want an error", result.Text())
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %q, want one that holds %q", err, test.want)
			}
			if test.in.Path != outside && strings.Contains(err.Error(), dir) {
				t.Errorf("error %q tells where the root is", err)
			}
			var e *tool.Error
			if got := errors.As(err, &e) && e.Kind == tool.KindPermissionDenied; got != test.denied {
				t.Errorf("permission denied: got %v, want %v", got, test.denied)
			}
		})
	}
}
