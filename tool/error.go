package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Kind says what went wrong, in one word that stays the same in every language
// and release.
type Kind string

const (
	KindInvalidParameters Kind = "invalid_parameters" // the arguments do not fit the schema
	KindNotFound          Kind = "not_found"          // no tool has that name
	KindTimeout           Kind = "timeout"            // the deadline passed
	KindPermissionDenied  Kind = "permission_denied"  // a rule forbids it
	KindDenied            Kind = "denied"             // a person said no
	KindUnavailable       Kind = "unavailable"        // it can't run now: a limit, a server that is down
	KindCanceled          Kind = "canceled"           // the run was stopped
	KindExecution         Kind = "execution"          // the tool ran and failed
)

// Error is a failed call.
//
// Message and Detail are for the model. Err is for the host's log and never
// leaves it: put there what may hold a secret or a stack. Retryable says that
// the same call may succeed later. In Detail the keys success, error and code do
// not count: they are the error's own.
//
// Any other error that a tool returns becomes an Error of [KindExecution] whose
// Message is the error's text (document 000: the model reads what went wrong).
type Error struct {
	Kind      Kind
	Message   string
	Detail    map[string]any
	Err       error
	Retryable bool
}

// Error returns the message for people and logs of the host, without Err.
func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// MarshalJSON writes what the model reads:
//
//	{"success":false,"error":"Tool not found: serch","code":"not_found","available":["search"]}
//
// The keys of Detail follow in alphabetical order.
func (e *Error) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"success":false,"error":%s,"code":%s`, compact(e.Message), compact(e.Kind))
	for _, k := range slices.Sorted(maps.Keys(e.Detail)) {
		v, err := marshal(e.Detail[k])
		if err != nil || slices.Contains(reserved, k) {
			continue // a bad detail must not cost the model the error
		}
		fmt.Fprintf(&b, `,%s:%s`, compact(k), v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// reserved are the keys that no detail can take the place of.
var reserved = []string{"success", "error", "code"}

// PanicError is the cause of an [Error] made of a panic. The stack is for the
// log.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// AsError returns err as an [*Error]: itself if it is or wraps one, and else
// one of the kind that fits. It is nil only if err is.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	e, ok := err.(*Error) // the common case, without errors.As's reflection
	switch {
	case ok || errors.As(err, &e):
		if e == nil { // a nil *Error in an error is not nil
			return &Error{Kind: KindExecution, Message: "The tool failed and did not say why."}
		}
		return e
	case errors.Is(err, context.Canceled):
		return &Error{Kind: KindCanceled, Message: "The call was canceled.", Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: KindTimeout, Message: "The tool took too long.", Err: err}
	case errors.Is(err, ErrNobody) && err.Error() == ErrNobody.Error(): // also from another process
		return &Error{Kind: KindUnavailable, Message: "The tool has a question, and nobody is there to answer it.", Err: err}
	case errors.Is(err, ErrNobody):
		return &Error{Kind: KindUnavailable, Message: err.Error(), Err: err}
	}
	return &Error{Kind: KindExecution, Message: err.Error(), Err: err}
}

// compact is JSON without the escapes that HTML wants and a model reads badly.
func compact(v any) json.RawMessage {
	data, err := marshal(v)
	if err != nil {
		panic(fmt.Sprintf("tool: %T has no JSON form: %v", v, err)) // only our own types come here
	}
	return data
}

func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
