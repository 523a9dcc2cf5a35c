package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"helve/dialect"
)

// dialectFlags choose a dialect by its name or by the model it is for.
type dialectFlags struct{ name, model string }

func (f *dialectFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.name, "dialect", "d", "", "the dialect's `NAME`, from \"helve dialects\"")
	cmd.Flags().StringVarP(&f.model, "model", "m", "", "the dialect of the model `NAME`, such as qwen3:8b")
	cmd.MarkFlagsMutuallyExclusive("dialect", "model")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return notBoth(cmd.Flags(), "dialect", "model") }
	_ = cmd.RegisterFlagCompletionFunc("dialect", completeDialects)
	_ = cmd.RegisterFlagCompletionFunc("model", cobra.NoFileCompletions)
}

func (f *dialectFlags) find() (*dialect.Dialect, error) {
	switch {
	case f.name != "":
		d, err := dialect.Lookup(f.name)
		if err != nil {
			return nil, usage("--dialect: %w", err)
		}
		return d, nil
	case f.model != "":
		d := dialect.ForModel(f.model)
		if d == nil {
			return nil, &failure{exitUsage, "usage", fmt.Errorf("--model: it is not known how the model %q writes calls", f.model), "name one with --dialect; \"helve dialects\" lists all"}
		}
		return d, nil
	}
	return nil, usage("which dialect? Say --dialect NAME or --model NAME; \"helve dialects\" lists all")
}

func completeDialects(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, d := range dialect.All() {
		names = append(names, d.Name()+"\t"+d.Purpose())
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
