package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"helve/schema"
	"helve/tool"
)

func (a *app) toolsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Look at the tools, and call one",
		Example: `  helve tools list
  helve tools show calculate
  helve tools call calculate expression='2^10'
  helve tools lint`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.toolsListCommand(), a.toolsShowCommand(), a.toolsCallCommand(), a.toolsLintCommand(), a.toolsImportCommand())
	return cmd
}

func firstSentence(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if head, _, found := strings.Cut(s, ". "); found {
		return head + "."
	}
	return s
}

func (a *app) toolsShowCommand() *cobra.Command {
	var profile string
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show what a model is told about a tool",
		Example: `  helve tools show calculate
  helve tools show calculate --json
  helve tools show calculate --profile gemini`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeTools,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.registry(cmd.Context())
			if err != nil {
				return err
			}
			t, ok := r.Lookup(args[0])
			if !ok {
				return unknownTool(exitTool, args[0], r)
			}
			if profile == "" && !a.json && !a.jsonl {
				a.describe(t.Definition())
				return nil
			}
			p := schema.OpenAI
			if profile != "" {
				if p, err = schema.ParseProfile(profile); err != nil {
					return usage("--profile: %v", err)
				}
			}
			data, _ := t.Definition().FunctionTool(p)
			encode(a.std.out, json.RawMessage(data))
			return nil
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "", "print the JSON that a `PROVIDER` gets: openai, openai-strict or gemini")
	return cmd
}

func (a *app) describe(d tool.Definition) {
	fmt.Fprintf(a.std.out, "%s: %s\n", d.Name, printable(d.Description))
	var traits []string
	for _, trait := range []struct {
		has  bool
		name string
	}{{d.ReadOnly, "read-only"}, {d.Idempotent, "idempotent"}, {d.Sequential, "runs alone"}, {d.ReturnDirect, "its answer ends the run"}} {
		if trait.has {
			traits = append(traits, trait.name)
		}
	}
	if d.Timeout > 0 {
		traits = append(traits, fmt.Sprintf("stops after %v", d.Timeout))
	}
	if len(traits) > 0 {
		fmt.Fprintf(a.std.out, "  %s\n", strings.Join(traits, ", "))
	}
	w := tabwriter.NewWriter(a.std.out, 0, 0, 2, ' ', 0)
	for _, p := range d.Schema().Properties() {
		need := "optional"
		if p.Required {
			need = "required"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", printable(p.Name), p.Type, need, printable(p.Description+choices(p)))
	}
	_ = w.Flush()
}

// choices says what a property may be, and what it is where it is left out.
func choices(p schema.Property) string {
	var s string
	if len(p.Enum) > 0 {
		var values []string
		for _, v := range p.Enum {
			values = append(values, string(v))
		}
		s += " (one of " + strings.Join(values, ", ") + ")"
	}
	if len(p.Default) > 0 {
		s += fmt.Sprintf(" (default %s)", p.Default)
	}
	return s
}
