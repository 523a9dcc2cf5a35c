package skill

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"helve/catalog"
	"helve/internal/nearest"
	"helve/sandbox"
	"helve/tool"
)

// Options say which skills there are and what runs their scripts. A zero field is
// possible.
type Options struct {
	// Folders are those that skills lie in, such as what [Folders] returns. Of two skills
	// with one name that of the earlier folder counts. One that is missing is no problem.
	Folders []string

	// Runner runs scripts. Without it none can be run.
	Runner sandbox.Runner

	// WASM runs WebAssembly modules, the same way.
	WASM sandbox.Runner
}

// Folders are the usual ones: those of a project, below its folder, then those of the
// person whose home directory this is; with an empty one a project's alone.
func Folders(home string) []string {
	folders := []string{"skills", ".agents/skills", ".helve/skills", ".claude/skills"}
	if home == "" {
		return folders
	}
	for _, own := range []string{".agents/skills", ".claude/skills", ".config/helve/skills"} {
		folders = append(folders, filepath.Join(home, filepath.FromSlash(own)))
	}
	return folders
}

// Library is the skills that were found. It does not change and is safe for concurrent use.
type Library struct {
	options Options
	skills  []*Skill // by name
	tools   []tool.Tool
	typed   map[string]*Skill // whose typed tool has the name
}

// Open finds the skills in the folders of options, those that are not absolute below the
// working directory. The problems are those of [Load], and say which skills have a name
// that is taken; none hides a skill that is good.
func Open(options Options) (*Library, []catalog.Problem) { return open("", options) }

// open is Open with the folder that others are below.
func open(dir string, options Options) (*Library, []catalog.Problem) {
	d := discovery{seen: map[string]*Skill{}}
	for _, folder := range options.Folders {
		at := folder
		if !filepath.IsAbs(folder) {
			at = filepath.Join(dir, folder)
		}
		d.folder(at, filepath.ToSlash(folder))
	}
	l := &Library{options: options, skills: d.skills, typed: map[string]*Skill{}}
	slices.SortFunc(l.skills, func(a, b *Skill) int { return strings.Compare(a.Name, b.Name) })
	l.tools = l.makeTools()
	return l, byPlace(d.problems)
}

// Skills returns all skills, also the hidden ones, in the order of their names.
func (l *Library) Skills() []*Skill { return slices.Clone(l.skills) }

// Skill returns the skill of that name. The error is a [*tool.Error] with the names that
// may have been meant.
func (l *Library) Skill(name string) (*Skill, error) { return find(name, l.skills) }

// visible are the skills that a model may use.
func (l *Library) visible() []*Skill {
	return slices.DeleteFunc(slices.Clone(l.skills), func(s *Skill) bool { return s.Hidden })
}

func find(name string, skills []*Skill) (*Skill, error) {
	i, found := slices.BinarySearchFunc(skills, name, func(s *Skill, name string) int { return cmp.Compare(s.Name, name) })
	if found {
		return skills[i], nil
	}
	var names []string
	for _, s := range skills {
		names = append(names, s.Name)
	}
	e := &tool.Error{Kind: tool.KindNotFound, Message: fmt.Sprintf("Skill not found: %.100s", name)}
	if near := nearest.Names(name, names, 3); len(near) > 0 {
		e.Detail = map[string]any{"available": near}
	}
	return nil, e
}
