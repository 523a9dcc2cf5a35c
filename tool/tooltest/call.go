package tooltest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"helve/message"
	"helve/tool"
)

// watched is a tool that notes what its calls do.
type watched struct {
	tool.Tool
	called  func() // when a call has reached the tool
	changed bool   // a call changed its arguments
}

func (w *watched) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	w.called()
	before := bytes.Clone(call.Arguments)
	result, err := w.Tool.Call(ctx, call)
	w.changed = !bytes.Equal(before, call.Arguments)
	return result, err
}

// invoke calls the tool once. It calls reached as soon as the tool's code runs.
// The error of the tool is failure; err says which rule the call broke.
func (s *subject) invoke(ctx context.Context, args json.RawMessage, reached func()) (result tool.Result, failure *tool.Error, err error) {
	w := &watched{Tool: s.tool, called: reached}
	err = safely(func() error {
		r, err := tool.Invoke(ctx, w, tool.Call{ID: "call_1", Name: s.definition.Name, Arguments: bytes.Clone(args)})
		result, failure = r, tool.AsError(err)
		return nil
	})
	var panicked *tool.PanicError
	switch {
	case err != nil:
		return result, failure, fmt.Errorf("the call %s: %w", args, err)
	case failure != nil && errors.As(failure, &panicked):
		return result, failure, fmt.Errorf("the call %s: %w", args, panicked)
	case w.changed:
		return result, failure, fmt.Errorf("the call %s changed its arguments, which are its caller's", args)
	}
	return result, failure, nil
}

// succeed is invoke for a call that must give a result. It returns the content
// as a conversation stores it, too.
func (s *subject) succeed(args json.RawMessage) (tool.Result, []byte, error) {
	result, failure, err := s.invoke(s.ctx, args, func() {})
	if err != nil {
		return result, nil, err
	}
	if failure != nil {
		return result, nil, fmt.Errorf("the call %s failed: %w", args, failure)
	}
	stored, err := message.MarshalParts(result.Content)
	if err != nil {
		return result, nil, fmt.Errorf("the call %s: its content can't be stored: %w", args, err)
	}
	return result, stored, nil
}

func checkExamples(s *subject) error {
	if len(s.examples) == 0 {
		return errors.New("no call can be made of the schema: a required property has no default, example or enum: give the kit the arguments of a call that succeeds")
	}
	var errs []error
	for _, args := range s.examples {
		_, _, err := s.succeed(args)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func checkConcurrent(s *subject) error {
	const callers = 8
	errs := make([]error, callers)
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			for _, args := range s.examples {
				if _, _, err := s.succeed(args); err != nil {
					errs[i] = err
					return
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs { // one is enough: the others say the same
		if err != nil {
			return fmt.Errorf("while other calls ran: %w", err)
		}
	}
	return nil
}
