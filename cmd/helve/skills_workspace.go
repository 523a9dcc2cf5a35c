package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helve/agent"
	"helve/catalog"
	"helve/executor"
	"helve/skill"
	"helve/tool"
)

// skillKind is what catalog entries of skills say they are. The tools for all skills are
// named as package skill names them.
const (
	skillKind  = "skill"
	scriptKind = "script" // as package script says
	openSkill  = "skill"
	runSkill   = "skill_run"
)

// skillOptions say where skills are and what runs their scripts.
func (a *app) skillOptions() skill.Options {
	return skill.Options{Folders: a.skillFolders(), Runner: late(a.programs), WASM: late(a.modules)}
}

// skillFolders are those of the workspace, then the user's own. MCP clients get none of
// those: what they use helve for is the workspace, and mostly they have the others already.
func (a *app) skillFolders() []string {
	folders := skill.Folders("")
	home, err := os.UserHomeDir()
	if a.serving || err != nil || !filepath.IsAbs(home) {
		return folders
	}
	dir, user, err := a.folders()
	if err != nil {
		return folders // the command says it
	}
	theirs := skill.Folders(home)[len(folders):]
	if user != "" {
		theirs = append(theirs, filepath.Join(user, "skills"))
	}
	for _, folder := range theirs {
		twice := slices.ContainsFunc(folders, func(have string) bool {
			return have == folder || filepath.Join(dir, filepath.FromSlash(have)) == folder
		})
		if !twice {
			folders = append(folders, folder)
		}
	}
	return folders
}

// skillsOf is the library of a workspace; nil where there is none.
func skillsOf(c *catalog.Catalog) *skill.Library {
	if all := catalog.Values[*skill.Library](c); len(all) > 0 {
		return all[0]
	}
	return nil
}

// generalTools are the tools of a workspace without those of the names of skills: who has
// them all opens and runs skills by three tools.
func generalTools(c *catalog.Catalog) []tool.Tool {
	named := namedSkills(c)
	return slices.DeleteFunc(c.Tools(), func(t tool.Tool) bool { return named[t.Definition().Name] })
}

// skillsNamed are the tools of the names of skills that --tools has: no pattern means them.
func (a *app) skillsNamed(c *catalog.Catalog) []tool.Tool {
	named := namedSkills(c)
	return slices.DeleteFunc(c.Tools(), func(t tool.Tool) bool {
		name := t.Definition().Name
		return !named[name] || !slices.ContainsFunc(a.tools, func(given string) bool { return strings.TrimSpace(given) == name })
	})
}

// namedSkills are the skills whose names are those of tools that count.
func namedSkills(c *catalog.Catalog) map[string]bool {
	named := map[string]bool{}
	library := skillsOf(c)
	if library == nil {
		return named
	}
	for _, e := range c.Entries() {
		name := e.Tool.Definition().Name
		if _, err := library.Skill(name); err == nil && e.Kind == skillKind && e.ShadowedBy == "" {
			named[name] = true
		}
	}
	return named
}

// opensSkills reports whether name, that of a tool for all skills of c, is among tools.
func opensSkills(c *catalog.Catalog, tools *tool.Registry, name string) bool {
	if _, has := tools.Lookup(name); !has {
		return false
	}
	return slices.ContainsFunc(c.Entries(), func(e catalog.Entry) bool {
		return e.Tool.Definition().Name == name && e.Kind == skillKind && e.ShadowedBy == ""
	})
}

// withSkills tells an agent which skills there are, if it can open them, and sees to it
// that it stays within what those in use allow.
func withSkills(c *catalog.Catalog, spec *catalog.Agent, config *agent.Config) {
	library, tools := skillsOf(c), config.Executor.Tools
	if library == nil {
		return
	}
	around := []executor.Middleware{library.Narrow(otherTools(c)...)} // before anybody is asked
	if opensSkills(c, tools, openSkill) {
		config.Instructions = strings.TrimSpace(config.Instructions + "\n\n" + library.Catalogue())
		if spec.Name == "" && opensSkills(c, tools, runSkill) {
			around = append([]executor.Middleware{byName(c)}, around...)
		}
	}
	config.Executor.Middleware = append(around, config.Executor.Middleware...)
}

// otherTools are the names of tools that are no skill's.
func otherTools(c *catalog.Catalog) []string {
	var names []string
	for _, e := range c.Entries() {
		if e.Kind != skillKind && e.ShadowedBy == "" {
			names = append(names, e.Tool.Definition().Name)
		}
	}
	return names
}

// byName lets who may open and run all skills call each by its name too: a model that knows
// a skill by its name often does (document 001). An agent of the workspace says itself what
// it has, and what of that a person must allow.
func byName(c *catalog.Catalog) executor.Middleware {
	named := namedSkills(c)
	return func(next executor.Handler) executor.Handler {
		return func(ctx context.Context, req executor.Request) (tool.Result, error) {
			if req.Tool == nil && named[req.Call.Name] {
				req.Tool, _ = c.Tool(req.Call.Name)
				// A text dialect knows no types of what was not offered.
				if typed, _, err := req.Definition().Schema().Coerce(req.Call.Arguments); err == nil {
					req.Call.Arguments = typed
				}
			}
			return next(ctx, req)
		}
	}
}
