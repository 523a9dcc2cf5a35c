package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"

	"helve/agent"
	"helve/executor"
	"helve/model/modeltest"
	"helve/tool"
)

// newExecutor returns a watched executor that logs nowhere unless config says so.
func (w *watch) newExecutor(config executor.Config, tools ...tool.Tool) *executor.Executor {
	w.t.Helper()
	var err error
	if config.Tools, err = tool.NewRegistry(tools...); err != nil {
		w.t.Fatal(err)
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	return executor.New(w.Executor(config))
}

func TestToolSpan(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	e := w.newExecutor(executor.Config{}, add())
	if r := execute(e, t.Context(), call("call_7", "add", `{"a":1,"b":2}`)); r.Err != nil {
		t.Fatal(r.Err)
	}
	s := w.span("execute_tool add")
	if s.SpanKind() != trace.SpanKindInternal || s.Parent().IsValid() {
		t.Errorf("kind %v, parent %v", s.SpanKind(), s.Parent())
	}
	want := map[string]any{
		"gen_ai.operation.name":   "execute_tool",
		"gen_ai.tool.name":        "add",
		"gen_ai.tool.type":        "function",
		"gen_ai.tool.description": "Adds two numbers.",
		"gen_ai.tool.call.id":     "call_7",
	}
	if diff := cmp.Diff(want, attrs(s.Attributes())); diff != "" {
		t.Error(diff)
	}
}

func TestToolErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("out of paper"), "execution"},
		{&tool.Error{Kind: tool.KindUnavailable, Message: "Later."}, "unavailable"},
		{&tool.Error{Kind: tool.KindDenied, Message: "A person said no."}, "denied"},
		{&tool.Error{Kind: "made up for each call", Message: "?"}, "_OTHER"},
		{context.Canceled, "canceled"},
	} {
		w := newWatch(t)
		e := w.newExecutor(executor.Config{}, simple("fail", func(context.Context) (string, error) { return "", tt.err }))
		execute(e, t.Context(), call("1", "fail", `{}`))
		if got := attrs(w.span("execute_tool fail").Attributes())["error.type"]; got != tt.want {
			t.Errorf("%v is %v, want %s", tt.err, got, tt.want)
		}
	}
}

func TestInventedToolsAreNoLabels(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	e := w.newExecutor(executor.Config{}, add())
	for i := range 100 {
		execute(e, t.Context(), call(fmt.Sprint("call_", i), fmt.Sprint("invented_", i), `{}`))
	}
	execute(e, t.Context(), call("bad", "add", `{"a":"x"}`))
	want := []string{
		"gen_ai.execute_tool.duration s{error.type=invalid_parameters,gen_ai.tool.name=add,gen_ai.tool.type=function} count 1",
		"gen_ai.execute_tool.duration s{error.type=not_found,gen_ai.tool.name=_OTHER,gen_ai.tool.type=function} count 100",
	}
	if diff := cmp.Diff(want, w.points()); diff != "" {
		t.Error(diff)
	}
	if got := attrs(w.spans.Ended()[3].Attributes())["gen_ai.tool.name"]; got != "invented_3" {
		t.Errorf("the span says %v", got)
	}
}

func TestMetricsOfARun(t *testing.T) {
	t.Parallel()
	w := newWatch(t, latest)
	a := w.newAgent(twoCalls(), agent.Config{}, add(), failing())
	if _, err := agent.Collect(w.stream(t.Context(), a, "What is 1+2?")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"gen_ai.execute_tool.duration s{error.type=execution,gen_ai.agent.name=helper,gen_ai.tool.name=fail,gen_ai.tool.type=function} count 1",
		"gen_ai.execute_tool.duration s{gen_ai.agent.name=helper,gen_ai.tool.name=add,gen_ai.tool.type=function} count 1",
		"gen_ai.invoke_agent.duration s{gen_ai.agent.name=helper,gen_ai.request.model=script} count 1",
		"gen_ai.invoke_agent.inference_calls {inference_call}{gen_ai.agent.name=helper} count 1 sum 2",
		"gen_ai.invoke_agent.tool_calls {tool_call}{gen_ai.agent.name=helper} count 1 sum 2",
	}
	var got []string
	for _, line := range w.points() {
		if !strings.HasPrefix(line, "gen_ai.client.") {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, line := range w.points() {
		if strings.Contains(line, "c-1") || strings.Contains(line, "call.id") {
			t.Errorf("an ID is a label: %s", line)
		}
	}
}

// Another hook's span in the context, even one of another Telemetry, must not be
// taken for ours.
func TestHookBesideOthers(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	other := &spanHook{w: newWatch(t)}
	config := w.Executor(executor.Config{Tools: registry(t, add()), Logger: slog.New(slog.DiscardHandler)})
	config.Hooks = append(config.Hooks, other)
	execute(executor.New(config), t.Context(), call("1", "add", `{"a":1,"b":2}`))
	if got := w.tree(); got != "internal execute_tool add\n" {
		t.Errorf("our spans:\n%s", got)
	}
	if n := len(other.w.spans.Ended()); n != 0 {
		t.Errorf("%d spans of the other hook were ended", n)
	}
}

// spanHook starts spans and leaves them open.
type spanHook struct{ w *watch }

func (h *spanHook) Start(ctx context.Context, c tool.Call) context.Context {
	return h.w.Executor(executor.Config{}).Hooks[0].Start(ctx, c)
}
func (h *spanHook) End(context.Context, executor.Report) {}

func registry(t testing.TB, tools ...tool.Tool) *tool.Registry {
	t.Helper()
	r, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestManyRunsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	done := make(chan error)
	const runs = 16
	for range runs {
		a := w.newAgent(modeltest.NewScript(modeltest.Calls(call("1", "add", `{"a":1,"b":2}`), call("2", "add", `{"a":3,"b":4}`)), modeltest.Text("Done.")), agent.Config{}, add())
		go func() {
			_, err := agent.Collect(w.stream(t.Context(), a, "Add."))
			done <- err
		}()
	}
	for range runs {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	parents := map[trace.SpanID]int{}
	for _, s := range w.spans.Ended() {
		parents[s.Parent().SpanID()]++
	}
	for parent, children := range parents {
		if parent.IsValid() && children != 4 { // two answers, two calls
			t.Errorf("a run has %d children", children)
		}
	}
	if parents[trace.SpanID{}] != runs {
		t.Errorf("%d spans have no parent", parents[trace.SpanID{}])
	}
}
