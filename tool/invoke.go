package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"helve/schema"
)

// Invoke checks the arguments of call against t's parameters, applies defaults
// and calls t. A panic in t becomes an error. The error is always an [*Error].
//
// Invoke has no deadline of its own and runs in the caller's goroutine: package
// executor adds what a run needs.
func Invoke(ctx context.Context, t Tool, call Call) (result Result, err error) {
	args, err := Prepare(t.Definition(), call.Arguments)
	if err != nil {
		return Result{}, err
	}
	call.Arguments = args
	return Protect(ctx, t, call)
}

// Prepare returns args as a tool with this definition wants them: valid and with
// defaults. The error is an [*Error] of [KindInvalidParameters] that lists every
// violation.
func Prepare(d Definition, args json.RawMessage) (json.RawMessage, error) {
	prepared, err := d.Schema().Prepare(args)
	if err != nil {
		return nil, invalidParameters(d.Name, err)
	}
	return prepared, nil
}

// Protect calls t with arguments that are already prepared. A panic in t becomes
// an error whose stack is in Err, for the log. The error is always an [*Error];
// with it the result holds the artifact, if t gave one, and no content.
func Protect(ctx context.Context, t Tool, call Call) (result Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			result = Result{}
			err = &Error{Kind: KindExecution, Message: "The tool failed unexpectedly.", Err: &PanicError{v, debug.Stack()}}
		}
	}()
	result, err = t.Call(ctx, call)
	if err == nil {
		err = result.check()
	}
	if err != nil {
		return Result{Artifact: result.Artifact}, AsError(err)
	}
	return result, nil
}

func invalidParameters(name string, err error) error {
	e := &Error{Kind: KindInvalidParameters, Err: err}
	var invalid *schema.ValidationError
	if !errors.As(err, &invalid) {
		e.Message = fmt.Sprintf("Invalid parameters for %s: %v.", name, err)
		return e
	}
	lines := make([]string, len(invalid.Violations))
	for i, v := range invalid.Violations {
		lines[i] = v.Message
		if v.Pointer != "" {
			lines[i] = v.Pointer + " " + v.Message
		}
	}
	if invalid.Omitted > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", invalid.Omitted))
	}
	e.Message = fmt.Sprintf("Invalid parameters for %s: %s.", name, strings.Join(lines, "; "))
	e.Detail = map[string]any{"violations": invalid.Violations}
	return e
}
