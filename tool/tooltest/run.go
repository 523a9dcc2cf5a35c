package tooltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"testing"

	"helve/tool"
)

// Run checks the tool that newTool returns, each rule in a subtest with a tool
// of its own. A tool that is an [io.Closer] is closed. Examples are the
// arguments, as JSON, of calls that succeed.
func Run(t *testing.T, newTool func(*testing.T) tool.Tool, examples ...string) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			subject := newTool(t)
			if c, ok := subject.(io.Closer); ok && r.name != closing {
				defer c.Close() // whether it closes well is that rule's business
			}
			if err := r.run(t.Context(), subject, examples, t.Logf); err != nil {
				t.Error(err)
			}
		})
	}
}

// Check is [Run] for one tool and outside a test. It closes t if t is an
// [io.Closer]. The error joins one for each broken rule.
func Check(t tool.Tool, examples ...string) error {
	var errs []error
	for _, r := range rules {
		if err := r.run(context.Background(), t, examples, func(string, ...any) {}); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.name, err))
		}
	}
	return errors.Join(errs...)
}

type rule struct {
	name  string
	check func(*subject) error
}

// rules is in the order of the package documentation. The last one closes the
// tool.
var rules = []rule{
	{"definition", checkDefinition},
	{"examples", checkExamples},
	{"invalid arguments", checkInvalid},
	{"cancel", checkCancel},
	{"concurrent", checkConcurrent},
	{"results", checkResults},
	{closing, checkClose},
}

const closing = "close"

// subject is the tool under test.
type subject struct {
	ctx        context.Context
	tool       tool.Tool
	definition tool.Definition
	examples   []json.RawMessage // empty only if there are none to be had
	logf       func(format string, args ...any)
}

func (r rule) run(ctx context.Context, t tool.Tool, examples []string, logf func(string, ...any)) error {
	return safely(func() error {
		s := &subject{ctx: ctx, tool: t, definition: t.Definition(), logf: logf}
		for _, e := range examples {
			s.examples = append(s.examples, json.RawMessage(e))
		}
		if len(examples) == 0 {
			s.examples = ownExamples(s.definition.Schema())
		}
		return r.check(s)
	})
}

// safely makes an error of a panic.
func safely(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &tool.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}
