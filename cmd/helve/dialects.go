package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"helve/dialect"
)

func (a *app) dialectsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dialects [NAME…]",
		Short: "List the ways in which models write tool calls",
		Long: `Dialects lists the ways in which models write tool calls as text: whose they are,
how the names of those models begin, and a call as an example. With names it shows
only these.`,
		Example: `  helve dialects
  helve dialects hermes tag
  helve dialects --json | jq -r '.[].name'`,
		ValidArgsFunction: completeDialects,
		RunE:              func(_ *cobra.Command, names []string) error { return a.listDialects(names) },
	}
}

type listedDialect struct {
	Name    string   `json:"name"`
	Purpose string   `json:"purpose"`
	Models  []string `json:"models"`
	Example string   `json:"example"`
}

func (a *app) listDialects(names []string) error {
	chosen := dialect.All()
	if len(names) > 0 {
		chosen = nil
	}
	for _, name := range names {
		d, err := dialect.Lookup(name)
		if err != nil {
			return usage("%w", err)
		}
		chosen = append(chosen, d)
	}
	list := []listedDialect{}
	for _, d := range chosen {
		list = append(list, listedDialect{d.Name(), d.Purpose(), append([]string{}, d.Models()...), d.Example()})
	}
	if a.json {
		encode(a.std.out, list)
		return nil
	}
	for i, d := range list {
		if a.jsonl {
			encode(a.std.out, d)
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.std.out)
		}
		fmt.Fprintf(a.std.out, "%s: %s\n", d.Name, d.Purpose)
		if len(d.Models) > 0 {
			fmt.Fprintf(a.std.out, "  models: %s\n", strings.Join(d.Models, ", "))
		}
		for line := range strings.Lines(d.Example) {
			fmt.Fprintf(a.std.out, "    %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	return nil
}
