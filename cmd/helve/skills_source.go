package main

import (
	"context"
	"errors"
	"path/filepath"

	"helve/catalog"
	"helve/skill"
)

// skillSource finds the skills of a workspace and the person's own. What is wrong in the
// latter is no fault of the workspace: "helve skills list" tells it, and who asked for all.
func (a *app) skillSource() catalog.Source {
	return skillSource{skill.Source(a.skillOptions()), a.verbose}
}

type skillSource struct {
	catalog.Source
	verbose bool
}

// Watches makes skillSource a [catalog.Watching].
func (s skillSource) Watches() []string { return s.Source.(catalog.Watching).Watches() }

func (s skillSource) Load(ctx context.Context, f *catalog.File) ([]catalog.Found, error) {
	found, err := s.Source.Load(ctx, f)
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	var tell []error
	for _, one := range all {
		var p *catalog.Problem
		if !errors.As(one, &p) || !filepath.IsAbs(filepath.FromSlash(p.File)) {
			tell = append(tell, one)
			continue
		}
		if s.verbose {
			p.Warning = true
			tell = append(tell, p)
		}
	}
	return found, errors.Join(tell...)
}
