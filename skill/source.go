package skill

import (
	"context"
	"errors"
	"path"

	"helve/catalog"
)

// Source finds skills for a workspace, below which options' folders are that are not
// absolute. A workspace gets the [Library.Tools], a tool of each skill's name
// ([Library.Tool]), and the [*Library] itself among its [catalog.Values].
//
// A skill's name as a tool is what an agent names under tools: that agent has the skill and
// no other. No pattern matches it, and another tool of the name counts before it. Where a
// person must allow skill_run, they must allow each call that runs a script. An agent with skill, skill_read and skill_run has them all, and wants the
// [Library.Catalogue] in its instructions.
func Source(options Options) catalog.Source { return &source{options} }

type source struct{ options Options }

func (*source) Kind() string { return "skill" }

// whole is the workspace's folder: the skills of all folders are one library, and are
// loaded at once.
const whole = "."

// Patterns are the workspace's folder.
func (*source) Patterns() []string { return []string{whole} }

// Watches are the folders that skills lie in: a skill is refused when any of its files is
// not what it was.
func (s *source) Watches() []string { return s.options.Folders }

func (s *source) Load(_ context.Context, f *catalog.File) ([]catalog.Found, error) {
	library, problems := open(f.Dir, s.options)
	found := []catalog.Found{{Value: library}}
	for _, t := range library.Tools() {
		one := catalog.Found{Tool: t, File: library.definedIn(t.Definition().Name)}
		if library.typed[t.Definition().Name] != nil {
			one.Instead = &catalog.Instead{Of: nameRun}
		}
		found = append(found, one)
	}
	for _, s := range library.visible() {
		t, err := library.Tool(s)
		if err != nil {
			problems = append(problems, catalog.Problem{File: s.Path, Warning: true, Message: "no agent can name the skill as a tool: " + err.Error(), Hint: "open it with the tool skill"})
			continue
		}
		found = append(found, catalog.Found{Tool: t, File: s.Path, Exact: true, Instead: &catalog.Instead{Of: nameRun, When: mayRun}})
	}
	errs := make([]error, len(problems))
	for i := range problems {
		errs[i] = &problems[i]
	}
	return found, errors.Join(errs...)
}

// definedIn is where a tool of the library comes from: a file, or the folder of the first
// skill for the tools of all skills.
func (l *Library) definedIn(name string) string {
	if s := l.typed[name]; s != nil {
		return path.Join(path.Dir(s.Path), typedFile)
	}
	return path.Dir(path.Dir(l.visible()[0].Path))
}
