package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"helve/catalog"
	"helve/skill"
	"helve/tool"
)

func (a *app) skillsShowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a skill: its instructions and its files",
		Example: `  helve skills show word-count
  helve skills show word-count --json | jq -r '.files[].path'`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeSkills,
		RunE:              func(_ *cobra.Command, args []string) error { return a.showSkill(args[0]) },
	}
	hideFlags(cmd, skillsHidden...)
	return cmd
}

// shownSkill is a skill with all that it has, for programs.
type shownSkill struct {
	listedSkill
	License       string            `json:"license,omitempty"`
	Compatibility string            `json:"compatibility,omitempty"`
	Metadata      map[string]string `json:"metadata,omitempty"`
	AllowedTools  []string          `json:"allowed_tools,omitempty"`
	Digest        string            `json:"digest"`
	Files         []shownFile       `json:"files"`
	Body          string            `json:"body"`
}

type shownFile struct {
	Path       string `json:"path"`
	Size       int64  `json:"size"`
	Executable bool   `json:"executable,omitempty"`
}

func (a *app) showSkill(name string) error {
	library, _, err := a.skills(a.skillOptions())
	if err != nil {
		return err
	}
	s, err := library.Skill(name)
	if err != nil {
		return a.noSkill(err)
	}
	_, problems := skill.Load(s.Dir)
	for i := range problems {
		problems[i].File = near(problems[i].File)
	}
	if a.json || a.jsonl {
		shown := shownSkill{
			listedSkill: listedSkill{s.Name, s.Description, near(s.Path), s.Hidden, problems},
			License:     s.License, Compatibility: s.Compatibility, Metadata: s.Metadata, AllowedTools: s.AllowedTools,
			Digest: s.Digest, Files: []shownFile{}, Body: s.Body,
		}
		for _, f := range s.Files {
			shown.Files = append(shown.Files, shownFile{f.Path, f.Size, f.Executable})
		}
		encode(a.std.out, shown)
		return nil
	}
	a.printSkill(s, problems)
	return nil
}

func (a *app) printSkill(s *skill.Skill, problems []catalog.Problem) {
	fmt.Fprintf(a.std.out, "%s: %s\n", s.Name, printable(s.Description))
	w := tabwriter.NewWriter(a.std.out, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"from", near(s.Path)}, {"license", s.License}, {"compatibility", s.Compatibility},
		{"allowed tools", strings.Join(s.AllowedTools, " ")}, {"digest", s.Digest},
	} {
		if line[1] != "" {
			fmt.Fprintf(w, "  %s\t%s\n", line[0], printable(line[1]))
		}
	}
	_ = w.Flush()
	if s.Hidden {
		fmt.Fprintln(a.std.out, "  no model sees it: it is for people alone")
	}
	fmt.Fprintf(a.std.out, "\n%s\n\n", strings.TrimSpace(printable(s.Body)))
	for _, f := range s.Files {
		mark := ""
		if f.Executable {
			mark = ", executable"
		}
		fmt.Fprintf(w, "  %s\t%d bytes%s\n", printable(f.Path), f.Size, mark)
	}
	_ = w.Flush()
	for _, p := range problems {
		a.tellProblem(p)
	}
}

// noSkill is for a person who named a skill that is not there.
func (a *app) noSkill(err error) error {
	err = skillFailure(err)
	var f *failure
	if dir, _, failed := a.folders(); failed == nil && errors.As(err, &f) && f.hint == "" {
		f.hint = overlooked(dir)
	}
	return err
}

// skillFailure is for a person what a library says to a model.
func skillFailure(err error) error {
	var e *tool.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Err != nil {
		return e.Err
	}
	f := &failure{exitUsage, string(e.Kind), errors.New(strings.TrimSuffix(e.Message, ".")), ""}
	if available, ok := e.Detail["available"].([]string); ok && len(available) > 0 {
		f.hint = "did you mean " + strings.Join(available, " or ") + "?"
	}
	return f
}
