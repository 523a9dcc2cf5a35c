package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"golang.org/x/term"

	"helve/tool"
)

// dialog is a talk with the person at the terminal.
type dialog struct {
	terminal *os.File
	in       *bufio.Reader
}

// talk gives the terminal to one talk, with nothing else on the screen. The error is
// [tool.ErrNobody] where there is no terminal, and ctx's where that ends meanwhile.
func (a *app) talk(ctx context.Context, with func(*dialog) error) error {
	a.screen.Lock()
	defer a.screen.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	terminal, err := openTerminal()
	if err != nil {
		return tool.ErrNobody
	}
	defer terminal.Close()
	a.question.Store(true)
	defer a.question.Store(false)
	stop := context.AfterFunc(ctx, func() { _ = terminal.SetReadDeadline(time.Now()) }) // Ctrl-C while it waits
	defer stop()
	forgetTyped(terminal) // an answer is to this question, not to one that was guessed
	d := &dialog{terminal, bufio.NewReader(terminal)}
	d.say("%s\n", clearLine)
	if err := with(d); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	return nil
}

// atTerminal reports whether there is a person to talk to.
func (a *app) atTerminal() bool {
	if a.json || a.jsonl {
		return false
	}
	terminal, err := openTerminal()
	if err != nil {
		return false
	}
	return terminal.Close() == nil
}

func (d *dialog) say(format string, args ...any) { fmt.Fprintf(d.terminal, format, args...) }

// line reads a line, without its end. The error is [io.EOF] for Ctrl-D.
func (d *dialog) line() (string, error) {
	text, err := d.in.ReadString('\n')
	return strings.TrimRight(text, "\r\n"), err
}

// agrees asks for a yes. Anything else is a no.
func (d *dialog) agrees(question string) (bool, error) {
	d.say("%s[y/N] ", question)
	answer, err := d.line()
	return err == nil && isYes(answer), err
}

func isYes(answer string) bool { return isOneOf(answer, "y", "yes", "true", "j", "ja", "是") }
func isNo(answer string) bool  { return isOneOf(answer, "n", "no", "false", "nein", "否") }

func isOneOf(answer string, words ...string) bool {
	return slices.Contains(words, strings.ToLower(strings.TrimSpace(answer)))
}

// openTerminal opens the terminal of the process, wherever its standard streams lead.
// It asks by the raw connection: File.Fd would end the deadlines of the file.
func openTerminal() (*os.File, error) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	is := false
	raw, err := terminal.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) { is = term.IsTerminal(int(fd)) })
	}
	if err != nil || !is {
		terminal.Close()
		return nil, tool.ErrNobody
	}
	return terminal, nil
}

// wholly shows all of what a model wrote to the person who decides on it, indented where
// it is JSON.
func wholly(text []byte) string {
	var indented bytes.Buffer
	if json.Indent(&indented, text, "  ", "  ") == nil {
		text = append([]byte("  "), indented.Bytes()...)
	}
	return visible(string(text))
}

// visible is text with every character that has no look of its own, or that changes the
// look of others, as its code.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == ' ' || unicode.IsGraphic(r) && !unicode.In(r, unicode.Cf, unicode.Zs) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "\\u{%X}", r)
	}
	return b.String()
}

// quote sets off what a stranger wrote from what helve says.
func quote(text string) string {
	return "  │ " + strings.ReplaceAll(visible(strings.TrimSpace(text)), "\n", "\n  │ ")
}

// label is what a stranger wrote, on one line.
func label(text string) string { return strings.ReplaceAll(visible(text), "\n", `\u{A}`) }
