package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"helve/executor"
	"helve/tool"
)

// errNobody says that a call needed a person, and there was none.
var errNobody = errors.New("nobody is at a terminal")

// ask asks the person at the terminal whether a call may run. What --approve names may
// run without a question.
func (a *app) ask(ctx context.Context, call tool.Call, _ tool.Definition) (bool, error) {
	for _, pattern := range a.approve {
		if ok, _ := path.Match(pattern, call.Name); ok {
			return true, nil
		}
	}
	a.asking.Lock() // one question at a time
	defer a.asking.Unlock()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil || !isTerminal(terminal) || a.json || a.jsonl {
		a.unapproved.Store(true)
		return false, errNobody
	}
	defer terminal.Close()
	stop := context.AfterFunc(ctx, func() { _ = terminal.SetReadDeadline(time.Now()) }) // Ctrl-C while it waits
	defer stop()
	arguments := executor.Redact(call.Arguments)
	a.question.Store(true) // nothing else draws on the screen meanwhile
	defer a.question.Store(false)
	fmt.Fprintf(terminal, clearLine+"May %s run with %s? [y/N] ", printable(call.Name), printable(arguments))
	answer, err := bufio.NewReader(terminal).ReadString('\n')
	if err != nil {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "j", "ja", "是":
		return true, nil
	}
	a.unapproved.Store(true)
	return false, nil
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
	if !a.unapproved.Load() {
		return nil
	}
	return &failure{exitApproval, "approval", errors.New("a call needed the approval of a person and did not get it"), "allow tools with --approve NAME, or answer at a terminal"}
}
