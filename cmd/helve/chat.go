package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"helve/agent"
	"helve/session"
)

func (a *app) chatCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Talk with a model that has tools",
		Long: `Chat reads a line, answers it, and remembers the conversation until it ends.

Ctrl-C stops the answer that is being given; at the prompt it ends the chat, as
Ctrl-D and /exit do. /new starts another conversation and /tools shows what the
model can call. The arrow keys bring back earlier lines.

A file of the workspace that is changed meanwhile counts from the next line on. One
that has an error then stays as it was.`,
		Example: `  helve chat
  helve chat --agent analyst
  helve chat --files . --model openai/gpt-4.1-mini
  helve chat --dialect decision
  printf 'What is 2^10?\nAnd what time is it in Tokyo?\n' | helve chat`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.chat(cmd.Context()) },
	}
	a.agentFlag(cmd)
	a.sessionFlag(cmd)
	cmd.Flags().BoolVar(&a.watch, "watch", true, "use the workspace's files as they change")
	return cmd
}

func (a *app) chat(ctx context.Context) error {
	who, err := a.chatAgent(ctx)
	if err != nil {
		return err
	}
	defer who.close()
	readLine, piped := a.lineReader(ctx)
	var failed error // the first, for the exit code of a chat that nobody watches
	kept := true     // where --session says
	conversation, err := a.conversation(ctx, who.catalog)
	if err != nil {
		return err
	}
	for {
		line, err := readLine()
		if err == io.EOF {
			return failed
		}
		if errors.Is(err, bufio.ErrTooLong) {
			return usage("a line is over %d bytes long", maxLine)
		}
		if err != nil {
			return fmt.Errorf("read a line: %w", err)
		}
		switch line = strings.TrimSpace(line); line {
		case "":
		case "/exit", "/quit":
			return failed
		case "/new":
			conversation, kept = session.New(), false // the one of --session stays as it is
			fmt.Fprintln(a.std.err, "A new conversation.")
		case "/tools":
			who.refresh(ctx)
			a.printTools(who.tools.Tools())
		case "/help":
			fmt.Fprintln(a.std.err, "/new starts another conversation, /tools shows what the model can call, /exit ends.")
		default:
			if strings.HasPrefix(line, "/") && !strings.ContainsAny(line[1:], " /") {
				fmt.Fprintf(a.std.err, "There is no command %s; /help lists them.\n", line)
				continue
			}
			who.refresh(ctx)
			err := a.turn(ctx, who.answerer, conversation, kept, line)
			if err == nil && piped {
				if err = a.approvalMissing(); err != nil {
					a.exit(err)
				}
			}
			if err != nil && piped && failed == nil {
				failed = &failure{code: classify(err).code, err: errReported}
			}
		}
	}
}

// turn answers one line. It shows an error and returns it: the chat goes on.
func (a *app) turn(ctx context.Context, who *answerer, conversation session.Session, kept bool, line string) error {
	a.unapproved.Store(false)
	turn, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt)
	defer stop()
	turn, cancel := a.withTimeout(turn)
	defer cancel()
	release, err := func() {}, error(nil)
	if kept {
		release, err = a.claim(turn)
	}
	if errors.Is(turn.Err(), context.Canceled) {
		fmt.Fprintln(a.std.err, "Stopped.")
		return nil
	}
	if err != nil {
		a.exit(err)
		return err
	}
	defer release()
	out := a.printer()
	defer out.close()
	events := who.stream(turn, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return who.agent.Stream(ctx, line, agent.WithSession(conversation))
	})
	for event, err := range events {
		if err == nil {
			out.event(event)
			continue
		}
		out.failed(err)
		out.close()
		if errors.Is(turn.Err(), context.Canceled) {
			fmt.Fprintln(a.std.err, "Stopped.")
			return nil
		}
		a.exit(err)
		return err
	}
	return nil
}

const (
	chatPrompt = "> "
	maxLine    = 1 << 20 // bytes
)

// lineReader returns what reads the next line: at a terminal with a prompt and
// history, else from a pipe. It returns io.EOF at the end.
func (a *app) lineReader(ctx context.Context) (read func() (string, error), piped bool) {
	in, isFile := a.std.in.(*os.File)
	if !isFile || !isTerminal(in) || !isTerminal(a.std.out) {
		return pipedLines(ctx, a.std.in), true
	}
	screen := struct {
		io.Reader
		io.Writer
	}{in, a.std.out}
	editor := term.NewTerminal(screen, chatPrompt)
	ended, _ := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM) // ctx ends with the first Ctrl-C, the chat does not
	return func() (string, error) {
		// Raw only while a line is typed, so that Ctrl-C during an answer is a signal.
		before, err := term.MakeRaw(int(in.Fd()))
		if err != nil {
			return "", err
		}
		defer term.Restore(int(in.Fd()), before)
		if width, height, err := term.GetSize(int(in.Fd())); err == nil && width > 0 {
			_ = editor.SetSize(width, height)
		}
		typed := make(chan line, 1)
		go func() {
			text, err := editor.ReadLine()
			typed <- line{text, err}
		}()
		select {
		case l := <-typed:
			if l.err == io.EOF {
				fmt.Fprint(a.std.out, "\r\n") // leave the prompt's line to the shell
			}
			return l.text, l.err
		case <-ended.Done():
			fmt.Fprint(a.std.out, "\r\n")
			return "", errInterrupted
		}
	}, false
}

type line struct {
	text string
	err  error
}

// pipedLines reads in a goroutine, because a read from a pipe can't be stopped
// and Ctrl-C must end the program all the same.
func pipedLines(ctx context.Context, in io.Reader) func() (string, error) {
	lines := make(chan line)
	go func() {
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			lines <- line{text: scanner.Text()}
		}
		err := scanner.Err()
		if err == nil {
			err = io.EOF
		}
		for {
			lines <- line{err: err}
		}
	}()
	return func() (string, error) {
		select {
		case l := <-lines:
			return l.text, l.err
		case <-ctx.Done():
			return "", errInterrupted
		}
	}
}
