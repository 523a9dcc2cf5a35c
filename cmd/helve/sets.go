package main

import (
	"cmp"
	"fmt"
	"strings"

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
	var all []shownSet
	for _, s := range c.Sets() {
		all = append(all, shownSet{s.Name, s.Description, toolNames(s.Tools), s.File})
	}
	if len(all) == 0 {
		fmt.Fprintln(a.std.err, "helve: no tool sets: they are files in tool_sets/, see \"helve init\"")
	}
	err := list(a, all, func(s shownSet) string {
		return fmt.Sprintf("%s\t%s\t%s", s.Name, strings.Join(s.Tools, " "), s.Description)
	})
	return cmp.Or(err, broken(c))
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
	fmt.Fprintf(a.std.out, "%s\n  %s\n", printable(headline(s.Name, s.Description)), printable(s.File))
	a.printTools(s.Tools)
	return nil
}
