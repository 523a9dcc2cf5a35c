package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
	"unicode"

	"golang.org/x/term"

	"helve/tool"
)

var (
	errNobody  = errors.New("nobody is at a terminal")
	errTooLong = errors.New("the arguments are too long for a person to read")
)

// mostShown is how many bytes of arguments a person is asked about. More could hide
// what matters.
const mostShown = 64 << 10

// ask asks the person at the terminal whether a call may run. What --approve names may
// run without a question.
func (a *app) ask(ctx context.Context, call tool.Call, _ tool.Definition) (yes bool, err error) {
	for _, pattern := range a.approve {
		if ok, _ := path.Match(pattern, call.Name); ok {
			return true, nil
		}
	}
	defer func() {
		if !yes {
			a.unapproved.Store(true)
		}
	}()
	if a.json || a.jsonl {
		return false, errNobody
	}
	arguments := wholly(call.Arguments)
	if len(arguments) > mostShown {
		return false, errTooLong
	}
	a.screen.Lock() // one question at a time, and nothing else on the screen
	defer a.screen.Unlock()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	terminal, err := openTerminal()
	if err != nil {
		return false, errNobody
	}
	defer terminal.Close()
	a.question.Store(true)
	defer a.question.Store(false)
	stop := context.AfterFunc(ctx, func() { _ = terminal.SetReadDeadline(time.Now()) }) // Ctrl-C while it waits
	defer stop()
	forgetTyped(terminal) // an answer is to this question, not to one that was guessed
	fmt.Fprintf(terminal, "%s\nMay %s run with\n%s\n[y/N] ", clearLine, wholly([]byte(call.Name)), arguments)
	answer, err := bufio.NewReader(terminal).ReadString('\n')
	if err != nil {
		return false, err
	}
	return isYes(answer), nil
}

func isYes(answer string) bool {
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "j", "ja", "是":
		return true
	}
	return false
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
		return nil, errNobody
	}
	return terminal, nil
}

// wholly shows all of what a model wrote to the person who decides on it: indented
// where it is JSON, and with every character that has no look of its own, or that
// changes the look of others, as its code.
func wholly(text []byte) string {
	var indented bytes.Buffer
	if json.Indent(&indented, text, "  ", "  ") == nil {
		text = append([]byte("  "), indented.Bytes()...)
	}
	var b strings.Builder
	for _, r := range string(text) {
		if r == '\n' || r == ' ' || unicode.IsGraphic(r) && !unicode.In(r, unicode.Cf, unicode.Zs) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "\\u{%X}", r)
	}
	return b.String()
}

// checkApprove finds a pattern that could never match.
func (a *app) checkApprove() error {
	for _, pattern := range a.approve {
		if _, err := path.Match(pattern, ""); err != nil {
			return usage("--approve %q is no pattern: name tools, or use * for any letters", pattern)
		}
	}
	return nil
}

// approvalMissing is the failure of a run in which a call was not allowed.
func (a *app) approvalMissing() error {
	if !a.unapproved.Swap(false) {
		return nil
	}
	return &failure{exitApproval, "approval", errors.New("a call needed the approval of a person and did not get it"), "allow tools with --approve NAME, or answer at a terminal"}
}
