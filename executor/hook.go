package executor

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"helve/internal/excerpt"
	"helve/tool"
)

// Hook is told of the start and the end of every call, for logs, metrics and
// traces. Calls run in parallel, so a Hook is safe for concurrent use.
//
// Start returns the context in which the call runs, so that it can carry a span.
// End gets that context back. A call that never starts, because its answer had
// too many, repeated an ID or was stopped before its turn, is not reported. A hook that panics is logged and
// changes nothing for the call.
type Hook interface {
	Start(ctx context.Context, call tool.Call) context.Context
	End(ctx context.Context, report Report)
}

// Report says how a call ended. Injected values are no part of it.
type Report struct {
	Call     tool.Call // Arguments are as the model wrote them: show them with [Redact]
	Duration time.Duration
	Output   tool.Result // without content where Err is set
	Size     int         // bytes of the result's content
	Err      *tool.Error // nil for success
}

// logHook logs every call at INFO (document 004, section 5), with fields that
// look like secrets redacted. A panic is logged at ERROR, with its stack.
type logHook struct{ logger *slog.Logger }

func (h logHook) Start(ctx context.Context, _ tool.Call) context.Context { return ctx }

func (h logHook) End(ctx context.Context, r Report) {
	level := slog.LevelInfo
	if r.Err != nil && panicked(r.Err) {
		level = slog.LevelError
	}
	if !h.logger.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("tool", clip(r.Call.Name)),
		slog.String("call_id", clip(r.Call.ID)),
		slog.String("arguments", Redact(r.Call.Arguments)),
		slog.Duration("duration", r.Duration),
		slog.Int("result_bytes", r.Size),
	}
	h.logger.LogAttrs(ctx, level, "tool call", append(attrs, errorAttrs(r.Err)...)...)
}

// mostName is how many bytes of a name or an ID a log line holds: a model may
// have made it up.
const mostName = 100

func clip(name string) string { return excerpt.Of(name, mostName) }

// mostCause is how many bytes of a cause a log line holds: a stack, and not what
// a server sent.
const mostCause = 32 << 10

// errorAttrs is what a log says of an error: its cause too, where that says more
// than the message for the model does.
func errorAttrs(e *tool.Error) []slog.Attr {
	if e == nil {
		return nil
	}
	attrs := []slog.Attr{slog.String("error_kind", string(e.Kind)), slog.String("error", RedactText(e.Message))}
	if e.Err == nil {
		return attrs
	}
	if cause := e.Err.Error(); !strings.Contains(e.Message, cause) {
		attrs = append(attrs, slog.String("cause", RedactExcerpt(cause, mostCause)))
	}
	return attrs
}

// errGoexit is the cause of a tool's end that was neither a return nor a panic.
var errGoexit = errors.New("the tool called runtime.Goexit")

// panicked reports whether err was made of a panic or a Goexit: a bug in the
// tool, of which the host should hear.
func panicked(err error) bool {
	var p *tool.PanicError
	return errors.As(err, &p) || errors.Is(err, errGoexit)
}
