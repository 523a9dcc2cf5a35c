package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

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

SCRIPT is the path that "helve skills show" lists, or its last part where one file alone has
it. What is for the script stands behind --.

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
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		f := &failure{exitUsage, "usage", flagError(err), "see \"" + cmd.CommandPath() + " --help\""}
		if typed := behindDashes(os.Args, cmd.Flags().Args()); typed != "" {
			f.err = fmt.Errorf("%w: what is for the script stands behind --", f.err)
			f.hint = "type: " + typed
		}
		return f
	})
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
		return a.noSkill(err)
	}
	if script, err = scriptOf(s, script); err != nil {
		return err
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

// scriptOf is the path of a script that was named by it, or by its last part.
func scriptOf(s *skill.Skill, name string) (string, error) {
	if strings.Contains(name, "/") || slices.ContainsFunc(s.Files, func(f skill.File) bool { return f.Path == name }) {
		return name, nil
	}
	var meant []string
	for _, f := range s.Files {
		if path.Base(f.Path) == name {
			meant = append(meant, f.Path)
		}
	}
	switch len(meant) {
	case 0:
		return name, nil // the library says what there is
	case 1:
		return meant[0], nil
	}
	return "", usage("the skill %s has more than one %s: name %s", s.Name, name, strings.Join(meant, " or "))
}

// behindDashes is the command line of somebody who forgot the -- before a script's own
// arguments. Of it the name and the script, which stand together, were read; where they were
// not, it is empty.
func behindDashes(line, read []string) string {
	if len(read) < 2 {
		return ""
	}
	for i := range len(line) - 2 {
		if line[i] == read[0] && line[i+1] == read[1] {
			line = slices.Concat([]string{"helve"}, line[1:i+2], []string{"--"}, line[i+2:])
			for j, word := range line {
				line[j] = shellWord(word)
			}
			return strings.Join(line, " ")
		}
	}
	return ""
}

// shellWord is a word as a shell takes it.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

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
