package wire

import (
	"context"
	"errors"
	"time"

	"helve/tool"
)

// Ask is what a call wants of its host, and the answer: something of the store, or
// answers to questions. N tells those of one call apart.
type Ask struct {
	N     uint64        `json:"n"`
	Op    string        `json:"op,omitempty"` // of the store: get, put, delete, list, swap; or questions
	Key   string        `json:"key,omitempty"`
	Value []byte        `json:"value"` // nil and empty are not the same
	Old   []byte        `json:"old"`
	TTL   time.Duration `json:"ttl,omitempty"`

	OK   bool     `json:"ok,omitempty"`
	Keys []string `json:"keys,omitempty"`

	Questions []Question `json:"questions,omitempty"`
	Answers   []Answer   `json:"answers,omitempty"`

	Fault string `json:"fault,omitempty"` // the host's error
	Known int    `json:"known,omitempty"` // which of faults it is, from 1
	Error *Error `json:"error,omitempty"` // in the place of Fault, where it is a tool.Error
}

// faults are the errors that a tool may test for.
var faults = []error{tool.ErrNoStore, tool.ErrKey, tool.ErrValue, tool.ErrTTL, tool.ErrNobody, context.Canceled, context.DeadlineExceeded}

// Do asks rt, which is the host's. The error is the host's own, of which the answer
// holds what the tool is told.
func (a Ask) Do(ctx context.Context, rt *tool.Runtime) (Ask, error) {
	answer := Ask{N: a.N}
	store := rt.Store
	var err error
	switch a.Op {
	case "get":
		answer.Value, answer.OK, err = store.Get(ctx, a.Key)
	case "put":
		err = store.Put(ctx, a.Key, a.Value, a.TTL)
	case "delete":
		err = store.Delete(ctx, a.Key)
	case "list":
		answer.Keys, err = store.List(ctx, a.Key)
	case "swap":
		answer.OK, err = store.CompareAndSwap(ctx, a.Key, a.Old, a.Value, a.TTL)
	case "questions":
		answer.Answers, err = answers(ctx, rt, a.Questions)
	default:
		err = errors.New("the host has no operation " + a.Op)
	}
	return answer.failed(err), err
}

func (a Ask) failed(err error) Ask {
	if err == nil {
		return a
	}
	var e *tool.Error
	if errors.As(err, &e) && !errors.Is(err, tool.ErrNobody) {
		a.Error = NewError(e)
		a.Error.Cause = "" // it is for the host's log
		return a
	}
	a.Fault = err.Error()
	for i, known := range faults {
		if errors.Is(err, known) {
			a.Known = i + 1
			break
		}
	}
	return a
}

// Err is the host's error as a tool sees it.
func (a Ask) Err() error {
	switch {
	case a.Error != nil:
		e := a.Error.Tool()
		e.Err = &fault{text: "the host said no", of: a.N}
		return e
	case a.Fault == "":
		return nil
	case a.Known > 0 && a.Known <= len(faults):
		return &fault{a.Fault, faults[a.Known-1], a.N}
	}
	return &fault{text: a.Fault, of: a.N}
}

// fault is an error of the host's in the tool. If the tool returns it, the host knows
// it again.
type fault struct {
	text string
	is   error
	of   uint64
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.is }
