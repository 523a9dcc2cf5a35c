package builtin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/tool"
)

func TestListFiles(t *testing.T) {
	t.Parallel()
	root, dir := newRoot(t, map[string]string{
		"b.md": "12345", "a.txt": "", "docs/c.md": "1", "docs/deep/d.md": "12", "docs/deep/e.txt": "123",
	})
	symlink(t, "docs", filepath.Join(dir, "link"))
	tests := []struct {
		name string
		in   listFilesInput
		want []string
	}{
		{"the root", listFilesInput{}, []string{"a.txt file 0", "b.md file 5", "docs folder", "link link"}},
		{"the root as a dot", listFilesInput{Path: ".", Depth: 1}, []string{"a.txt file 0", "b.md file 5", "docs folder", "link link"}},
		{"two levels", listFilesInput{Depth: 2}, []string{"a.txt file 0", "b.md file 5", "docs folder", "docs/c.md file 1", "docs/deep folder", "link link"}},
		{"a folder", listFilesInput{Path: "docs/", Depth: 9}, []string{"docs/c.md file 1", "docs/deep folder", "docs/deep/d.md file 2", "docs/deep/e.txt file 3"}},
		{"through a link", listFilesInput{Path: "link"}, []string{"link/c.md file 1", "link/deep folder"}},
		{"a pattern", listFilesInput{Pattern: "*.md", Depth: 10}, []string{"b.md file 5", "docs/c.md file 1", "docs/deep/d.md file 2"}},
		{"nothing", listFilesInput{Pattern: "*.go", Depth: 10}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			out, err := listFiles(t.Context(), root, test.in)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range out.Entries {
				line := e.Path + " " + e.Type
				if e.Size != nil {
					line += fmt.Sprint(" ", *e.Size)
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if out.Cut != "" {
				t.Errorf("cut: %s", out.Cut)
			}
		})
	}
}

func TestListFilesResult(t *testing.T) {
	t.Parallel()
	root, _ := newRoot(t, map[string]string{"docs/a.md": "1"})
	for arguments, want := range map[string]string{
		`{"depth":2}`:        `{"entries":[{"path":"docs","type":"folder"},{"path":"docs/a.md","type":"file","size":1}]}`,
		`{"pattern":"*.go"}`: `{"entries":[]}`,
	} {
		result, err := ListFiles(root).Call(t.Context(), tool.Call{Name: "list_files", Arguments: []byte(arguments)})
		if err != nil || result.Text() != want {
			t.Errorf("%s: got %s, %v, want %s", arguments, result.Text(), err, want)
		}
	}
}

func TestListFilesErrors(t *testing.T) {
	t.Parallel()
	root, dir := newRoot(t, map[string]string{"a.txt": ""})
	symlink(t, os.TempDir(), filepath.Join(dir, "out"))
	tests := []struct {
		in   listFilesInput
		want string
	}{
		{listFilesInput{Path: "nope"}, `path "nope" does not exist`},
		{listFilesInput{Path: "a.txt"}, `path "a.txt" is not a folder`},
		{listFilesInput{Path: ".."}, `path ".." leaves the folder the tool may read`},
		{listFilesInput{Path: "/etc"}, `path "/etc" leaves the folder the tool may read`},
		{listFilesInput{Path: "out"}, `path "out" leaves the folder the tool may read`},
		{listFilesInput{Pattern: "[a"}, `pattern "[a": write a shell pattern for the name alone`},
		{listFilesInput{Pattern: "**/*.md"}, `pattern "**/*.md": write a shell pattern for the name alone`},
	}
	for _, test := range tests {
		t.Run(test.in.Path+test.in.Pattern, func(t *testing.T) {
			t.Parallel()
			out, err := listFiles(t.Context(), root, test.in)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want an error that holds %q", out, err, test.want)
			}
		})
	}
}

func TestListFilesSaysWhatItCut(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxEntries + 1 {
		files[fmt.Sprintf("f%04d", i)] = ""
	}
	root, _ := newRoot(t, files)
	out, err := listFiles(t.Context(), root, listFilesInput{})
	if err != nil || len(out.Entries) != maxEntries || !strings.Contains(out.Cut, "more than 1000 entries") {
		t.Errorf("got %d entries, cut %q, %v", len(out.Entries), out.Cut, err)
	}
	if out.Entries[0].Path != "f0000" || out.Entries[maxEntries-1].Path != "f0999" {
		t.Errorf("got %s to %s, want f0000 to f0999", out.Entries[0].Path, out.Entries[maxEntries-1].Path)
	}
	l := listing{ctx: t.Context(), root: root, pattern: "none", scanned: maxScanned - 5}
	if err := l.folder(".", 1); !errors.Is(err, errScanned) {
		t.Errorf("got error %v at the bound on what is looked at, want errScanned", err)
	}
}

func TestListFilesStopsWithItsContext(t *testing.T) {
	t.Parallel()
	root, _ := newRoot(t, map[string]string{"a/b/c": ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := listFiles(ctx, root, listFilesInput{Depth: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}
