package main

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"helve/internal/nearest"
	"helve/tool"
)

// registry returns the tools of the workspace that the flags allow.
func (a *app) registry(ctx context.Context) (*tool.Registry, error) {
	c, err := a.workspace(ctx)
	if err != nil {
		return nil, err
	}
	return a.allowed(c.Tools())
}

// allowed returns those of tools that --tools names, or all without it.
func (a *app) allowed(tools []tool.Tool) (*tool.Registry, error) {
	if a.noTools {
		return &tool.Registry{}, nil
	}
	all, err := tool.NewRegistry(tools...)
	if err != nil || !a.toolsGiven {
		return all, err
	}
	if len(a.tools) == 0 {
		return nil, usage("--tools is empty: name tools, or use --no-tools for none")
	}
	chosen := &tool.Registry{}
	for _, name := range a.tools {
		name = strings.TrimSpace(name)
		if strings.ContainsAny(name, "*?[") {
			if err := addMatching(chosen, all, name); err != nil {
				return nil, err
			}
			continue
		}
		t, ok := all.Lookup(name)
		if !ok {
			return nil, unknownTool(exitUsage, name, all)
		}
		if err := chosen.Register(t); err != nil {
			return nil, usage("--tools: %v", err)
		}
	}
	return chosen, nil
}

// addMatching adds the tools that a pattern names and that are not chosen yet.
func addMatching(chosen, all *tool.Registry, pattern string) error {
	found := false
	for _, t := range all.Tools() {
		name := t.Definition().Name
		matches, err := path.Match(pattern, name)
		if err != nil {
			return usage("--tools: %q is no pattern: use * for any letters", pattern)
		}
		if !matches {
			continue
		}
		found = true
		if _, already := chosen.Lookup(name); already {
			continue
		}
		if err := chosen.Register(t); err != nil {
			return usage("--tools: %v", err)
		}
	}
	if !found {
		return usage("--tools: no tool matches %q: \"helve tools list\" shows all", pattern)
	}
	return nil
}

func names(r *tool.Registry) []string {
	var names []string
	for _, t := range r.Tools() {
		names = append(names, t.Definition().Name)
	}
	return names
}

// switchedOff are the tools that a flag must allow.
var switchedOff = map[string]string{
	"read_file":  "allow it with --files DIR",
	"list_files": "allow it with --files DIR",
	"http_get":   "allow it with --allow-host HOST",
	"sql_tool":   "allow it with builtin.data_analysis in helve.yaml",
	"excel_tool": "allow it with builtin.data_analysis in helve.yaml",
	"plot_tool":  "allow it with builtin.data_analysis in helve.yaml",
}

func unknownTool(code int, name string, r *tool.Registry) error {
	return &failure{code, "not_found", errors.New(r.NotFound(name).Message), hintFor(name, r)}
}

// hintFor helps somebody who named a tool that is not there.
func hintFor(name string, r *tool.Registry) string {
	if off, ok := switchedOff[name]; ok {
		return off
	}
	all := names(r)
	if near := nearest.Names(name, all, 3); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(all) > 20 {
		return "\"helve tools list\" shows all"
	}
	return "there are: " + strings.Join(all, ", ")
}

func (a *app) completeTools(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	a.startNone = true // who types waits for no server
	r, err := a.registry(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return names(r), cobra.ShellCompDirectiveNoFileComp
}
