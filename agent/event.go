package agent

import (
	"time"

	"helve/message"
	"helve/model"
	"helve/tool"
)

// Event is something that happens in a run: [Text], [Reasoning], [CallStarted],
// [CallUpdate], [CallFinished] or [Done].
type Event interface{ event() }

// Text is a piece of the model's text, as it arrives.
type Text string

// Reasoning is a piece of what the model thinks.
type Reasoning string

// CallStarted says that a call is about to run. In a text dialect a call of a
// read-only tool may start, and finish, while the model still writes; all others
// of an answer start before the first of them finishes.
type CallStarted struct{ Call tool.Call }

// CallUpdate is what a running call tells: progress, partial output or an event
// of its own.
type CallUpdate struct {
	CallID string
	Update tool.Update
}

// CallFinished says what became of a call. They come in the order in which the
// calls finish.
type CallFinished struct {
	Call     tool.Call
	Result   tool.Result
	Err      *tool.Error    // nil for success
	Content  []message.Part // what the model reads, an error included
	Duration time.Duration
}

// Done is the last event of a run that ended by itself.
type Done struct{ Reply *Reply }

func (Text) event()         {}
func (Reasoning) event()    {}
func (CallStarted) event()  {}
func (CallUpdate) event()   {}
func (CallFinished) event() {}
func (Done) event()         {}

// Reply is what a run came to.
type Reply struct {
	Text       string         // the answer; with [StopReturnDirect], the tools' text
	Content    []message.Part // the answer with all its parts
	Stop       StopReason
	Iterations int                // answers that the model gave
	Finish     model.FinishReason // of the last one
	Usage      model.Usage        // of all of them
}
