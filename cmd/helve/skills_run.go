package main

import (
	"cmp"
	"context"
	"maps"

	"github.com/spf13/cobra"

	"helve/sandbox"
	"helve/skill"
)

func (a *app) skillsRunCommand() *cobra.Command {
	var flags sandboxFlags
	cmd := &cobra.Command{
		Use:   "run NAME SCRIPT [-- ARG...]",
		Short: "Run a script of a skill, in the sandbox",
		Long: `Run runs a script as a model would have it run: isolated, with a copy of the skill's files
in its folder, and without network. It reads standard input, if that is no terminal. What it
makes is gone with it, unless --out names a folder to put it into.

SCRIPT is the path that "helve skills show" lists. What is for the script stands behind --.

The exit code is the script's own, or 128 and the number of the signal that ended it; 7 where
it was stopped at a limit, 8 where it can't be isolated here, and 2 where it can't be started
or a file can't be put in or taken out. With 7, 8 and 2 a line on standard error says why.`,
		Example: `  helve skills run word-count scripts/count.py < words.txt
  helve skills run word-count scripts/count.py -- --top 3 < words.txt
  helve skills run charts scripts/plot.py --file in.csv=/data/sales.csv --out plots -- in.csv`,
		Args:              cobra.MinimumNArgs(2),
		ValidArgsFunction: a.completeSkills,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := a.withTimeout(cmd.Context())
			defer cancel()
			if err := flags.check(cmd.Flags()); err != nil {
				return err
			}
			return a.runSkill(ctx, args[0], args[1], args[2:], flags)
		},
	}
	flags.add(cmd)
	cmd.Flags().SetInterspersed(true)
	hideFlags(cmd, skillsHidden...)
	return cmd
}

func (a *app) runSkill(ctx context.Context, name, script string, args []string, flags sandboxFlags) error {
	given, err := flags.spec(ctx, nil)
	if err != nil {
		return err
	}
	settings, err := a.settings(ctx)
	if err != nil {
		return err
	}
	settings.Sandbox.Level, settings.Sandbox.Warm = cmp.Or(flags.level, settings.Sandbox.Level), 0
	a.boxSettings.Store(&settings)
	options := a.skillOptions()
	options.Runner, options.WASM = giving{options.Runner, &given}, giving{options.WASM, &given}
	library, _, err := a.skills(options)
	if err != nil {
		return err
	}
	s, err := library.Skill(name)
	if err != nil {
		return skillFailure(err)
	}
	out, err := openOutlet(flags.out, flags.force)
	if err != nil {
		return err
	}
	defer out.close()
	if given.Stdin, err = a.givenInput(ctx); err != nil {
		return err
	}
	r, err := library.Run(ctx, s, skill.Command{Script: script, Args: args})
	if err != nil {
		return skillFailure(err)
	}
	return a.tellRun(ctx, r, given.Limits, out)
}

// giving runs programs with what a person gives them besides.
type giving struct {
	sandbox.Runner
	given *sandbox.Spec
}

// Run makes giving a [sandbox.Runner].
func (g giving) Run(ctx context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	spec.Files = append(spec.Files, g.given.Files...)
	spec.ReadOnly = append(spec.ReadOnly, g.given.ReadOnly...)
	spec.Stdin, spec.Limits = g.given.Stdin, g.given.Limits
	if spec.Env == nil {
		spec.Env = map[string]string{}
	}
	maps.Copy(spec.Env, g.given.Env)
	return g.Runner.Run(ctx, spec)
}
