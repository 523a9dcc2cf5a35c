package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"helve/agent"
	"helve/internal/excerpt"
	"helve/model"
	"helve/sandbox"
	"helve/tool"
)

// The exit codes, as README.md lists them.
const (
	exitOK          = 0
	exitUnexpected  = 1
	exitUsage       = 2
	exitAuth        = 3
	exitUnreachable = 4
	exitTool        = 5
	exitApproval    = 6
	exitLimit       = 7
	exitSandbox     = 8 // no isolation can be had: nothing ran
	exitInterrupted = 130
)

// failure is an error that knows its exit code and what to do about it.
type failure struct {
	code int
	kind string // one word for programs
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// detailedError is an error with more for who looks closer, such as what a server
// answered.
type detailedError struct {
	error
	details map[string]any
}

// mostDetail is how much of a detail a person is shown.
const mostDetail = 500

// hintDoctor goes where it helps to look at the connection alone.
const hintDoctor = "; \"helve doctor\" checks the connection"

// hintSandbox goes where it helps to look at what isolation is made of.
const hintSandbox = "; \"helve sandbox doctor\" shows what is there"

var (
	errInterrupted = &failure{code: exitInterrupted, kind: "interrupted", err: errors.New("interrupted")}
	errTimeout     = &failure{exitLimit, "timeout", errors.New("the time of --timeout is over"), "allow more with --timeout"}
	errReported    = errors.New("reported") // the command has said what was wrong
)

func usage(format string, args ...any) error {
	return &failure{exitUsage, "usage", fmt.Errorf(format, args...), ""}
}

// classify finds the exit code for an error.
func classify(err error) *failure {
	var (
		known   *failure
		api     *model.APIError
		bad     *model.ArgumentsError
		cut     *agent.UnfinishedError
		failed  *tool.Error
		network *net.OpError
		lookup  *net.DNSError
		address *url.Error
		lacking *sandbox.UnavailableError
	)
	switch {
	case errors.Is(err, agent.ErrNoRun):
		return &failure{exitUsage, "no_run", errors.New("no run of this session was stopped"), "leave out --resume and give a prompt"}
	case errors.As(err, &known):
		return known
	case errors.As(err, &api) && (api.Status == 401 || api.Status == 403):
		return &failure{exitAuth, "authentication", err, "check the key: OPENAI_API_KEY, or api_key in helve.yaml for the server that it names; and that it may use this model"}
	case errors.As(err, &api) && api.Status == 429:
		return &failure{exitLimit, "rate_limit", err, "wait and try again"}
	case errors.As(err, &api) && api.Status >= 500:
		return &failure{exitUnreachable, "unavailable", err, "the server has a problem of its own: try again later"}
	case errors.As(err, &api):
		return &failure{exitUnexpected, "refused", err, ""}
	case errors.As(err, &bad), errors.As(err, &cut):
		return &failure{exitUnexpected, "model", err, "ask again, or try another model"}
	case errors.As(err, &failed):
		return &failure{exitTool, string(failed.Kind), errors.New(failed.Message), ""}
	case errors.As(err, &lacking):
		without := *lacking
		without.Hint = ""
		return &failure{exitSandbox, "no_isolation", &without, lacking.Hint + hintSandbox}
	case errors.Is(err, sandbox.ErrUnavailable):
		return &failure{exitSandbox, "no_isolation", err, strings.TrimPrefix(hintSandbox, "; ")}
	case errors.Is(err, sandbox.ErrSpec), errors.Is(err, sandbox.ErrExec):
		return &failure{exitUsage, "spec", err, ""}
	case errors.Is(err, model.ErrIncomplete), errors.Is(err, model.ErrTimeout):
		return &failure{exitUnreachable, "unreachable", err, "try again" + hintDoctor}
	case errors.Is(err, context.DeadlineExceeded):
		return errTimeout
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case errors.As(err, &network), errors.As(err, &lookup), errors.As(err, &address):
		return &failure{exitUnreachable, "unreachable", err, "check the address (--base-url, OPENAI_BASE_URL)" + hintDoctor}
	}
	return &failure{exitUnexpected, "unexpected", err, ""}
}

// exit says what went wrong and returns the exit code.
func (a *app) exit(err error) int {
	if err == nil {
		return exitOK
	}
	f := classify(err)
	if errors.Is(err, errReported) {
		return f.code
	}
	var detailed *detailedError
	errors.As(err, &detailed)
	if a.json || a.jsonl {
		shown := map[string]any{"code": f.kind, "message": f.Error(), "hint": f.hint}
		if detailed != nil {
			shown["details"] = detailed.details
		}
		encode(a.std.err, map[string]any{"error": shown})
		return f.code
	}
	fmt.Fprintf(a.std.err, "helve: %s\n", printable(f.Error())) // it may hold what a server said
	if detailed != nil {
		for _, key := range slices.Sorted(maps.Keys(detailed.details)) {
			text, isText := detailed.details[key].(string)
			if !isText {
				data, _ := json.Marshal(detailed.details[key])
				text = string(data)
			}
			fmt.Fprintf(a.std.err, "  %s: %s\n", key, printable(excerpt.Of(text, mostDetail)))
		}
	}
	if f.hint != "" {
		fmt.Fprintf(a.std.err, "  %s\n", printable(f.hint)) // it may name what a file does
	}
	return f.code
}
