package catalog

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"helve/internal/nearest"
	"helve/internal/yamlfile"
)

// resolver finds what the names in sets and agents stand for.
type resolver struct {
	tools []string        // names, sorted
	exact map[string]bool // of them, those that no pattern matches
	fault string          // a file that should have tools and has an error; may be empty
	sets  map[string]*setNames

	missing []missing
	warn    func(*yamlfile.Error)
}

// missing are tools that there are, and that are not known now.
type missing struct {
	prefix string // of their names
	group  string // such as a server
	told   bool   // their file has a problem; else nobody has looked for them
}

// mayName says whether pattern may be the name, or match the name, of one of them.
func (m missing) mayName(pattern string) bool {
	fixed := pattern
	if at := strings.IndexAny(pattern, wild); at >= 0 {
		fixed = pattern[:at]
		if strings.HasPrefix(m.prefix, fixed) {
			return true
		}
	}
	return strings.HasPrefix(fixed, m.prefix)
}

// wild are the characters of a pattern, in the language of path.Match.
const wild = `*?[\`

// setNames is a set whose names are being resolved, or were.
type setNames struct {
	file   *File
	spec   *SetFile
	names  []string
	err    error
	begun  bool
	ended  bool
	before *setNames // that led here
}

// selection is what a set or an agent says: names of tools and of sets.
type selection struct {
	file            *File
	tools, toolSets []string
	within          *setNames // nil for an agent
	without         string    // what it means that a tool is missing
}

// resolve returns the names of the tools that s selects, sorted. What an entry with a
// minus names is left out, wherever it stands. The error joins all that is wrong.
func (r *resolver) resolve(s selection) ([]string, error) {
	var errs yamlfile.Errors
	chosen, out := map[string]bool{}, map[string]bool{}
	for i, name := range s.toolSets {
		names, err := r.set(s, fmt.Sprintf("/tool_sets/%d", i), name)
		if err != nil {
			errs = append(errs, err)
		}
		for _, n := range names {
			chosen[n] = true
		}
	}
	for i, entry := range s.tools {
		pattern, exclude := strings.CutPrefix(entry, "-")
		names, err := r.match(s, fmt.Sprintf("/tools/%d", i), pattern, exclude)
		if err != nil {
			errs = append(errs, err)
		}
		for _, n := range names {
			if exclude {
				out[n] = true
			} else {
				chosen[n] = true
			}
		}
	}
	var names []string
	for n := range chosen {
		if !out[n] {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	if len(errs) > 0 {
		return names, errs
	}
	return names, nil
}

// match returns the tools that pattern names. One that matches none is a mistake:
// whoever wrote it counts on a tool that is not there. A pattern that leaves tools out
// matches also those that are there by their exact names alone.
func (r *resolver) match(s selection, at, pattern string, exclude bool) ([]string, *yamlfile.Error) {
	if !strings.ContainsAny(pattern, wild) {
		if _, known := slices.BinarySearch(r.tools, pattern); known {
			return []string{pattern}, nil
		}
		if _, isSet := r.sets[pattern]; isSet {
			return nil, s.file.errorf(at, "name it under tool_sets", "%s is a tool set", pattern)
		}
		if r.isMissing(s, at, pattern) {
			return nil, nil
		}
		hint := meant(pattern, r.tools)
		if r.fault != "" {
			hint = joinHints(hint, r.fault+" has an error of its own and may define it")
		}
		return nil, s.file.errorf(at, hint, "unknown tool %q", pattern)
	}
	var names, named []string
	for _, n := range r.tools {
		ok, err := path.Match(pattern, n)
		if err != nil {
			return nil, s.file.errorf(at, "* stands for any letters, ? for one, [ab] for one of them", "%q is no pattern", pattern)
		}
		switch {
		case ok && r.exact[n] && !exclude:
			named = append(named, n)
		case ok:
			names = append(names, n)
		}
	}
	if names == nil && !r.isMissing(s, at, pattern) {
		if len(named) > 0 {
			return nil, s.file.errorf(at, "name "+strings.Join(named[:min(3, len(named))], ", "), "%q is a pattern, and what it matches is had by its exact name alone", pattern)
		}
		return nil, s.file.errorf(at, "\"helve tools list\" shows the tools", "no tool matches %q", pattern)
	}
	return names, nil
}

// isMissing says whether pattern may name tools that are not known now, and warns of it.
func (r *resolver) isMissing(s selection, at, pattern string) bool {
	for _, m := range r.missing {
		if !m.mayName(pattern) {
			continue
		}
		if m.told {
			r.warn(s.file.errorf(at, "until it is, "+s.without+" it", "%s is of %s, which is not reached", pattern, m.group))
		}
		return true
	}
	return false
}

// lacks says whether name may be that of a tool that is not known now.
func (r *resolver) lacks(name string) bool {
	return slices.ContainsFunc(r.missing, func(m missing) bool { return m.mayName(name) })
}

// set returns the tools of the set that s names.
func (r *resolver) set(s selection, at, name string) ([]string, *yamlfile.Error) {
	set, known := r.sets[name]
	if !known {
		names := make([]string, 0, len(r.sets))
		for n := range r.sets {
			names = append(names, n)
		}
		slices.Sort(names)
		if _, isTool := slices.BinarySearch(r.tools, name); isTool {
			return nil, s.file.errorf(at, "name it under tools", "%s is a tool", name)
		}
		return nil, s.file.errorf(at, meant(name, names), "unknown tool set %q", name)
	}
	if set.begun && !set.ended {
		return nil, s.file.errorf(at, "take one of them out", "tool sets that hold each other: %s", cycle(s.within, set))
	}
	r.complete(set, s.within)
	if set.err != nil {
		return set.names, s.file.errorf(at, "", "the tool set %s has errors of its own, see %s", name, set.file.Path)
	}
	return set.names, nil
}

// complete resolves a set, once.
func (r *resolver) complete(set, before *setNames) {
	if set.begun {
		return
	}
	set.begun, set.before = true, before
	set.names, set.err = r.resolve(selection{set.file, set.spec.Tools, set.spec.ToolSets, set, set.spec.Name + " lacks"})
	set.ended = true
}

// cycle is the way from last back to first.
func cycle(last, first *setNames) string {
	way := []string{first.spec.Name}
	for s := last; s != nil; s = s.before {
		way = append(way, s.spec.Name)
		if s == first {
			break
		}
	}
	slices.Reverse(way)
	return strings.Join(way, " → ")
}

// meant is a hint for somebody who wrote name where have are.
func meant(name string, have []string) string {
	if near := nearest.Names(name, have, 3); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	switch {
	case len(have) == 0:
		return "there is none"
	case len(have) > 20:
		return ""
	}
	return "there are " + strings.Join(have, ", ")
}

// notFound is the error for a name that a caller, not a file, got wrong.
func notFound(what, name string, have []string) error {
	text := fmt.Sprintf("unknown %s %q", what, name)
	if hint := meant(name, have); hint != "" {
		text += ": " + hint
	}
	return errors.New(text)
}

// pointerEscaper writes a step of a JSON Pointer (RFC 6901).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func pointerEscape(step string) string { return pointerEscaper.Replace(step) }
