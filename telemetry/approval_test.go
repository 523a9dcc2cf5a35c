package telemetry_test

import (
	"context"
	"errors"
	"testing"

	"helve/executor"
	"helve/telemetry"
	"helve/tool"
)

func TestApprovalIsOnTheSpanOfTheCall(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(t.Context())
	for _, tt := range []struct {
		name string
		ctx  context.Context
		ask  executor.Ask
		want any // nil for none
	}{
		{"allowed", t.Context(), func(context.Context, tool.Call, tool.Definition) (bool, error) { return true, nil }, "allowed"},
		{"denied", t.Context(), func(context.Context, tool.Call, tool.Definition) (bool, error) { return false, nil }, "denied"},
		{"unasked", t.Context(), func(context.Context, tool.Call, tool.Definition) (bool, error) { return false, errors.New("nobody") }, "unasked"},
		{"stopped", stopped, func(ctx context.Context, _ tool.Call, _ tool.Definition) (bool, error) {
			stop()
			<-ctx.Done()
			return true, nil
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWatch(t)
			e := w.newExecutor(executor.Config{Middleware: []executor.Middleware{executor.Approve(w.Ask(tt.ask))}}, add())
			execute(e, tt.ctx, call("1", "add", `{"a":1,"b":2}`))
			if got := attrs(w.span("execute_tool add").Attributes())["helve.approval.decision"]; got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAskOfNobody(t *testing.T) {
	t.Parallel()
	if newWatch(t).Ask(nil) != nil || (*telemetry.Telemetry)(nil).Ask(nil) != nil {
		t.Error("an ask was made of nothing")
	}
}
