package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Report is what this machine has for isolation, for a person.
type Report struct {
	// Level is what a Sandbox has here that asks for none: [Strict] or [StrictNoProc].
	// It is empty where nothing runs unless [Reduced] is asked for, or not even then.
	Level Level `json:"level"`

	// Err is why Level is empty: an [ErrUnavailable], mostly an [*UnavailableError].
	Err error `json:"-"`

	Features []Feature `json:"features"`
}

// Feature is one thing that isolation is made of, or that a program may need.
type Feature struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"` // the remedy where it is not OK, and where more could be had
}

// Probe tries what there is: it starts the launcher for each level that may be had, with
// nothing to run in it. That takes some tens of milliseconds. What it could not try because
// ctx ended is not OK.
func Probe(ctx context.Context) Report {
	r := Report{}
	p := prober{report: &r}
	p.probe(ctx)
	p.add(Feature{Name: "wasm", OK: true, Detail: "modules run in this process, on every system (helve/sandbox/wasm)"})
	return r
}

// prober fills in a Report.
type prober struct {
	report *Report
}

func (p *prober) add(f Feature) { p.report.Features = append(p.report.Features, f) }

// reduced tries the level that is had by its name alone.
func (p *prober) reduced(ctx context.Context) {
	f := Feature{Name: "reduced", OK: true, Detail: "it can be asked for by name: files and network are closed, but what exists can be told, and the disk can be filled"}
	if err := tryLevel(ctx, Reduced); err != nil {
		f.OK, f.Detail, f.Hint = false, lack(err), remedy(err)
	}
	p.add(f)
}

// tryLevel starts a launcher at a level, and runs nothing.
func tryLevel(ctx context.Context, l Level) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: not tried: %w", ErrUnavailable, err)
	}
	s, err := New(Options{Level: l, NoCgroup: true})
	if err != nil {
		return err
	}
	return s.Close()
}

// lack is what is missing, without the remedy.
func lack(err error) string {
	var e *UnavailableError
	if !errors.As(err, &e) {
		return err.Error()
	}
	without := *e
	without.Hint = ""
	return strings.TrimPrefix(without.Error(), "no isolation: ")
}

func remedy(err error) string {
	var e *UnavailableError
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}
