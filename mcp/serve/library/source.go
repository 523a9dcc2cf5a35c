package library

import (
	"context"
	"errors"
	"io/fs"

	"helve/catalog"
	"helve/mcp/serve"
)

// Sources find the prompts and the resources of a workspace. What they find has no
// tools: [Of] returns it.
func Sources() []catalog.Source { return []catalog.Source{promptSource{}, resourceSource{}} }

// Of returns the prompts and the resources of a workspace, as they are served. Files
// are read when they are asked for.
func Of(c *catalog.Catalog) ([]serve.Prompt, []serve.Resource) {
	found := catalog.Values[*resource](c)
	var prompts []serve.Prompt
	for _, p := range catalog.Values[*prompt](c) {
		prompts = append(prompts, p.served(found))
	}
	var resources []serve.Resource
	for _, r := range found {
		resources = append(resources, r.served())
	}
	return prompts, resources
}

type promptSource struct{}

func (promptSource) Kind() string       { return "prompt" }
func (promptSource) Patterns() []string { return []string{"prompts/*.yaml", "prompts/*.yml"} }
func (promptSource) File() any          { return PromptFile{} }

func (promptSource) Load(_ context.Context, f *catalog.File) ([]catalog.Found, error) {
	p := &prompt{dir: f.Dir}
	if err := f.Decode(&p.PromptFile); err != nil {
		return nil, err
	}
	if errs := p.check(f); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return []catalog.Found{{Value: p, Line: f.Line("/name"), Group: "the prompt " + p.Name}}, errors.Join(p.missing(f)...)
}

type resourceSource struct{}

func (resourceSource) Kind() string       { return "resource" }
func (resourceSource) Patterns() []string { return []string{"resources/*.yaml", "resources/*.yml"} }
func (resourceSource) File() any          { return ResourceFile{} }

func (resourceSource) Load(_ context.Context, f *catalog.File) ([]catalog.Found, error) {
	r := &resource{dir: f.Dir}
	if err := f.Decode(&r.ResourceFile); err != nil {
		return nil, err
	}
	if errs := r.check(f); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	found := []catalog.Found{{Value: r, Line: f.Line("/uri"), Group: "the resource " + r.URI}}
	if r.File == "" || r.template != nil {
		return found, nil
	}
	return found, warnMissing(f, "/file", r.File)
}

// warnMissing warns of a file that is not there: it may come later, or be misspelt.
func warnMissing(f *catalog.File, pointer, file string) error {
	if _, err := read(f.Dir, file); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &catalog.Problem{File: f.Path, Line: f.Line(pointer), Message: "there is no file " + file + " in the workspace", Hint: "write its path from there", Warning: true}
}
