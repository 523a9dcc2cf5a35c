package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/skill"
)

func (a *app) skillsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skills",
		Short: "Look at Agent Skills, check and get them, and run their scripts",
		Long: `Skills are folders that tell a model how something is done, with the scripts that go with
it. They are those of the workspace (skills, .agents/skills, .claude/skills and others), then
your own (~/.agents/skills, ~/.claude/skills, ~/.config/helve/skills). docs/skills.md tells more.`,
		Example: `  helve skills list
  helve skills run word-count scripts/count.py < words.txt
  helve skills import word-count.zip
  helve skills lint`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.skillsListCommand(), a.skillsShowCommand(), a.skillsLintCommand(), a.skillsRunCommand(), a.skillsImportCommand())
	return cmd
}

// skillsHidden are the flags that say nothing to commands about skills.
var skillsHidden = []string{"model", "base-url", "sim-script", "sim-fault", "language", "ignore-text-calls", "dialect",
	"tools", "no-tools", "files", "allow-host", "allow-private", "max-iterations", "approve", "metrics-addr"}

// skills are those of the workspace and the user's own, with what is wrong in them. Nothing
// else of the workspace is loaded: its servers stay as they are.
func (a *app) skills(options skill.Options) (*skill.Library, []catalog.Problem, error) {
	dir, _, err := a.folders()
	if err != nil {
		return nil, nil, err
	}
	var folders []string
	for _, folder := range options.Folders {
		switch {
		case filepath.IsAbs(folder):
			folders = append(folders, folder)
		case dir != "": // without a workspace there are the user's own alone
			folders = append(folders, filepath.Join(dir, filepath.FromSlash(folder)))
		}
	}
	options.Folders = folders
	library, problems := skill.Open(options)
	for i := range problems {
		problems[i].File = near(problems[i].File)
	}
	return library, problems, nil
}

// near is a path as a person who is here would write it.
func near(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(here, filepath.FromSlash(path)); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}

// listedSkill is a skill for programs.
type listedSkill struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Path        string            `json:"path"`
	Hidden      bool              `json:"hidden,omitempty"`
	Problems    []catalog.Problem `json:"problems,omitempty"`
}

func (a *app) skillsListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the skills and where each is from",
		Long: `List shows the skills, with what is wrong in them on standard error. Of two with one name
the earlier counts.

It exits 2 where a skill can't be used; the others are listed all the same.`,
		Example: `  helve skills list
  helve skills list --json | jq -r '.[].name'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.listSkills() },
	}
	hideFlags(cmd, skillsHidden...)
	return cmd
}

func (a *app) listSkills() error {
	library, problems, err := a.skills(a.skillOptions())
	if err != nil {
		return err
	}
	var listed []listedSkill
	for _, s := range library.Skills() {
		one := listedSkill{s.Name, s.Description, near(s.Path), s.Hidden, nil}
		for _, p := range problems {
			if isIn(p.File, filepath.Dir(one.Path)) {
				one.Problems = append(one.Problems, p)
			}
		}
		listed = append(listed, one)
	}
	unusable := a.tellAll(problems)
	if err := a.tellNone(len(library.Skills())); err != nil {
		return err
	}
	err = list(a, listed, func(s listedSkill) string {
		if s.Hidden {
			s.Path += ", for people alone"
		}
		return s.Name + "\t" + s.Path + "\t" + firstSentence(strings.Join(strings.Fields(s.Description), " "))
	})
	return cmp.Or(err, unusable)
}

// tellNone says where skills were looked for in vain, and that those of a folder that is no
// workspace don't count.
func (a *app) tellNone(skills int) error {
	dir, _, err := a.folders()
	if err != nil {
		return err
	}
	if skills == 0 {
		var looked []string
		for _, folder := range a.skillFolders() {
			if !filepath.IsAbs(folder) {
				if dir == "" {
					continue
				}
				folder = filepath.Join(dir, filepath.FromSlash(folder))
			}
			looked = append(looked, near(folder))
		}
		fmt.Fprintf(a.std.err, "helve: no skills: looked in %s\n", printable(strings.Join(looked, ", ")))
	}
	if hint := overlooked(dir); hint != "" {
		fmt.Fprintf(a.std.err, "helve: %s\n", hint)
	}
	return nil
}

// overlooked helps somebody who is in a folder with skills that is not the workspace dir.
func overlooked(dir string) string {
	here, err := os.Getwd()
	if root, failed := filepath.Abs(dir); err != nil || dir != "" && (failed != nil || root == here) {
		return ""
	}
	if _, err := os.Stat(catalog.SettingsFile); err == nil {
		return "" // another workspace was asked for
	}
	for _, folder := range skill.Folders("") {
		if info, err := os.Stat(filepath.FromSlash(folder)); err == nil && info.IsDir() {
			return "./" + folder + " is not looked in, for this folder is no workspace: make an empty " + catalog.SettingsFile + " here"
		}
	}
	return ""
}

func isIn(file, folder string) bool {
	return strings.HasPrefix(filepath.FromSlash(file), folder+string(filepath.Separator))
}

// tellAll tells problems and returns the failure that is due if one is an error.
func (a *app) tellAll(problems []catalog.Problem) error {
	var failed error
	for _, p := range problems {
		a.tellProblem(p)
		if !p.Warning {
			failed = &failure{code: exitUsage, err: errReported}
		}
	}
	return failed
}

func (a *app) completeSkills(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	library, _, err := a.skills(a.skillOptions())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var all []string
	switch len(args) {
	case 0:
		for _, s := range library.Skills() {
			all = append(all, s.Name+"\t"+firstSentence(s.Description))
		}
	case 1:
		s, err := library.Skill(args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, f := range s.Files {
			all = append(all, f.Path)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// settings reads what helve.yaml says, and nothing else of the workspace.
func (a *app) settings(ctx context.Context) (catalog.Settings, error) {
	dir, user, err := a.folders()
	if err != nil {
		return catalog.Settings{}, err
	}
	c, err := catalog.Load(ctx, catalog.Options{Dir: dir, User: user})
	if err == nil {
		var s catalog.Settings
		if s, err = c.Settings(); err == nil {
			return s, nil
		}
	}
	return catalog.Settings{}, usage("%w", err)
}
