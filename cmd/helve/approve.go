package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"helve/catalog"
	"helve/executor"
	"helve/tool"
)

var errTooLong = errors.New("the arguments are too long for a person to read")

// mostShown is how many bytes of arguments a person is asked about. More could hide
// what matters.
const mostShown = 64 << 10

// ask asks the person at the terminal whether a call may run. What --approve names may
// run without a question.
func (a *app) ask(ctx context.Context, call tool.Call, _ tool.Definition) (yes bool, err error) {
	if a.approved(call.Name) {
		return true, nil
	}
	defer func() {
		if !yes {
			a.unapproved.Store(true)
		}
	}()
	if a.json || a.jsonl {
		return false, tool.ErrNobody
	}
	arguments := wholly(call.Arguments)
	if len(arguments) > mostShown {
		return false, errTooLong
	}
	err = a.talk(ctx, func(d *dialog) error {
		yes, err = d.agrees(fmt.Sprintf("May %s run with\n%s\n", visible(call.Name), arguments))
		return err
	})
	return yes, err
}

// unlessInstead is ask but for calls that do the work of a tool that --approve names, such
// as skill_run, for which nobody need be asked.
func (a *app) unlessInstead(spec *catalog.Agent, ask executor.Ask) executor.Ask {
	return func(ctx context.Context, call tool.Call, d tool.Definition) (bool, error) {
		if of := spec.InsteadOf(call); of != "" && a.approved(of) {
			return true, nil
		}
		return ask(ctx, call, d)
	}
}

// approved reports whether --approve names a tool.
func (a *app) approved(name string) bool {
	return slices.ContainsFunc(a.approve, func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	})
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
