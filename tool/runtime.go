package tool

import (
	"context"
	"fmt"
	"log/slog"

	"helve/message"
)

// CallID identifies a call within its run.
type CallID string

// State is what the agent knows when the call starts. It is a copy to read:
// changing it changes nothing for the agent.
type State struct {
	Messages []message.Message // the conversation so far, without the answer that made this call
	Values   map[string]any    // what the caller gave with agent.WithState
}

// Runtime is what the host gives a call besides the model's arguments
// (document 002, section 1.3). No model can set any of it: it travels in the
// context, never in JSON.
//
// A Runtime prints and logs as its call ID alone, so that an error or a log line
// which includes it by mistake gives nothing away.
type Runtime struct {
	CallID CallID
	State  State
	Store  Store          // never nil in a Runtime that [RuntimeFrom] returned
	Config map[string]any // the run's configuration
	Values []any          // what the caller passed with agent.With; read it with [Value]

	// Report receives what a call tells before it ends. It may be nil. It is safe
	// for concurrent use and is not called after the call has its result.
	Report func(CallID, Update)

	// Answer answers what a call asks: tools use [Runtime.Ask], which checks both the
	// questions and the answers. Nil is for a host where nobody can. It returns one answer
	// for each question, or an error for all of them, such as [ErrNobody]; a person who does
	// not let the model be asked is an error of [KindDenied]. It is safe for concurrent use,
	// and returns soon after ctx ends.
	Answer func(ctx context.Context, id CallID, questions []Question) ([]Answer, error)
}

// Progress tells how far the call is. total 0 means unknown. Of several reports
// the latest counts.
func (rt *Runtime) Progress(done, total float64, note string) {
	rt.report(Progress{done, total, note})
}

// Output passes on a piece of the result while the tool still runs. It is shown
// to people; the model reads only the final result.
func (rt *Runtime) Output(parts ...message.Part) {
	for _, p := range parts {
		rt.report(Output{p})
	}
}

// Callback tells the host of something that has a name of its own.
func (rt *Runtime) Callback(name string, data any) { rt.report(Callback{name, data}) }

func (rt *Runtime) report(u Update) {
	if rt.Report != nil {
		rt.Report(rt.CallID, u)
	}
}

// Format keeps injected values out of printed text, whatever the verb.
func (rt Runtime) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "tool.Runtime(%s)", rt.CallID) }

// LogValue keeps injected values out of logs.
func (rt Runtime) LogValue() slog.Value { return slog.StringValue(string(rt.CallID)) }

// MarshalJSON keeps injected values out of JSON.
func (rt Runtime) MarshalJSON() ([]byte, error) { return compact(string(rt.CallID)), nil }

// Update is what a running call tells its host: [Progress], [Output] or
// [Callback].
type Update interface{ update() }

// Progress says how far a call is; Total 0 means unknown.
type Progress struct {
	Done, Total float64
	Note        string
}

// Output is a piece of the result, ahead of the result.
type Output struct{ Part message.Part }

// Callback is a named event of the tool's own.
type Callback struct {
	Name string
	Data any
}

func (Progress) update() {}
func (Output) update()   {}
func (Callback) update() {}

// RuntimeKey is the key under which a context carries a [*Runtime]. It is for
// hosts whose contexts are types of their own; all others use [WithRuntime].
type RuntimeKey struct{}

// WithRuntime returns a context that carries rt. Hosts use it; the executor
// gives each call a copy with its own CallID.
func WithRuntime(ctx context.Context, rt *Runtime) context.Context {
	return context.WithValue(ctx, RuntimeKey{}, rt)
}

// RuntimeFrom returns what the host gave this call. It never returns nil:
// outside a run the Runtime is empty, and its store answers [ErrNoStore].
func RuntimeFrom(ctx context.Context) *Runtime {
	rt, _ := ctx.Value(RuntimeKey{}).(*Runtime)
	if rt == nil {
		return &Runtime{Store: noStore{}}
	}
	if rt.Store != nil {
		return rt
	}
	with := *rt
	with.Store = noStore{}
	return &with
}

// Value returns the value of type T that the caller passed with agent.With. If
// T is an interface, it is the value that implements it. Of several the last
// counts.
func Value[T any](ctx context.Context) (value T, ok bool) {
	rt, _ := ctx.Value(RuntimeKey{}).(*Runtime)
	if rt == nil {
		return value, false
	}
	for i := len(rt.Values) - 1; i >= 0; i-- {
		if v, ok := rt.Values[i].(T); ok {
			return v, true
		}
	}
	return value, false
}
