package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/skill"
)

func (a *app) skillsLintCommand() *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use:   "lint [DIR]...",
		Short: "Check skills against the format, strictly",
		Long: `Lint says all that is against the format of Agent Skills, so that other programs can use
the skills too, and what its authors advise against. DIR is a skill, or a folder of skills;
without it those of the workspace are checked, also for what "helve skills list" says of them.

It exits 1 where something is against the format; with --strict advice counts too.`,
		Example: `  helve skills lint
  helve skills lint skills/word-count
  helve skills lint ~/.agents/skills --json
  helve skills lint --strict`,
		RunE: func(_ *cobra.Command, args []string) error { return a.lintSkills(args, strict) },
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "exit 1 for advice too")
	hideFlags(cmd, skillsHidden...)
	return cmd
}

func (a *app) lintSkills(folders []string, strict bool) error {
	whole := len(folders) == 0
	if whole {
		dir, _, err := a.folders()
		if err != nil {
			return err
		}
		if dir == "" {
			return &failure{exitUsage, "usage", errNoWorkspace, "name a folder: helve skills lint DIR"}
		}
		for _, folder := range skill.Folders("") {
			folders = append(folders, filepath.Join(dir, filepath.FromSlash(folder)))
		}
	} else if err := allFolders(folders); err != nil {
		return err
	}
	skills := 0
	problems := []catalog.Problem{}
	for _, folder := range folders {
		n, found := 1, []catalog.Problem(nil)
		if isSkill(folder) {
			found = skill.Lint(folder)
		} else {
			n, found = skill.LintAll(folder)
			if n == 0 && !whole {
				return usage("there is no skill in %s", folder)
			}
		}
		skills += n
		for _, p := range found {
			p.File = near(p.File)
			problems = append(problems, p)
		}
	}
	if whole { // then they are also what may hide each other
		_, found := skill.Open(skill.Options{Folders: folders})
		problems = withOthers(problems, found)
	}
	if a.json || a.jsonl {
		encode(a.std.out, problems)
	} else {
		for _, p := range problems {
			what := "error"
			if p.Warning {
				what = "advice"
			}
			fmt.Fprintf(a.std.out, "%s: %s\n", what, printable(p.Error()))
		}
		if len(problems) == 0 {
			fmt.Fprintf(a.std.out, "%s, nothing to mend\n", counted(skills, "skill"))
		}
	}
	if slices.ContainsFunc(problems, func(p catalog.Problem) bool { return strict || !p.Warning }) {
		return &failure{code: exitUnexpected, err: errReported}
	}
	return nil
}

// withOthers adds what is told when skills are loaded to what lint says, but for what that
// has told in its own way.
func withOthers(problems, loaded []catalog.Problem) []catalog.Problem {
	for _, p := range loaded {
		p.File = near(p.File)
		told := slices.ContainsFunc(problems, func(q catalog.Problem) bool {
			return q.File == p.File && q.Line == p.Line && q.Message == p.Message
		})
		if !told {
			problems = append(problems, p)
		}
	}
	return problems
}

func allFolders(names []string) error {
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			return usage("%s is not a folder", name)
		}
	}
	return nil
}

// isSkill reports whether a folder is a skill, and not one of skills.
func isSkill(dir string) bool {
	for _, name := range []string{"SKILL.md", "skill.md"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
