package catalog_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"helve/catalog"
)

// recipe is something that is no tool.
type recipe struct {
	Name string `yaml:"name"`
}

type recipes struct{}

func (recipes) Kind() string       { return "recipe" }
func (recipes) Patterns() []string { return []string{"recipes/*.yaml"} }

func (recipes) Load(_ context.Context, f *catalog.File) ([]catalog.Found, error) {
	r := &recipe{}
	if err := f.Decode(r); err != nil {
		return nil, err
	}
	return []catalog.Found{{Value: r, Line: f.Line("/name"), Group: "the recipe " + r.Name}}, nil
}

// TestValues: what is no tool is found, checked and kept as tools are.
func TestValues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "recipes"), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"a.yaml": "name: soup\n", "b.yaml": "name: soup\n", "c.yaml": "name: bread\n", "d.yaml": "nam: tea\n"} {
		if err := os.WriteFile(filepath.Join(dir, "recipes", file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := catalog.Load(t.Context(), catalog.Options{Dir: dir, Sources: []catalog.Source{recipes{}}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range catalog.Values[*recipe](c) {
		names = append(names, r.Name)
	}
	if !slices.Equal(names, []string{"soup", "bread"}) || len(catalog.Values[string](c)) != 0 || len(c.Tools()) != 0 {
		t.Errorf("found %v and %d tools", names, len(c.Tools()))
	}
	var problems []string
	for _, p := range c.Problems() {
		problems = append(problems, p.Place())
	}
	if !slices.Equal(problems, []string{"recipes/b.yaml:1", "recipes/d.yaml:1:1", "recipes/d.yaml:1:1"}) {
		t.Errorf("problems: %v", c.Problems())
	}
}
