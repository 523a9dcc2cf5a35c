package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/internal/nearest"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema KIND",
		Short: "Print the JSON Schema of a kind of file of a workspace",
		Long: `Schema prints the JSON Schema by which an editor completes and checks a file of a
workspace. "helve init" writes all of them into .helve/schemas, and names them in
the files it makes.`,
		Example: `  helve schema agent
  helve schema helve > .helve/schemas/helve.json`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			schemas, _ := catalog.Schemas(a.sources()...)
			return slices.Sorted(maps.Keys(schemas)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			schemas, err := catalog.Schemas(a.sources()...)
			if err != nil {
				return err
			}
			s, ok := schemas[args[0]]
			if !ok {
				kinds := slices.Sorted(maps.Keys(schemas))
				if near := nearest.Names(args[0], kinds, 1); len(near) > 0 {
					return usage("no file is of the kind %q: did you mean %s?", args[0], near[0])
				}
				return usage("no file is of the kind %q: there are %s", args[0], strings.Join(kinds, ", "))
			}
			_, err = a.std.out.Write(s)
			return err
		},
	}
}
