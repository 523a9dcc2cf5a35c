package telemetry

import (
	"context"
	"log/slog"
	"slices"

	"go.opentelemetry.io/otel/trace"
)

// LogHandler returns a handler that gives records the trace_id and span_id of the
// span in whose context they are made, so that a log leads to its trace. They stand
// at the top of the record, whatever groups are open.
func (t *Telemetry) LogHandler(h slog.Handler) slog.Handler {
	if t == nil {
		return h
	}
	if _, already := h.(*logHandler); already {
		return h
	}
	return &logHandler{now: h, root: h}
}

// logHandler hands records to now. Once a group is open, what is added to a record
// stands in the group: then the IDs go to root, and what was made of it is made
// again.
type logHandler struct {
	now, root slog.Handler
	made      []func(slog.Handler) slog.Handler // from root to now; empty until a group is open
}

func (l *logHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return l.now.Enabled(ctx, level)
}

func (l *logHandler) Handle(ctx context.Context, r slog.Record) error {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return l.now.Handle(ctx, r)
	}
	ids := []slog.Attr{slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String())}
	if len(l.made) == 0 {
		r = r.Clone()
		r.AddAttrs(ids...)
		return l.now.Handle(ctx, r)
	}
	h := l.root.WithAttrs(ids)
	for _, make := range l.made {
		h = make(h)
	}
	return h.Handle(ctx, r)
}

func (l *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	if len(l.made) == 0 {
		h := l.now.WithAttrs(attrs)
		return &logHandler{now: h, root: h}
	}
	return l.with(func(h slog.Handler) slog.Handler { return h.WithAttrs(attrs) })
}

func (l *logHandler) WithGroup(group string) slog.Handler {
	if group == "" {
		return l
	}
	return l.with(func(h slog.Handler) slog.Handler { return h.WithGroup(group) })
}

func (l *logHandler) with(make func(slog.Handler) slog.Handler) slog.Handler {
	return &logHandler{now: make(l.now), root: l.root, made: append(slices.Clip(l.made), make)}
}
