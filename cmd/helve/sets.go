package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"helve/catalog"
)

func (a *app) setsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sets [NAME]",
		Short: "Show the tool sets of the workspace",
		Long: `Sets lists the tool sets of the workspace or, with NAME, shows the tools in one.
Agents name sets under tool_sets.`,
		Example: `  helve sets
  helve sets data_analysis_set
  helve sets --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.workspace(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return a.showSet(c, args[0])
			}
			return a.listSets(c)
		},
	}
}

// shownSet is a set for programs.
type shownSet struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Tools       []string `json:"tools"`
	File        string   `json:"file"`
}

func (a *app) listSets(c *catalog.Catalog) error {
	all := []shownSet{}
	for _, s := range c.Sets() {
		all = append(all, shownSet{s.Name, s.Description, toolNames(s.Tools), s.File})
	}
	switch {
	case a.json:
		encode(a.std.out, all)
	case a.jsonl:
		for _, s := range all {
			encode(a.std.out, s)
		}
	case len(all) == 0:
		fmt.Fprintln(a.std.err, "helve: no tool sets: they are files in tool_sets/, see \"helve init\"")
	default:
		w := tabwriter.NewWriter(a.std.out, 0, 0, 2, ' ', 0)
		for _, s := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, strings.Join(s.Tools, " "), s.Description)
		}
		_ = w.Flush()
	}
	return broken(c)
}

func (a *app) showSet(c *catalog.Catalog, name string) error {
	s, err := c.Set(name)
	if err != nil {
		return usage("%w", err)
	}
	if a.json || a.jsonl {
		encode(a.std.out, shownSet{s.Name, s.Description, toolNames(s.Tools), s.File})
		return nil
	}
	fmt.Fprintf(a.std.out, "%s\n  %s\n", headline(s.Name, s.Description), s.File)
	a.printTools(s.Tools)
	return nil
}
