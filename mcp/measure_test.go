package mcp

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"helve/internal/overmcp"
	"helve/mcp/internal/remote"
	"helve/tool"
)

func TestFailureOf(t *testing.T) {
	t.Parallel()
	refused := &jsonrpc.Error{Code: -32602, Message: "no such thing as sesame"}
	late := &tool.Error{Kind: tool.KindTimeout, Message: "Too late."}
	for _, tt := range []struct {
		name  string
		cause error // of the call's end; nil while it is wanted
		err   error
		want  overmcp.Failure
	}{
		{"none", nil, nil, overmcp.Failure{}},
		{"none, as the call ended", context.Canceled, nil, overmcp.Failure{}},
		{"the tool's own", nil, &tool.Error{Kind: tool.KindExecution, Err: fmt.Errorf("x: %w", errToldSo)}, overmcp.Failure{Type: "tool_error"}},
		{"silence", errIdle, context.Canceled, overmcp.Failure{Type: "timeout"}},
		{"too long", errTooLong, context.Canceled, overmcp.Failure{Type: "timeout"}},
		{"the executor's clock", late, context.Canceled, overmcp.Failure{Type: "timeout"}},
		{"given up", context.Canceled, context.Canceled, overmcp.Failure{Type: "canceled"}},
		{"no key", nil, &lost{err: &remote.StatusError{Status: 401}}, overmcp.Failure{Type: "permission_denied"}},
		{"lost", nil, &lost{ran: true, err: refused}, overmcp.Failure{Type: "connection"}},
		{"the protocol's", nil, &tool.Error{Kind: tool.KindInvalidParameters, Err: fmt.Errorf("x: %w", refused)}, overmcp.Failure{Type: "-32602", Status: "-32602"}},
		{"another", nil, errors.New("sesame"), overmcp.Failure{Type: "_OTHER"}},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if tt.cause != nil {
			cancel(tt.cause)
		}
		if got := failureOf(&waiting{ctx: ctx}, tt.err); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
		cancel(nil)
	}
}
