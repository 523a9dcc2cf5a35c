package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"helve/tool"
)

func (a *app) promptCommand() *cobra.Command {
	var (
		which    dialectFlags
		tools    string
		language string
	)
	cmd := &cobra.Command{
		Use:   "prompt",
		Short: "Print the prompt that teaches a model a dialect",
		Long: `Prompt prints the section of a system prompt that tells a model what the tools are
and how to call them in a dialect. The same tools give the same bytes.

Without --tools it is about helve's own tools, those that "helve tools list" shows.
The dialects native and plain-text have no prompt: with native the provider tells the
model, and with plain-text nobody does.`,
		Example: `  helve prompt --dialect hermes
  helve prompt --dialect hermes --tools tools.json --language zh
  helve prompt --model qwen3:8b --files .`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := which.find()
			if err != nil {
				return err
			}
			l, err := languageOf(language)
			if err != nil {
				return err
			}
			var definitions []tool.Definition
			if cmd.Flags().Changed("tools") {
				definitions, err = toolFile(cmd.Context(), tools, nil)
			} else {
				definitions, err = a.allowedTools(cmd.Context())
			}
			if err != nil {
				return err
			}
			text := d.Prompt(definitions, l)
			switch {
			case a.json || a.jsonl:
				encode(a.std.out, struct {
					Dialect string `json:"dialect"`
					Prompt  string `json:"prompt"`
				}{d.Name(), text})
			case text != "":
				fmt.Fprintln(a.std.out, text)
			default:
				fmt.Fprintf(a.std.err, "helve: the dialect %s has no prompt: it teaches the model nothing.\n", d.Name())
			}
			return nil
		},
	}
	which.add(cmd)
	cmd.Flags().StringVar(&tools, "tools", "", "the tools' definitions, from a JSON `FILE`: [{\"name\", \"description\", \"parameters\"}]")
	cmd.Flags().StringVar(&language, "language", "en", "the prompt's `LANGUAGE`: en or zh")
	_ = cmd.RegisterFlagCompletionFunc("language", completeLanguages)
	return cmd
}

// allowedTools are those of the workspace that the flags allow.
func (a *app) allowedTools(ctx context.Context) ([]tool.Definition, error) {
	r, err := a.registry(ctx)
	if err != nil {
		return nil, err
	}
	return r.Definitions(), nil
}
