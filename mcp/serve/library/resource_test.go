package library_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/catalog"
	"helve/mcp/serve"
	"helve/mcp/serve/library"
	"helve/message"
)

var shelf = map[string]string{
	"resources/note.yaml":   "uri: notes://today\nname: today\ntext: 'as it is: {page}'\n",
	"resources/readme.yaml": "uri: docs://readme\nname: readme\nfile: README.md\n",
	"resources/photo.yaml":  "uri: docs://photo\nname: photo\nfile: photo\n",
	"resources/page.yaml":   "uri: wiki://{page}\nname: page\nfile: wiki/{page}.md\n",
	"resources/any.yaml":    "uri: files:///{+path}\nname: any\nmedia_type: text/x-any\nfile: files/{path}\n",
	"resources/greet.yaml":  "uri: greet://{name}\nname: greet\nmedia_type: application/json\ntext: '{\"name\":\"{name}\",\"kept\":\"{{name}}\"}'\n",
	"README.md":             "# Read me",
	"photo":                 png,
	"wiki/home.md":          "home",
	"wiki/a b.md":           "a b",
	"wiki/.draft.md":        "hidden",
	"secret.md":             "secret",
	"files/a/b.txt":         "b",
	"files/.git/config":     "hidden",
}

func TestRead(t *testing.T) {
	t.Parallel()
	dir := workspace(t, shelf)
	if err := os.Symlink("/etc", filepath.Join(dir, "files", "etc")); err != nil {
		t.Fatal(err)
	}
	_, resources := library.Of(load(t, dir))
	for _, test := range []struct {
		uri  string
		want message.Resource
		gone bool
	}{
		{uri: "notes://today", want: message.Resource{MediaType: "text/plain", Text: "as it is: {page}"}},
		{uri: "docs://readme", want: message.Resource{MediaType: "text/markdown", Text: "# Read me"}},
		{uri: "docs://photo", want: message.Resource{MediaType: "image/png", Data: []byte(png)}},
		{uri: "wiki://home", want: message.Resource{MediaType: "text/markdown", Text: "home"}},
		{uri: "wiki://a%20b", want: message.Resource{MediaType: "text/markdown", Text: "a b"}},
		{uri: "files:///a/b.txt", want: message.Resource{MediaType: "text/x-any", Text: "b"}},
		{uri: "greet://Ada", want: message.Resource{MediaType: "application/json", Text: `{"name":"Ada","kept":"{name}"}`}},
		{uri: "wiki://none", gone: true},
		{uri: "wiki://..%2Fsecret", gone: true},
		{uri: "wiki://.draft", gone: true},
		{uri: "files:///../secret.md", gone: true},
		{uri: "files:///.git/config", gone: true},
		{uri: "files:///a", gone: true},
		{uri: "files:////etc/passwd", gone: true},
		{uri: "files:///a/%00", gone: true},
	} {
		r := find(resources, test.uri)
		if r == nil {
			t.Errorf("%s: nothing answers", test.uri)
			continue
		}
		got, err := r.Read(t.Context(), test.uri)
		if test.gone != errors.Is(err, fs.ErrNotExist) || !test.gone && err != nil {
			t.Errorf("%s: %v", test.uri, err)
		}
		if got.MediaType != test.want.MediaType || got.Text != test.want.Text || string(got.Data) != string(test.want.Data) {
			t.Errorf("%s: %+v, want %+v", test.uri, got, test.want)
		}
	}
	if _, err := find(resources, "files:///x").Read(t.Context(), "files:///etc/passwd"); err == nil {
		t.Error("a link leads out of the workspace")
	}
}

func TestALargeFileIsRefused(t *testing.T) {
	t.Parallel()
	_, resources := loaded(t, map[string]string{"resources/a.yaml": "uri: a://b\nname: a\nfile: large\n", "large": strings.Repeat("x", 8<<20+1)})
	if _, err := resources[0].Read(t.Context(), "a://b"); err == nil || !strings.Contains(err.Error(), "larger than 8 MiB") {
		t.Errorf("got %v", err)
	}
}

// find returns the resource for an address: of templates there is one for each scheme.
func find(resources []serve.Resource, uri string) *serve.Resource {
	scheme, _, _ := strings.Cut(uri, ":")
	for i, r := range resources {
		if r.URI == uri || strings.HasPrefix(r.Template, scheme+":") {
			return &resources[i]
		}
	}
	return nil
}

// FuzzRead: no address reads what is hidden or outside of its folder.
func FuzzRead(f *testing.F) {
	dir := workspace(f, shelf)
	_, resources := library.Of(load(f, dir))
	for _, uri := range []string{"wiki://home", "wiki://..%2fsecret", "files:///../secret.md", "files:///a/../../secret.md", "files:///.git/config", "files:///%2e%2e/secret.md", "wiki://%ff", "greet://{name}"} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		for _, r := range resources {
			if r.Template == "" {
				continue
			}
			got, err := r.Read(t.Context(), uri)
			if err == nil && r.Name != "greet" && (got.Text == "secret" || got.Text == "hidden") {
				t.Errorf("%s reads %q at %q", r.Name, got.Text, uri)
			}
		}
	})
}

// FuzzFiles: no file of a workspace makes a panic, and what has no problem can be served.
func FuzzFiles(f *testing.F) {
	for path, text := range shelf {
		if strings.HasPrefix(path, "resources/") {
			f.Add(prompt, text)
		}
	}
	f.Add("name: p\narguments: [{name: a, ask: q}]\nmessages: [{text: '{a}{{a}}'}, {resource: 'a://{a}'}]", "uri: a://{b}{+c}\nname: n\nfile: x{c}/{b}")
	f.Fuzz(func(t *testing.T, promptText, resourceText string) {
		dir := workspace(t, map[string]string{"prompts/a.yaml": promptText, "resources/a.yaml": resourceText})
		c, err := catalog.Load(t.Context(), catalog.Options{Dir: dir, Sources: library.Sources()})
		if err != nil {
			t.Fatal(err)
		}
		prompts, resources := library.Of(c)
		if len(prompts)+len(resources)+len(c.Problems()) == 0 {
			t.Errorf("%q and %q are neither served nor a problem", promptText, resourceText)
		}
		s := serve.New(serve.Options{})
		defer s.Close()
		if err := s.Set(serve.Content{Prompts: prompts, Resources: resources}); err != nil {
			t.Errorf("no problem was told: %v", err)
		}
		for _, p := range prompts {
			_, _ = p.Render(t.Context(), map[string]string{"a": "{b}"})
		}
		for _, r := range resources {
			_, _ = r.Read(t.Context(), r.URI+r.Template)
		}
	})
}
