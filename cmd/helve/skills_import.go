package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"helve/skill"
)

func (a *app) skillsImportCommand() *cobra.Command {
	var own, force bool
	cmd := &cobra.Command{
		Use:   "import FROM",
		Short: "Copy a skill from a folder or an archive",
		Long: `Import copies a skill into skills of the workspace. FROM is a folder, or an archive (.zip,
.skill, .tar.gz, .tgz) of one. An archive is refused as a whole where a path in it leads
elsewhere, where there is a link or a device, or where it holds more than a skill may.

Read a skill before a model does: "helve skills show NAME". Nothing of it is run here.`,
		Example: `  helve skills import ~/Downloads/word-count.zip
  helve skills import ../other/skills/word-count --force
  helve skills import word-count.skill --user`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.importSkill(args[0], own, force) },
	}
	cmd.Flags().BoolVar(&own, "user", false, "for all workspaces: into your own skills, in ~/.config/helve")
	cmd.Flags().BoolVar(&force, "force", false, "replace a skill of that name")
	hideFlags(cmd, skillsHidden...)
	return cmd
}

func (a *app) importSkill(from string, own, force bool) error {
	if strings.Contains(from, "://") {
		return usage("%s: helve fetches nothing: download it first", from)
	}
	dir, user, err := a.folders()
	if err != nil {
		return err
	}
	if own {
		dir = user
	}
	if dir == "" {
		return &failure{exitUsage, "usage", errNoWorkspace, "make one with \"helve init\", name it with --workspace, or import the skill for all with --user"}
	}
	s, problems, err := skill.Import(from, filepath.Join(dir, "skills"), force)
	if errors.Is(err, skill.ErrExists) {
		return &failure{exitUsage, "exists", err, "--force replaces it"}
	}
	if err != nil {
		return usage("%w", err)
	}
	for _, p := range problems {
		p.File = near(p.File)
		a.tellProblem(p)
	}
	if a.json || a.jsonl {
		encode(a.std.out, listedSkill{s.Name, s.Description, near(s.Path), s.Hidden, problems})
		return nil
	}
	fmt.Fprintf(a.std.out, "%s is in %s: %s\n", s.Name, near(s.Dir), counted(len(s.Files), "file"))
	fmt.Fprintf(a.std.err, "helve: read it before a model does: helve skills show %s\n", s.Name)
	return nil
}
