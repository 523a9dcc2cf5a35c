package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"helve/builtin"
	"helve/internal/nearest"
	"helve/tool"
)

// registry returns the tools that the flags allow.
func (a *app) registry() (*tool.Registry, error) {
	if a.noTools {
		return &tool.Registry{}, nil
	}
	var root *os.Root
	if a.files != "" {
		var err error
		if root, err = os.OpenRoot(a.files); err != nil { // open as long as the process
			return nil, usage("--files: %v", err)
		}
	}
	tools, err := builtin.All(root, builtin.HTTPPolicy{Hosts: a.allowHosts})
	if err != nil {
		return nil, usage("--allow-host: %v", err)
	}
	all, err := tool.NewRegistry(tools...)
	if err != nil || len(a.tools) == 0 {
		return all, err
	}
	chosen := &tool.Registry{}
	for _, name := range a.tools {
		t, ok := all.Lookup(name)
		if !ok {
			return nil, unknownTool(name, all)
		}
		if err := chosen.Register(t); err != nil {
			return nil, usage("--tools: %v", err)
		}
	}
	return chosen, nil
}

func names(r *tool.Registry) []string {
	var names []string
	for _, d := range r.Definitions() {
		names = append(names, d.Name)
	}
	return names
}

// switchedOff are the tools that a flag must allow.
var switchedOff = map[string]string{
	"read_file":  "allow it with --files DIR",
	"list_files": "allow it with --files DIR",
	"http_get":   "allow it with --allow-host HOST",
}

func unknownTool(name string, r *tool.Registry) error {
	hint := "there are: " + strings.Join(names(r), ", ")
	if near := nearest.Names(name, names(r), 3); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	if off, ok := switchedOff[name]; ok {
		hint = off
	}
	return &failure{exitUsage, "usage", fmt.Errorf("no tool is called %s", name), hint}
}

func (a *app) completeTools(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	r, err := a.registry()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return slices.Sorted(slices.Values(names(r))), cobra.ShellCompDirectiveNoFileComp
}
