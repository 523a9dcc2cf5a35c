package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"helve/executor"
	"helve/tool"
)

// Ask returns ask, so that the span of a call says what came of it, as
// helve.approval.decision: allowed, denied, or unasked where nobody could be asked.
// Give it to [executor.Approve]. A nil ask stays nil.
func (t *Telemetry) Ask(ask executor.Ask) executor.Ask {
	if t == nil || ask == nil {
		return ask
	}
	return func(ctx context.Context, call tool.Call, definition tool.Definition) (bool, error) {
		yes, err := ask(ctx, call, definition)
		if ctx.Err() == nil { // else the call was stopped, whatever the answer
			trace.SpanFromContext(ctx).SetAttributes(attribute.String(attrApproval, decision(yes, err)))
		}
		return yes, err
	}
}

func decision(yes bool, err error) string {
	switch {
	case err != nil:
		return "unasked"
	case yes:
		return "allowed"
	}
	return "denied"
}
