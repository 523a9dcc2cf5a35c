package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/internal/overmcp"
	"helve/tool"
)

var piped = overmcp.Call{Protocol: "2026-07-28", Transport: "pipe"}

// mcpPoints are the metrics of MCP, without what all of them have.
func (w *watch) mcpPoints() []string {
	var all []string
	for _, line := range w.points() {
		if rest, ok := strings.CutPrefix(line, "mcp."); ok {
			all = append(all, strings.ReplaceAll(rest, "gen_ai.operation.name=execute_tool,", ""))
		}
	}
	return all
}

const pipedLabels = "mcp.method.name=tools/call,mcp.protocol.version=2026-07-28,network.transport=pipe"

// Each request of a call is measured by how it ended.
func TestRequestsToServersAreMeasured(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	e := w.newExecutor(executor.Config{}, simple("far", func(ctx context.Context) (string, error) {
		observe := overmcp.ObserverOf(ctx)
		for _, f := range []overmcp.Failure{{}, {}, {Type: "tool_error"}, {Type: "-32602", Status: "-32602"}} {
			observe(ctx, piped, time.Second, f)
		}
		return "done", nil
	}))
	execute(e, t.Context(), call("1", "far", `{}`))
	want := []string{
		"client.operation.duration s{error.type=-32602,gen_ai.tool.name=far," + pipedLabels + ",rpc.response.status_code=-32602} count 1",
		"client.operation.duration s{error.type=tool_error,gen_ai.tool.name=far," + pipedLabels + "} count 1",
		"client.operation.duration s{gen_ai.tool.name=far," + pipedLabels + "} count 2",
	}
	if diff := cmp.Diff(want, w.mcpPoints()); diff != "" {
		t.Error(diff)
	}
}

// A server can't make a series of each call by making up codes.
func TestCodesOfServersAreBounded(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	e := w.newExecutor(executor.Config{}, simple("far", func(ctx context.Context) (string, error) {
		for i := range 300 {
			code := fmt.Sprint(i)
			overmcp.ObserverOf(ctx)(ctx, piped, time.Second, overmcp.Failure{Type: code, Status: code})
		}
		return "done", nil
	}))
	execute(e, t.Context(), call("1", "far", `{}`))
	got := w.mcpPoints()
	rest := "client.operation.duration s{error.type=_OTHER,gen_ai.tool.name=far," + pipedLabels + ",rpc.response.status_code=_OTHER} count 200"
	if len(got) != 101 || !slices.Contains(got, rest) {
		t.Errorf("%d series:\n%s", len(got), strings.Join(got, "\n"))
	}
}

// The call of an MCP client is measured once, also if its tool runs others, and is a span
// with the attributes.
func TestCallsOfClientsAreMeasured(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	var inner *executor.Executor
	inner = w.newExecutor(executor.Config{},
		add(),
		simple("fail", func(context.Context) (string, error) { return "", errors.New("out of paper") }),
		simple("stop", func(context.Context) (string, error) { return "", context.Canceled }),
		simple("both", func(ctx context.Context) (string, error) {
			return "", asError(execute(inner, ctx, call("in", "add", `{"a":1,"b":2}`)).Err)
		}),
	)
	served := overmcp.Serve(t.Context(), piped)
	for _, name := range []string{"fail", "stop", "both", "made_up"} {
		execute(inner, served, call("1", name, `{}`))
	}
	execute(inner, t.Context(), call("2", "fail", `{}`)) // nobody's
	want := []string{
		"server.operation.duration s{error.type=canceled,gen_ai.tool.name=stop," + pipedLabels + "} count 1",
		"server.operation.duration s{error.type=tool_error,gen_ai.tool.name=_OTHER," + pipedLabels + "} count 1",
		"server.operation.duration s{error.type=tool_error,gen_ai.tool.name=fail," + pipedLabels + "} count 1",
		"server.operation.duration s{gen_ai.tool.name=both," + pipedLabels + "} count 1",
	}
	if diff := cmp.Diff(want, w.mcpPoints()); diff != "" {
		t.Error(diff)
	}
	got := attrs(w.span("execute_tool both").Attributes())
	if got["mcp.method.name"] != "tools/call" || got["mcp.protocol.version"] != "2026-07-28" || got["network.transport"] != "pipe" {
		t.Errorf("attributes %v", got)
	}
	if got := attrs(w.span("execute_tool add").Attributes()); got["mcp.method.name"] != nil {
		t.Errorf("a call inside has %v", got)
	}
}

// asError is e as an error: a nil *tool.Error in one is not nil.
func asError(e *tool.Error) error {
	if e == nil {
		return nil
	}
	return e
}
