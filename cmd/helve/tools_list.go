package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"helve/catalog"
)

func (a *app) toolsListCommand() *cobra.Command {
	var all, watch bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tools and where each comes from",
		Long: `List shows the tools that a model would get, and where each is defined. Of two
tools with one name the earlier counts; --all shows the others too.

It exits 2 where a file of the workspace has an error; the tools of the other files
are listed all the same.`,
		Example: `  helve tools list
  helve tools list --all
  helve tools list --watch
  helve tools list --files . --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if watch && a.json {
				return usage("--json is one value, and --watch lists again and again: use --jsonl")
			}
			if watch {
				return a.watchTools(cmd.Context(), all)
			}
			c, err := a.workspace(cmd.Context())
			if err != nil {
				return err
			}
			if err := a.listTools(c, all); err != nil {
				return err
			}
			return broken(c)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also tools that another of the same name keeps from being used")
	cmd.Flags().BoolVar(&watch, "watch", false, "list again whenever a file changes")
	return cmd
}

// listedTool is a tool for programs: what a model is told, and where it is from.
type listedTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Kind        string          `json:"kind"`
	Source      string          `json:"source"`
	ShadowedBy  string          `json:"shadowed_by,omitempty"`
}

func (a *app) listTools(c *catalog.Catalog, all bool) error {
	chosen, err := a.allowed(c.Tools())
	if err != nil {
		return err
	}
	var listed []listedTool
	for _, e := range c.Entries() {
		d := e.Tool.Definition()
		if _, ok := chosen.Lookup(d.Name); ok && (all || e.ShadowedBy == "") {
			listed = append(listed, listedTool{d.Name, d.Description, d.Schema().JSON(), e.Kind, e.Place(), e.ShadowedBy})
		}
	}
	return list(a, listed, func(t listedTool) string {
		if t.ShadowedBy != "" {
			t.Source += ", shadowed by " + t.ShadowedBy
		}
		return t.Name + "\t" + t.Source + "\t" + firstSentence(t.Description)
	})
}

// watchTools lists the tools now and whenever they change, until it is stopped.
func (a *app) watchTools(ctx context.Context, all bool) error {
	changes := make(chan *catalog.Catalog)
	live, err := a.liveWorkspace(ctx, func(c *catalog.Catalog) {
		select {
		case changes <- c:
		case <-ctx.Done():
		}
	})
	if err != nil {
		return err
	}
	defer live.Close()
	if err := a.listTools(live.Catalog(), all); err != nil {
		return err
	}
	for {
		select {
		case c := <-changes:
			fmt.Fprintln(a.std.err, "helve: the workspace changed")
			a.tellProblems(c)
			if err := a.listTools(c, all); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
