package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"helve/internal/nearest"
	"helve/mcp"
	"helve/tool"
)

func (a *app) mcpPinCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "pin SERVER",
		Short: "Approve the tools of an MCP server as they are",
		Long: `Pin connects to a server, shows how what it tells a model and a host of its tools
differs from what was approved, and asks whether to approve it. What is approved stands in mcp.lock,
which belongs into version control.

With mcp: {pin: true} in helve.yaml only tools that are approved, and are as they were
then, reach a model. A server that changes a tool behind your back gets no call for it.`,
		Example: `  helve mcp pin github
  helve mcp pin github --yes`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeServers,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := a.withTimeout(cmd.Context())
			defer cancel()
			return a.pin(ctx, args[0], yes)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "approve without asking")
	return cmd
}

func (a *app) pin(ctx context.Context, name string, yes bool) error {
	a.startNone = true             // no other server is needed
	c, err := a.loadWorkspace(ctx) // that tools are held back is no news
	if err != nil {
		return err
	}
	server, err := a.server(name)
	if err != nil {
		a.tellProblems(c) // maybe its file is at fault
		return err
	}
	if err := server.Connect(ctx); err != nil {
		return &failure{exitUnreachable, "unreachable", err, "\"helve mcp servers\" shows how the servers are"}
	}
	lock, err := mcp.ReadLock(c.Dir())
	if err != nil {
		return usage("%w", err)
	}
	now := server.Approval()
	changes, moved := lock.Changes(name, now), lock.Moved(name, now)
	if moved {
		fmt.Fprintf(a.std.err, "helve: another server was approved by this name, %s, and this is %s\n", visible(fmt.Sprint(lock[name].Server)), visible(fmt.Sprint(now.Server)))
	}
	if err := a.showChanges(changes); err != nil {
		return err
	}
	if len(changes) == 0 && !moved {
		fmt.Fprintf(a.std.err, "helve: approved as before: %s of %s\n", counted(len(now.Tools), "tool"), printable(name))
		return nil
	}
	if !yes {
		if yes, err = a.confirm(ctx, fmt.Sprintf("Approve the tools of %s?", visible(name))); err != nil {
			return &failure{exitApproval, "approval", fmt.Errorf("nothing is approved: %w", err), "look at the changes, and approve them with --yes"}
		}
	}
	if !yes {
		return &failure{exitApproval, "approval", errors.New("nothing is approved"), ""}
	}
	lock[name] = now
	if err := lock.Write(c.Dir()); err != nil {
		return usage("%w", err)
	}
	fmt.Fprintf(a.std.err, "helve: approved in %[3]s: %[1]s of %[2]s\n", counted(len(now.Tools), "tool"), printable(name), mcp.LockFile)
	if settings, err := c.Settings(); err == nil && !settings.MCP.Pin {
		fmt.Fprintln(a.std.err, "helve: nothing is held back yet: write mcp: {pin: true} into helve.yaml")
	}
	return nil
}

// server finds a server of the workspace.
func (a *app) server(name string) (mcp.Server, error) {
	var all []string
	for _, s := range a.mcpSource().List() {
		if s.Name == name && s.ShadowedBy == "" {
			return s, nil
		}
		all = append(all, s.Name)
	}
	hint := "there are no servers"
	if len(all) > 0 {
		hint = "there are: " + strings.Join(all, ", ")
	}
	if near := nearest.Name(name, all); near != "" {
		hint = "did you mean " + near + "?"
	}
	return mcp.Server{}, &failure{exitUsage, "not_found", fmt.Errorf("there is no MCP server %q in the workspace", name), hint}
}

// shownChange is a change for programs.
type shownChange struct {
	Tool   string   `json:"tool"`
	Change string   `json:"change"`
	Was    *mcp.Pin `json:"was,omitempty"`
	Is     *mcp.Pin `json:"is,omitempty"`
}

// showChanges shows what a model would be told, line by line against what was approved.
// Characters that nobody sees are shown by their codes: they may be meant for the model
// alone.
func (a *app) showChanges(changes []mcp.Change) error {
	if a.json || a.jsonl {
		var all []shownChange
		for _, c := range changes {
			shown := shownChange{Tool: c.Tool, Change: c.String(), Was: &c.Was, Is: &c.Is}
			if c.Was.Fingerprint == "" {
				shown.Was = nil
			}
			if c.Is.Fingerprint == "" {
				shown.Is = nil
			}
			all = append(all, shown)
		}
		return list(a, all, nil)
	}
	for _, c := range changes {
		fmt.Fprintln(a.std.out, wholly([]byte(c.String())))
		_, lines, _ := bytes.Cut(diff.Diff("approved", pinText(c.Was), "now", pinText(c.Is)), []byte("+++ now\n"))
		fmt.Fprintln(a.std.out, wholly(lines))
	}
	return nil
}

// pinText is what a model, and a host, is told of a tool, in lines.
func pinText(p mcp.Pin) []byte {
	if p.Fingerprint == "" {
		return nil
	}
	var b bytes.Buffer
	if p.Title != "" {
		b.WriteString("title: " + p.Title + "\n")
	}
	if len(p.Annotations) > 0 {
		b.WriteString("hints: ")
		if json.Compact(&b, p.Annotations) != nil {
			b.Write(p.Annotations)
		}
		b.WriteString("\n")
	}
	b.WriteString(p.Description + "\n")
	if json.Indent(&b, p.Parameters, "", "  ") != nil {
		b.Write(p.Parameters)
	}
	b.WriteString("\n")
	return b.Bytes()
}

// confirm asks the person at the terminal.
func (a *app) confirm(ctx context.Context, question string) (yes bool, err error) {
	if a.json || a.jsonl {
		return false, errNoTerminal
	}
	err = a.talk(ctx, func(d *dialog) error {
		yes, err = d.agrees(question + " ")
		return err
	})
	if errors.Is(err, tool.ErrNobody) {
		err = errNoTerminal
	}
	return yes, err
}

var errNoTerminal = errors.New("nobody is at a terminal")

func (a *app) completeServers(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	a.startNone = true
	if _, err := a.workspace(cmd.Context()); err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, s := range a.mcpSource().List() {
		names = append(names, s.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
