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

It exits 0 where programs run isolated, at the level that helve.yaml sets, else at strict or
strict-noproc, and 8 where they don't. What else is missing is no failure.`,
		Example: `  helve sandbox doctor
  helve sandbox doctor --json | jq -r '.features[] | select(.ok | not) | .hint'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sandboxDoctor(cmd.Context()) },
	}
	hideFlags(cmd, sandboxHidden...)
	return cmd
}

func (a *app) sandboxDoctor(ctx context.Context) error {
	ctx, cancel := a.withTimeout(ctx)
	defer cancel()
	set, err := a.configuredLevel()
	if err != nil {
		return err
	}
	report := sandbox.Probe(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if set.level != "" {
		report.Level, report.Err = a.tryLevel(set.level)
	}
	var lacking *failure
	if report.Err != nil {
		lacking = classify(report.Err)
	}
	if a.json || a.jsonl {
		a.encodeReport(report, set, lacking)
	} else {
		a.printReport(report, set, lacking)
	}
	if lacking != nil {
		return &failure{code: lacking.code, err: errReported}
	}
	return nil
}

// tryLevel returns the level if this machine has it, or why not.
func (a *app) tryLevel(level sandbox.Level) (sandbox.Level, error) {
	box, err := sandbox.New(sandbox.Options{Level: level, Log: a.logger()})
	if err != nil {
		return "", err
	}
	defer box.Close()
	return box.Level(), nil
}

// weaker is what the level reduced does not do.
const weaker = "what exists on this machine can be told, and the disk can be filled"

func (a *app) encodeReport(report sandbox.Report, set setLevel, lacking *failure) {
	shown := struct {
		sandbox.Report
		By    string `json:"by,omitempty"` // where the level is set
		Error string `json:"error,omitempty"`
		Hint  string `json:"hint,omitempty"`
	}{Report: report, By: set.by}
	if lacking != nil {
		shown.Error, shown.Hint = lacking.Error(), strings.TrimSuffix(lacking.hint, hintSandbox)
	}
	encode(a.std.out, shown)
}

func (a *app) printReport(report sandbox.Report, set setLevel, lacking *failure) {
	by := printable(set.reason())
	switch {
	case lacking != nil && set.level != "":
		fmt.Fprintf(a.std.out, "Programs don't run here at the level %s%s: %s.\n\n", set.level, by, printable(lacking.Error()))
	case lacking != nil:
		fmt.Fprintf(a.std.out, "Programs don't run here: %s.\n\n", printable(lacking.Error()))
	case report.Level == sandbox.Reduced:
		fmt.Fprintf(a.std.out, "Programs run at the level %s%s: %s.\n\n", report.Level, by, weaker)
	default:
		fmt.Fprintf(a.std.out, "Programs run isolated, at the level %s%s.\n\n", report.Level, by)
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
