package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"helve/internal/excerpt"
	"helve/mcp"
)

func (a *app) mcpServersCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "servers",
		Short: "List the MCP servers of the workspace, and how they are",
		Long: `Servers connects to the MCP servers that the workspace describes, all at once, and
shows of each its name and state, how it is reached, the version of the protocol, how
many tools it has, where it is described, and what is wrong.

It exits 4 where a server can't be used, unless that is disabled, and 2 where a file has
an error or a tool is held back until "helve mcp pin" approves it.`,
		Example: `  helve mcp servers
  helve mcp servers --offline
  helve mcp servers --json | jq -r '.[] | select(.state != "ready").error'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := a.withTimeout(cmd.Context())
			defer cancel()
			offline, _ := cmd.Flags().GetBool("offline")
			return a.listServers(ctx, !offline)
		},
	}
	cmd.Flags().Bool("offline", false, "connect to none, and show what is known")
	return cmd
}

// shownServer is a server for programs.
type shownServer struct {
	mcp.Status
	File       string    `json:"file"`
	Line       int       `json:"line,omitzero"`
	Listed     time.Time `json:"listed,omitzero"` // when it was asked for its tools last
	Held       []string  `json:"held_back,omitempty"`
	ShadowedBy string    `json:"shadowed_by,omitempty"`
}

func (a *app) listServers(ctx context.Context, connect bool) error {
	a.startNone = true // below they are all asked at once, and none is waited for twice
	c, err := a.workspace(ctx)
	if err != nil {
		return err
	}
	servers := a.mcpSource().List()
	wrong := a.mcpSource().Wrong(c.Problems())
	if len(servers)+len(wrong) == 0 {
		fmt.Fprintln(a.std.err, "helve: no MCP servers: "+whyNoServers(c.Dir()))
	}
	if connect {
		a.connect(ctx, servers)
	}
	var all []shownServer
	unusable, held := 0, 0
	for _, s := range servers {
		shown := shownServer{Status: s.Status(), File: s.File, Line: s.Line, Listed: s.Listed(), ShadowedBy: s.ShadowedBy}
		for _, change := range s.Held() {
			shown.Held = append(shown.Held, change.String())
		}
		if s.ShadowedBy == "" {
			held += len(shown.Held)
			if connect && shown.State != mcp.Ready && shown.State != mcp.Disabled {
				unusable++
			}
		}
		all = append(all, shown)
	}
	for _, s := range wrong {
		all = append(all, shownServer{Status: s.Status(), File: s.File, Line: s.Line})
	}
	slices.SortStableFunc(all, func(a, b shownServer) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	if err := a.showServers(all); err != nil {
		return err
	}
	switch {
	case unusable > 0:
		return &failure{code: exitUnreachable, err: errReported}
	case held > 0:
		return &failure{code: exitUsage, err: errReported}
	}
	return broken(c)
}

// whyNoServers says how there would be some. A cloned folder with a file of servers is no
// workspace until somebody makes it one.
func whyNoServers(workspace string) string {
	here, err := os.Getwd()
	for _, name := range []string{".mcp.json", "mcp.json"} {
		if _, missing := os.Lstat(name); err == nil && missing == nil && here != workspace {
			return "this folder has a " + name + ", but is no workspace: \"helve init\" makes it one, or name it with --workspace"
		}
	}
	return "they are files in tools/mcp, or in .mcp.json, see \"helve mcp --help\""
}

// connect connects to the servers that count. Why one can't be reached is in its status.
func (a *app) connect(ctx context.Context, servers []mcp.Server) {
	waiting := &status{w: a.std.err}
	if isTerminal(a.std.err) {
		waiting.begin(counted(len(servers), "server"), false)
	}
	defer waiting.end()
	var connecting sync.WaitGroup
	for _, s := range servers {
		if s.ShadowedBy == "" {
			connecting.Go(func() { _ = s.Connect(ctx) })
		}
	}
	connecting.Wait()
}

// showServers lists servers. At a terminal what is wrong has lines of its own: it may be
// long.
func (a *app) showServers(all []shownServer) error {
	if a.json || a.jsonl || !isTerminal(a.std.out) {
		return list(a, all, shownServer.row)
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, s := range all {
		fmt.Fprintln(w, printable(s.columns()))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, s := range all {
		line, _ := table.ReadString('\n')
		if i > 0 && all[i-1].note() != "" {
			line = "\n" + line
		}
		fmt.Fprint(a.std.out, line)
		for l := range strings.Lines(wrapped(printable(s.note()), noteWidth)) {
			fmt.Fprint(a.std.out, "    "+l)
		}
	}
	return nil
}

// noteWidth is how long the lines of a note are: that of a narrow terminal.
const noteWidth = 74

// wrapped breaks a text between words, each line with its end.
func wrapped(text string, width int) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
		case used+1+n > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	if used > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// mostReason is how many bytes of a server's error a line shows.
const mostReason = 300

func (s shownServer) row() string { return s.columns() + "\t" + s.note() }

func (s shownServer) columns() string {
	place, tools := s.File, counted(s.Tools, "tool")
	if s.Line > 0 {
		place = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	if s.Tools == 0 && s.State != mcp.Ready {
		tools = "-" // nobody knows
	}
	return strings.Join([]string{s.Name, string(s.State), cmp.Or(string(s.Type), "-"), cmp.Or(s.Protocol, "-"), tools, place}, "\t")
}

// note is what else there is to say.
func (s shownServer) note() string {
	var notes []string
	switch {
	case s.ShadowedBy != "":
		return "shadowed by " + s.ShadowedBy
	case s.Err != "":
		notes = append(notes, excerpt.Of(strings.Join(strings.Fields(s.Err), " "), mostReason))
	case len(s.Held) > 0:
		notes = append(notes, counted(len(s.Held), "tool")+" held back, see helve mcp pin")
	case s.State != mcp.Ready && !s.Listed.IsZero():
		notes = append(notes, "from cache, "+age(time.Since(s.Listed))+" old")
	}
	if len(s.LeftOut) > 0 {
		notes = append(notes, excerpt.Of(counted(len(s.LeftOut), "tool")+" left out: "+strings.Join(s.LeftOut, "; "), mostReason))
	}
	for _, pattern := range s.Unmatched {
		notes = append(notes, fmt.Sprintf("%q allows none of its tools", pattern))
	}
	return strings.Join(notes, "; ")
}

// age is a time in one unit.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}
