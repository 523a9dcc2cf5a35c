package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"helve/message"
	"helve/session"
)

func (a *app) sessionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "Show and delete conversations that were kept",
		Long: `Sessions are conversations that "helve run --session ID" and "helve chat --session
ID" keep. They are in the database that helve.yaml names, else in a file in the
user's data folder.`,
		Example: `  helve run --session trip "What is 17 * 23?"
  helve sessions list
  helve sessions show trip
  helve sessions delete trip`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the sessions", Example: "  helve sessions list\n  helve sessions list --json", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.listSessions(cmd.Context()) },
		},
		&cobra.Command{
			Use: "show ID", Short: "Show the messages of a session", Example: "  helve sessions show trip\n  helve sessions show trip --jsonl", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error { return a.showSession(cmd.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "delete ID...", Short: "Delete sessions", Example: "  helve sessions delete trip", Args: cobra.MinimumNArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error { return a.deleteSessions(cmd.Context(), args) },
		},
	)
	return cmd
}

func (a *app) sessionFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.session, "session", "", "keep the conversation under this `ID`, and go on with it the next time")
}

func (a *app) sessions(ctx context.Context) (session.Store, error) {
	c, err := a.workspace(ctx)
	if err != nil {
		return nil, err
	}
	db, err := a.database(ctx, c, true)
	if err != nil {
		return nil, err
	}
	return db.Sessions(), nil
}

// listedSession is a session for programs.
type listedSession struct {
	ID       string    `json:"id"`
	Messages int       `json:"messages"`
	Open     bool      `json:"open"`
	Saved    time.Time `json:"saved"`
}

func (a *app) listSessions(ctx context.Context) error {
	store, err := a.sessions(ctx)
	if err != nil {
		return err
	}
	infos, err := store.List(ctx)
	if err != nil {
		return err
	}
	var listed []listedSession
	for _, i := range infos {
		listed = append(listed, listedSession(i))
	}
	return list(a, listed, func(s listedSession) string {
		open := ""
		if s.Open {
			open = "not finished: helve run --resume --session " + s.ID
		}
		return printable(s.ID) + "\t" + counted(s.Messages, "message") + "\t" + s.Saved.Local().Format("2006-01-02 15:04") + "\t" + printable(open)
	})
}

func (a *app) showSession(ctx context.Context, id string) error {
	store, err := a.sessions(ctx)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, id)
	if err != nil {
		return usage("%w", err)
	}
	messages, _, err := s.Load(ctx)
	if err != nil {
		return err
	}
	if len(messages) == 0 {
		return &failure{exitUsage, "not_found", fmt.Errorf("there is no session %q", id), "\"helve sessions list\" shows all"}
	}
	if a.json {
		encode(a.std.out, messages)
		return nil
	}
	for _, m := range messages {
		if a.jsonl {
			encode(a.std.out, m)
			continue
		}
		a.showMessage(m)
	}
	return nil
}

func (a *app) showMessage(m message.Message) {
	if r, ok := m.ToolResult(); ok {
		fmt.Fprintf(a.std.out, "%s: %s\n", m.Role, printable(plain(r.Content)))
	}
	if text := plain(m.Parts); text != "" {
		fmt.Fprintf(a.std.out, "%s: %s\n", m.Role, printable(text))
	}
	for _, c := range m.ToolCalls() {
		fmt.Fprintf(a.std.out, "%s: → %s %s\n", m.Role, printable(c.Name), printable(string(c.Arguments)))
	}
}

func (a *app) deleteSessions(ctx context.Context, ids []string) error {
	store, err := a.sessions(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		errs = append(errs, store.Delete(ctx, id))
	}
	return errors.Join(errs...)
}
