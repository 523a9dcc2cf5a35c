package library_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"helve/catalog"
	"helve/mcp/serve"
	"helve/mcp/serve/library"
	"helve/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// workspace is a folder with these files.
func workspace(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(path)), text)
	}
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, dir string) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Load(context.Background(), catalog.Options{Dir: dir, Sources: library.Sources()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// loaded is a workspace without problems.
func loaded(t testing.TB, files map[string]string) ([]serve.Prompt, []serve.Resource) {
	t.Helper()
	c := load(t, workspace(t, files))
	for _, p := range c.Problems() {
		t.Error(p.Error())
	}
	return library.Of(c)
}

// spoken is what messages say, a line for each.
func spoken(messages []message.Message) string {
	var lines []string
	for _, m := range messages {
		for _, p := range m.Parts {
			line := string(m.Role) + " "
			switch p := p.(type) {
			case message.Text:
				line += string(p)
			case message.Image:
				line += p.MediaType
			case message.Audio:
				line += p.MediaType
			case message.Resource:
				line += p.URI + " " + p.MediaType + " " + p.Text
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
