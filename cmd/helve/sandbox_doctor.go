package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"helve/sandbox"
)

func (a *app) sandboxDoctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine has for isolation, and how to get what is missing",
		Long: `Doctor tries the levels of isolation, and says of all that they are made of, and of the
interpreters that programs need, whether it is there. It runs no program.

It exits 0 where programs run isolated without further ado, at the level strict or
strict-noproc, and 8 where they don't. What else is missing is no failure.`,
		Example: `  helve sandbox doctor
  helve sandbox doctor --json | jq -r '.features[] | select(.ok | not) | .hint'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sandboxDoctor(cmd.Context()) },
	}
	hideFlags(cmd, modelFlags...)
	return cmd
}

func (a *app) sandboxDoctor(ctx context.Context) error {
	ctx, cancel := a.withTimeout(ctx)
	defer cancel()
	report := sandbox.Probe(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var lacking *failure
	if report.Err != nil {
		lacking = classify(report.Err)
	}
	if a.json || a.jsonl {
		a.encodeReport(report, lacking)
	} else {
		a.printReport(report, lacking)
	}
	if lacking != nil {
		return &failure{code: lacking.code, err: errReported}
	}
	return nil
}

func (a *app) encodeReport(report sandbox.Report, lacking *failure) {
	shown := struct {
		sandbox.Report
		Error string `json:"error,omitempty"`
		Hint  string `json:"hint,omitempty"`
	}{Report: report}
	if lacking != nil {
		shown.Error, shown.Hint = lacking.Error(), strings.TrimSuffix(lacking.hint, hintSandbox)
	}
	encode(a.std.out, shown)
}

func (a *app) printReport(report sandbox.Report, lacking *failure) {
	if lacking != nil {
		fmt.Fprintf(a.std.out, "Programs don't run here: %s.\n\n", printable(lacking.Error()))
	} else {
		fmt.Fprintf(a.std.out, "Programs run isolated, at the level %s.\n\n", report.Level)
	}
	w := tabwriter.NewWriter(a.std.out, 0, 0, 2, ' ', 0)
	for _, f := range report.Features {
		mark := "ok"
		if !f.OK {
			mark = "no"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", mark, f.Name, printable(f.Detail))
		for line := range strings.Lines(wrapped(printable(f.Hint), noteWidth)) {
			fmt.Fprintf(w, "\t\t  %s", line)
		}
	}
	_ = w.Flush() // what goes wrong there, standard output knows
}
