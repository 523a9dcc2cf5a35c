package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"helve/schema"
)

func (a *app) toolsLintCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lint",
		Short: "Check the tools against what providers accept",
		Long: `Lint renders every tool for every provider and says what a provider can't express
and how to mend it. What is left out of a schema stays in the description, and
helve itself always checks arguments against the whole schema.

It exits 1 where it found something.`,
		Example: `  helve tools lint
  helve tools lint --files . --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.lint(cmd.Context()) },
	}
}

type lintFinding struct {
	Tool    string `json:"tool"`
	Profile string `json:"profile"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

func (a *app) lint(ctx context.Context) error {
	r, err := a.registry(ctx)
	if err != nil {
		return err
	}
	findings := []lintFinding{}
	definitions := r.Definitions()
	for _, d := range definitions {
		if err := d.Check(); err != nil {
			findings = append(findings, lintFinding{Tool: d.Name, Profile: "all", Message: err.Error(), Fix: "change the definition"})
		}
		for _, p := range []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.Gemini} {
			_, found := d.FunctionTool(p)
			for _, f := range found {
				findings = append(findings, lintFinding{d.Name, p.String(), f.Pointer, f.Message, f.Fix})
			}
		}
	}
	if a.json || a.jsonl {
		encode(a.std.out, findings)
	} else {
		a.printFindings(findings, len(definitions))
	}
	if len(findings) > 0 {
		return &failure{code: exitUnexpected, err: errReported}
	}
	return nil
}

func (a *app) printFindings(findings []lintFinding, tools int) {
	for _, f := range findings {
		fmt.Fprintf(a.std.out, "%s: %s: %s %s\n  %s\n", f.Tool, f.Profile, f.Pointer, f.Message, f.Fix)
	}
	if len(findings) == 0 {
		fmt.Fprintf(a.std.out, "%d tools, nothing to mend\n", tools)
	}
}
