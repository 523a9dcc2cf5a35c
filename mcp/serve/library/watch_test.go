package library_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"helve/mcp/serve/library"
)

// TestWatch: a file that changes is a resource that does, wherever it is.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{
		"resources/readme.yaml": "uri: docs://readme\nname: readme\nfile: README.md\n",
		"resources/note.yaml":   "uri: notes://today\nname: today\ntext: one\n",
		"resources/page.yaml":   "uri: wiki://{page}\nname: page\nfile: wiki/{page}.md\n",
		"resources/any.yaml":    "uri: files:///{+path}\nname: any\nfile: files/{path}\n",
		"README.md":             "a", "wiki/a b.md": "a", "files/a.txt": "a",
	})
	told := make(chan string, 100)
	w, err := library.Watch(func(uri string) { told <- uri }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	w.Follow(load(t, dir))
	await := func(want string) {
		t.Helper()
		for {
			select {
			case uri := <-told:
				if uri == want {
					return
				}
				// of a change before, told a second time
			case <-t.Context().Done():
				t.Fatalf("%s: nobody was told", want)
			}
		}
	}
	write(t, filepath.Join(dir, "README.md"), "b")
	await("docs://readme")
	write(t, filepath.Join(dir, "wiki", "a b.md"), "b")
	await("wiki://a%20b")
	write(t, filepath.Join(dir, "files", "a.txt"), "b")
	await("files:///a.txt")

	if err := os.Mkdir(filepath.Join(dir, "files", "new"), 0o755); err != nil {
		t.Fatal(err)
	}
	await("files:///new")  // from now on the folder is watched, too
	w.Follow(load(t, dir)) // at the latest
	write(t, filepath.Join(dir, "files", "new", "b.txt"), "b")
	await("files:///new/b.txt")

	replaced := filepath.Join(dir, "new.md")
	write(t, replaced, "c")
	if err := os.Rename(replaced, filepath.Join(dir, "README.md")); err != nil { // as editors save
		t.Fatal(err)
	}
	await("docs://readme")

	write(t, filepath.Join(dir, "resources", "note.yaml"), "uri: notes://today\nname: today\ntext: two\n")
	w.Follow(load(t, dir))
	await("notes://today")
}
