package overmcp_test

import (
	"context"
	"testing"
	"time"

	"helve/internal/overmcp"
)

func TestContext(t *testing.T) {
	t.Parallel()
	if _, served := overmcp.Served(t.Context()); served || overmcp.ObserverOf(t.Context()) != nil {
		t.Error("a bare context has a call or an observer")
	}
	call := overmcp.Call{Protocol: "2026-07-28", Transport: "pipe"}
	if got, _ := overmcp.Served(overmcp.Serve(t.Context(), call)); got != call {
		t.Errorf("served is %v", got)
	}
	var told overmcp.Failure
	ctx := overmcp.Observe(t.Context(), func(_ context.Context, _ overmcp.Call, _ time.Duration, f overmcp.Failure) { told = f })
	overmcp.ObserverOf(ctx)(ctx, call, time.Second, overmcp.Failure{Type: "timeout"})
	if told.Type != "timeout" {
		t.Errorf("told %v", told)
	}
}
