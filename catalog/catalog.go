package catalog

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"helve/tool"
)

// Catalog is what a workspace held when it was loaded. It does not change and is safe
// for concurrent use.
type Catalog struct {
	dir       string
	settings  Settings
	user      *Settings        // of the user's own file
	unsettled *Problem         // why the settings are not known
	entries   []Entry          // as they were found, then sorted by name
	byName    map[string]Entry // those that count
	values    []any            // as they were found
	sets      map[string]Set
	agents    map[string]*Agent
	problems  []Problem

	files map[string]*made
	holds map[*made]bool // what its tools, sets and agents are made of
}

// Entry is a tool that was found, and where.
type Entry struct {
	Tool tool.Tool
	Kind string // of its source; "builtin" for those of the program
	File string // below the workspace; empty for those of the program
	Line int    // 0 is the file as a whole

	// ShadowedBy is the place of the tool of the same name that counts; empty for
	// that tool itself.
	ShadowedBy string

	of      *made
	exact   bool     // see [Found]
	instead *Instead // see [Found]
}

// Place says where the tool is defined: FILE:LINE, or that it is built in.
func (e Entry) Place() string {
	switch {
	case e.File == "":
		return "built in"
	case e.Line == 0:
		return e.File
	}
	return fmt.Sprintf("%s:%d", e.File, e.Line)
}

// index finds who has a name, with a warning to those who come too late.
func (c *Catalog) index() {
	c.byName, c.sets, c.agents = map[string]Entry{}, map[string]Set{}, map[string]*Agent{}
	slices.SortStableFunc(c.entries, func(a, b Entry) int { return rank(a.exact) - rank(b.exact) })
	for i, e := range c.entries {
		name := e.Tool.Definition().Name
		other, taken := c.byName[name]
		if !taken {
			c.byName[name] = e
			continue
		}
		c.entries[i].ShadowedBy = other.Place()
		if e.exact && !other.exact {
			c.problems = append(c.problems, Problem{
				File: e.File, Line: e.Line, Warning: true,
				Message: fmt.Sprintf("the %s %s has no tool of its own name: that is the name of a tool already (%s), which counts", e.Kind, name, other.Place()),
				Hint:    fmt.Sprintf("the %s can be used all the same; rename it if agents are to name it", e.Kind),
			})
			continue
		}
		late, place := e, other.Place()
		if late.File == "" {
			late = other // nobody can mend what is built in
			place = "the program"
		}
		message := fmt.Sprintf("the tool %s is defined in %s already, which counts", name, place)
		if place == "the program" {
			message = fmt.Sprintf("the tool %s takes the place of the one that is built in", name)
		}
		c.problems = append(c.problems, Problem{File: late.File, Line: late.Line, Message: message, Hint: "rename one of them if that is not meant", Warning: true})
	}
	slices.SortStableFunc(c.entries, func(a, b Entry) int {
		return strings.Compare(a.Tool.Definition().Name, b.Tool.Definition().Name)
	})
}

// rank puts what others count before behind them.
func rank(exact bool) int {
	if exact {
		return 1
	}
	return 0
}

// exact are the names of tools that no pattern matches.
func (c *Catalog) exact() map[string]bool {
	names := map[string]bool{}
	for name, e := range c.byName {
		if e.exact {
			names[name] = true
		}
	}
	return names
}

// from returns what the tools of these names are made of.
func (c *Catalog) from(names []string) []*made {
	var from []*made
	for _, n := range names {
		if e, ok := c.byName[n]; ok {
			from = append(from, e.of)
		}
	}
	return from
}

// hold notes all that must live as long as the catalog: a set or an agent that stays as
// it was has tools that are nowhere else.
func (c *Catalog) hold() {
	c.holds = map[*made]bool{}
	for _, m := range c.files { // also one whose tools were all refused
		c.holds[m] = true
	}
	for _, e := range c.entries {
		c.holds[e.of] = true
	}
	for _, s := range c.sets {
		for _, m := range s.from {
			c.holds[m] = true
		}
	}
	for _, a := range c.agents {
		for _, m := range a.from {
			c.holds[m] = true
		}
	}
}

// Close closes the tools that are io.Closers, such as those that keep a process. It is
// for a catalog of [Load] that nobody uses any more; those of a [Live] belong to that.
// They are closed at once: each may wait for a process to end.
func (c *Catalog) Close() error {
	var all []io.Closer
	for m := range c.holds {
		all = append(all, m.closers()...)
	}
	return closeAll(all)
}

// Dir is the workspace's folder, or empty where there is none.
func (c *Catalog) Dir() string { return c.dir }

// Settings returns what helve.yaml says, over what the user's own says. The error is
// for a file that can't be read: to go on without it might ask a server that its
// author did not mean.
func (c *Catalog) Settings() (Settings, error) {
	if c.unsettled != nil {
		return c.settings, c.unsettled
	}
	return c.settings, nil
}

// Problems returns all that is wrong, by file and line.
func (c *Catalog) Problems() []Problem { return slices.Clone(c.problems) }

// Entries returns the tools that were found, by name; of one name the one that counts
// first, then those it shadows.
func (c *Catalog) Entries() []Entry { return slices.Clone(c.entries) }

// Tools returns the tools, one for each name, in the order of the names (document
// 004: load_tools).
func (c *Catalog) Tools() []tool.Tool { return c.pick(c.names()) }

// Tool returns the tool of that name (document 004: get_tool).
func (c *Catalog) Tool(name string) (tool.Tool, bool) {
	e, ok := c.byName[name]
	return e.Tool, ok
}

// Values returns what files define that is no tool (see [Found]), as far as it is a T, in
// the order of the files.
func Values[T any](c *Catalog) []T {
	var values []T
	for _, v := range c.values {
		if v, ok := v.(T); ok {
			values = append(values, v)
		}
	}
	return values
}

// Set returns the set of that name with its tools (document 004: get_tool_set). The
// error names sets that may have been meant, or says that the set is broken.
func (c *Catalog) Set(name string) (Set, error) {
	s, ok := c.sets[name]
	if !ok {
		return Set{}, notFound("tool set", name, keys(c.sets))
	}
	if s.broken {
		return s, c.brokenError("tool set", name, s.File)
	}
	return s, nil
}

// Sets returns the sets in the order of their names.
func (c *Catalog) Sets() []Set {
	var all []Set
	for _, name := range keys(c.sets) {
		all = append(all, c.sets[name])
	}
	return all
}

// Agent returns the agent of that name. The error names agents that may have been
// meant, or says what is wrong with the agent: one that lacks a tool it names is not
// given out.
func (c *Catalog) Agent(name string) (*Agent, error) {
	a, ok := c.agents[name]
	if !ok {
		err := notFound("agent", name, keys(c.agents))
		for _, p := range c.problems {
			if stem := path.Base(p.File); !p.Warning && strings.Contains(p.File, "agents/") && strings.TrimSuffix(stem, path.Ext(stem)) == name {
				return nil, fmt.Errorf("%w; maybe its file is at fault: %s", err, p.Error())
			}
		}
		return nil, err
	}
	if a.broken {
		return nil, c.brokenError("agent", name, a.File)
	}
	return a, nil
}

// Agents returns the agents in the order of their names.
func (c *Catalog) Agents() []*Agent {
	var all []*Agent
	for _, name := range keys(c.agents) {
		all = append(all, c.agents[name])
	}
	return all
}

func (c *Catalog) brokenError(what, name, file string) error {
	for _, p := range c.problems {
		if p.File == file && !p.Warning {
			return fmt.Errorf("the %s %s has an error: %w", what, name, &p)
		}
	}
	return fmt.Errorf("the %s %s has an error, see %s", what, name, file)
}

// names is sorted.
func (c *Catalog) names() []string { return keys(c.byName) }

func (c *Catalog) pick(names []string) []tool.Tool {
	var tools []tool.Tool
	for _, n := range names {
		if e, ok := c.byName[n]; ok {
			tools = append(tools, e.Tool)
		}
	}
	return tools
}

func keys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
