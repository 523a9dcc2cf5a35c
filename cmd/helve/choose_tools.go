package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"helve/builtin"
	"helve/internal/nearest"
	"helve/netpolicy"
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
	tools, err := builtin.All(root, netpolicy.Policy{Hosts: a.allowHosts, AllowPrivate: a.allowPrivate})
	if err != nil {
		return nil, usage("--allow-host: %v", err)
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

func unknownTool(code int, name string, r *tool.Registry) error {
	return &failure{code, "not_found", errors.New(r.NotFound(name).Message), hintFor(name, r)}
}

// hintFor helps somebody who named a tool that is not there.
func hintFor(name string, r *tool.Registry) string {
	if off, ok := switchedOff[name]; ok {
		return off
	}
	if near := nearest.Names(name, names(r), 3); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "there are: " + strings.Join(names(r), ", ")
}

func (a *app) completeTools(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	r, err := a.registry()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return slices.Sorted(slices.Values(names(r))), cobra.ShellCompDirectiveNoFileComp
}
