package catalog

import (
	"fmt"

	"helve/internal/yamlfile"
	"helve/tool"
)

// Where sets and agents are: the documents put them below configs.
var (
	setPatterns   = []string{"tool_sets/*.yaml", "tool_sets/*.yml", "configs/tool_sets/*.yaml", "configs/tool_sets/*.yml"}
	agentPatterns = []string{"agents/*.yaml", "agents/*.yml", "configs/agents/*.yaml", "configs/agents/*.yml"}
)

// sets reads the tool sets and finds their tools.
func (l *loader) sets() {
	fault := ""
	for _, p := range l.catalog.problems {
		if !p.Warning && p.File != SettingsFile && fault == "" {
			fault = p.File
		}
	}
	files := l.each(setPatterns, nil, func(f *File) (any, bool, error) {
		var s SetFile
		if err := f.Decode(&s); err != nil {
			return nil, false, err
		}
		if s.Name == "" {
			return nil, false, f.errorf("/name", "give it one", "the name is empty")
		}
		return &s, false, nil
	})
	r := &resolver{tools: l.catalog.names(), exact: l.catalog.exact(), sets: map[string]*setNames{}, fault: fault, missing: l.missing, warn: l.warn}
	l.resolver = r
	var order []*setNames
	for _, m := range files {
		spec := m.value.(*SetFile)
		if first, taken := r.sets[spec.Name]; taken {
			l.twice(m.file, "tool set", spec.Name, first.file)
			continue
		}
		s := &setNames{file: m.file, spec: spec}
		r.sets[spec.Name] = s
		order = append(order, s)
	}
	for _, s := range order {
		r.complete(s, nil)
		set := Set{SetFile: *s.spec, Tools: l.catalog.pick(s.names), File: s.file.Path, from: l.catalog.from(s.names)}
		if s.err != nil {
			set = l.broken(s.file, s.err, l.previous.sets[s.spec.Name], set)
		}
		l.catalog.sets[s.spec.Name] = set
	}
}

// agents reads the agents and finds their tools.
func (l *loader) agents() {
	files := l.each(agentPatterns, nil, func(f *File) (any, bool, error) {
		var a AgentFile
		if err := f.Decode(&a); err != nil {
			return nil, false, err
		}
		if a.Name == "" {
			return nil, false, f.errorf("/name", "give it one", "the name is empty")
		}
		if errs := a.check(f); len(errs) > 0 {
			return nil, false, errs
		}
		return &a, false, nil
	})
	for _, m := range files {
		spec := m.value.(*AgentFile)
		if first, taken := l.catalog.agents[spec.Name]; taken {
			l.twice(m.file, "agent", spec.Name, &File{Path: first.File})
			continue
		}
		l.catalog.agents[spec.Name] = l.agent(m.file, spec)
	}
}

func (l *loader) agent(f *File, spec *AgentFile) *Agent {
	names, err := l.resolver.resolve(selection{file: f, tools: spec.Tools, toolSets: spec.ToolSets, without: spec.Name + " runs without"})
	var errs yamlfile.Errors
	if err != nil {
		errs = err.(yamlfile.Errors)
	}
	a := &Agent{AgentFile: *spec, File: f.Path, from: l.catalog.from(names), instead: map[string]*Instead{}}
	has, does := map[string]bool{}, map[string]bool{}
	for _, t := range l.catalog.pick(names) {
		name := t.Definition().Name
		has[name] = true
		o := spec.Overrides[name]
		if isFalse(o.Enabled) {
			continue
		}
		a.Tools = append(a.Tools, o.apply(t))
		if instead := l.catalog.byName[name].instead; instead != nil {
			a.instead[name] = instead
			does[instead.Of] = true
		}
	}
	for name, o := range spec.Overrides {
		if does[name] && o.Approval != "" {
			continue
		}
		if !has[name] && err == nil && !l.resolver.lacks(name) { // else its absence is no news
			errs = append(errs, f.errorf("/overrides/"+pointerEscape(name), meant(name, names), "%s is not among this agent's tools", name))
		}
	}
	if len(errs) == 0 {
		return a
	}
	if before := l.previous.agents[spec.Name]; before != nil && !before.broken {
		l.report(errs, f.Path, "until then the agent stays as it was")
		return before
	}
	a.broken = true
	l.report(errs, f.Path, "")
	return a
}

// broken reports the errors of a set and returns what it was before, if that is known,
// or what of it there is.
func (l *loader) broken(f *File, err error, before, now Set) Set {
	if before.Name == "" || before.broken {
		now.broken = true
		l.report(err, f.Path, "")
		return now
	}
	l.report(err, f.Path, "until then the set stays as it was")
	return before
}

func (l *loader) report(err error, file, more string) {
	found := problemsOf(file, err)
	if more != "" {
		found[len(found)-1].Hint = joinHints(found[len(found)-1].Hint, more)
	}
	l.catalog.problems = append(l.catalog.problems, found...)
}

func (l *loader) warn(err *yamlfile.Error) {
	found := problemsOf(err.File, err)
	found[0].Warning = true
	l.catalog.problems = append(l.catalog.problems, found...)
}

func (l *loader) twice(f *File, what, name string, first *File) {
	line := f.Line("/name")
	l.catalog.problems = append(l.catalog.problems, Problem{
		File: f.Path, Line: line, Warning: true,
		Message: fmt.Sprintf("the %s %s is defined in %s already, which counts", what, name, first.Path),
		Hint:    "rename one of them",
	})
}

// defaultAgent checks the one that helve.yaml names.
func (l *loader) defaultAgent() {
	name := l.catalog.settings.Agent
	m := l.catalog.files[SettingsFile]
	if name == "" || m == nil {
		return
	}
	if _, known := l.catalog.agents[name]; !known {
		l.report(m.file.errorf("/agent", meant(name, keys(l.catalog.agents)), "unknown agent %q", name), SettingsFile, "")
	}
}

// overridden is a tool with another definition.
type overridden struct {
	tool.Tool
	definition tool.Definition
}

func (o overridden) Definition() tool.Definition { return o.definition }

func (o Override) apply(t tool.Tool) tool.Tool {
	if o.Timeout == 0 {
		return t
	}
	d := t.Definition()
	d.Timeout = o.Timeout
	return overridden{t, d}
}
