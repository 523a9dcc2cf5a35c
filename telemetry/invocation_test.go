package telemetry_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"

	"helve/agent"
	"helve/executor"
	"helve/model"
	"helve/model/modeltest"
	"helve/telemetry"
	"helve/tool"
)

// helper is the invocation of the tests' agent.
var helper = telemetry.Invocation{Agent: "helper", Description: "It helps.", Model: model.Info{Provider: "test", Model: "script"}, Conversation: "c-1"}

// stream runs an agent as a host does.
func (w *watch) stream(ctx context.Context, a *agent.Agent, prompt string) iter.Seq2[agent.Event, error] {
	return w.Run(ctx, helper, func(ctx context.Context) iter.Seq2[agent.Event, error] { return a.Stream(ctx, prompt) })
}

// twoCalls is a model that makes two calls at once and then answers.
func twoCalls() model.Client {
	return modeltest.NewScript(
		modeltest.Calls(call("1", "add", `{"a":1,"b":2}`), call("2", "fail", `{}`)),
		modeltest.Turn{Events: []model.Event{
			model.TextDelta("It is "), model.TextDelta("3."),
			model.Finish{Reason: model.FinishStop, ID: "resp-1", Model: "script-2026", Usage: model.Usage{InputTokens: 40, OutputTokens: 7, CachedTokens: 30, ReasoningTokens: 2}},
		}},
	)
}

func failing() tool.Tool {
	return simple("fail", func(context.Context) (string, error) { return "", errors.New("no luck with key=abcdef") })
}

func TestRunIsTheParentOfAnswersAndCalls(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	a := w.newAgent(twoCalls(), agent.Config{}, add(), failing())
	reply, err := agent.Collect(w.stream(t.Context(), a, "What is 1+2?"))
	if err != nil || reply.Text != "It is 3." {
		t.Fatalf("got %v, %v", reply, err)
	}
	tree := w.tree() // the two calls began in any order
	tree = strings.Replace(tree, "  internal execute_tool fail [Error execution]\n  internal execute_tool add\n", "  internal execute_tool add\n  internal execute_tool fail [Error execution]\n", 1)
	want := `internal invoke_agent helper
  internal chat script
  internal execute_tool add
  internal execute_tool fail [Error execution]
  internal chat script
`
	if diff := cmp.Diff(want, tree); diff != "" {
		t.Error(diff)
	}
	span := w.span("invoke_agent helper")
	if span.SpanKind() != trace.SpanKindInternal || span.InstrumentationScope().SchemaURL != "https://opentelemetry.io/schemas/1.41.0" {
		t.Errorf("kind %v, schema %s", span.SpanKind(), span.InstrumentationScope().SchemaURL)
	}
	wantAttrs := map[string]any{
		"gen_ai.operation.name":                "invoke_agent",
		"gen_ai.provider.name":                 "test",
		"gen_ai.request.model":                 "script",
		"gen_ai.agent.name":                    "helper",
		"gen_ai.agent.description":             "It helps.",
		"gen_ai.conversation.id":               "c-1",
		"gen_ai.response.finish_reasons":       []string{"stop"},
		"gen_ai.usage.input_tokens":            int64(40),
		"gen_ai.usage.output_tokens":           int64(7),
		"gen_ai.usage.cache_read.input_tokens": int64(30),
	}
	if diff := cmp.Diff(wantAttrs, attrs(span.Attributes())); diff != "" {
		t.Error(diff)
	}
}

// ends are all the ways in which a run comes to its end.
var ends = []struct {
	name   string
	client func() model.Client
	tools  []tool.Tool
	take   func(t *testing.T, cancel func(), events iter.Seq2[agent.Event, error])
	want   string
}{
	{
		name: "the model fails",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Fail(&model.APIError{Provider: "test", Status: 429, Message: "key sk-abcdefghijklmnopqrstuvwx is over its quota"}))
		},
		want: "internal invoke_agent helper [Error 429]\n  internal chat script [Error 429]\n",
	},
	{
		name: "the answer is cut off",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Turn{Events: []model.Event{model.TextDelta("It")}})
		},
		want: "internal invoke_agent helper [Error incomplete]\n  internal chat script [Error incomplete]\n",
	},
	{
		name: "the consumer breaks out of an answer",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Turn{Events: []model.Event{model.TextDelta("It")}, Stall: true})
		},
		take: func(_ *testing.T, _ func(), events iter.Seq2[agent.Event, error]) {
			for range events {
				break
			}
		},
		want: "internal invoke_agent helper [Error canceled]\n  internal chat script [Error canceled]\n",
	},
	{
		name: "the run is canceled in an answer",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Turn{Events: []model.Event{model.TextDelta("It")}, Stall: true})
		},
		take: func(_ *testing.T, cancel func(), events iter.Seq2[agent.Event, error]) {
			for range events {
				cancel()
			}
		},
		want: "internal invoke_agent helper [Error canceled]\n  internal chat script [Error canceled]\n",
	},
	{
		name:   "the consumer breaks out of a call",
		client: func() model.Client { return modeltest.NewScript(modeltest.Calls(call("1", "wait", `{}`))) },
		tools: []tool.Tool{simple("wait", func(ctx context.Context) (string, error) {
			tool.RuntimeFrom(ctx).Progress(1, 2, "half")
			<-ctx.Done()
			return "", ctx.Err()
		})},
		take: func(t *testing.T, _ func(), events iter.Seq2[agent.Event, error]) {
			for event, err := range events {
				if err != nil {
					t.Error(err)
				}
				if _, ok := event.(agent.CallUpdate); ok {
					return
				}
			}
			t.Error("the tool reported nothing")
		},
		want: "internal invoke_agent helper [Error canceled]\n  internal chat script\n  internal execute_tool wait [Error canceled]\n",
	},
	{
		name:   "the consumer breaks out at the end",
		client: func() model.Client { return modeltest.NewScript(modeltest.Text("Hello.")) },
		take: func(_ *testing.T, _ func(), events iter.Seq2[agent.Event, error]) {
			for event := range events {
				if _, done := event.(agent.Done); done {
					break
				}
			}
		},
		want: "internal invoke_agent helper\n  internal chat script\n",
	},
	{
		name:   "the consumer panics",
		client: func() model.Client { return modeltest.NewScript(modeltest.Text("Hello.")) },
		take: func(t *testing.T, _ func(), events iter.Seq2[agent.Event, error]) {
			defer func() {
				if v := recover(); v != "at the consumer's" {
					t.Errorf("the panic became %v", v)
				}
			}()
			for range events {
				panic("at the consumer's")
			}
		},
		want: "internal invoke_agent helper [Error panic]\n  internal chat script [Error panic]\n",
	},
	{
		name: "a tool panics",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Calls(call("1", "crash", `{}`)), modeltest.Text("Sorry."))
		},
		tools: []tool.Tool{simple("crash", func(context.Context) (string, error) { panic("oh") })},
		want:  "internal invoke_agent helper\n  internal chat script\n  internal execute_tool crash [Error execution]\n  internal chat script\n",
	},
	{
		name: "arguments are not JSON",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Turn{Events: []model.Event{
				model.ToolCall(call("1", "crash", `{"city": `)), model.Finish{Reason: model.FinishToolCalls},
			}})
		},
		tools: []tool.Tool{simple("crash", func(context.Context) (string, error) { return "", nil })},
		want:  "internal invoke_agent helper [Error invalid_arguments]\n  internal chat script\n",
	},
	{
		name: "the model is stopped in its calls",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Turn{Events: []model.Event{
				model.ToolCall(call("1", "crash", `{}`)), model.Finish{Reason: model.FinishLength},
			}})
		},
		tools: []tool.Tool{simple("crash", func(context.Context) (string, error) { return "", nil })},
		want:  "internal invoke_agent helper [Error unfinished]\n  internal chat script\n",
	},
	{
		name: "the model invents a tool",
		client: func() model.Client {
			return modeltest.NewScript(modeltest.Calls(call("1", "no_such_tool", `{}`)), modeltest.Text("Sorry."))
		},
		want: "internal invoke_agent helper\n  internal chat script\n  internal execute_tool _OTHER [Error not_found]\n  internal chat script\n",
	},
}

func TestRunEndsItsSpansHoweverItEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range ends {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWatch(t)
			a := w.newAgent(tt.client(), agent.Config{}, tt.tools...)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			take := tt.take
			if take == nil {
				take = func(_ *testing.T, _ func(), events iter.Seq2[agent.Event, error]) { _, _ = agent.Collect(events) }
			}
			take(t, cancel, w.stream(ctx, a, "Do it."))
			if diff := cmp.Diff(tt.want, w.tree()); diff != "" {
				t.Error(diff)
			}
			if n := len(w.spans.Started()) - len(w.spans.Ended()); n != 0 {
				t.Errorf("%d spans never ended", n)
			}
			for _, secret := range []string{"sk-abc", "quota", "oh", "city"} {
				if strings.Contains(w.everything(), secret) {
					t.Errorf("%q is in the telemetry:\n%s", secret, w.everything())
				}
			}
		})
	}
}

func TestToolThatTimesOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		client := modeltest.NewScript(modeltest.Calls(call("1", "sleep", `{}`)), modeltest.Text("Too slow."))
		a := w.newAgent(client, agent.Config{Executor: executor.Config{Timeout: time.Minute}},
			simple("sleep", func(context.Context) (string, error) { time.Sleep(time.Hour); return "", nil }))
		if _, err := agent.Collect(w.stream(t.Context(), a, "Sleep.")); err != nil {
			t.Error(err)
		}
		s := w.span("execute_tool sleep")
		if d := s.EndTime().Sub(s.StartTime()); d != time.Minute || attrs(s.Attributes())["error.type"] != "timeout" {
			t.Errorf("the span took %v: %v", d, attrs(s.Attributes()))
		}
		time.Sleep(2 * time.Hour) // until the tool is gone
	})
}

func TestRunTwice(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	client := modeltest.Respond(func(*model.Request) modeltest.Turn { return modeltest.Text("Hello.") })
	events := w.stream(t.Context(), w.newAgent(client, agent.Config{}), "Hi.")
	for range 2 {
		if _, err := agent.Collect(events); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Repeat("internal invoke_agent helper\n  internal chat script\n", 2)
	if diff := cmp.Diff(want, w.tree()); diff != "" {
		t.Error(diff)
	}
}

func TestAgentInsideATool(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	inner := w.newAgent(modeltest.NewScript(modeltest.Text("4")), agent.Config{})
	ask := simple("ask", func(ctx context.Context) (string, error) {
		run := telemetry.Invocation{Agent: "expert", Model: helper.Model}
		reply, err := agent.Collect(w.Run(ctx, run, func(ctx context.Context) iter.Seq2[agent.Event, error] { return inner.Stream(ctx, "2+2?") }))
		if err != nil {
			return "", err
		}
		return reply.Text, nil
	})
	a := w.newAgent(modeltest.NewScript(modeltest.Calls(call("1", "ask", `{}`)), modeltest.Text("It is 4.")), agent.Config{}, ask)
	if _, err := agent.Collect(w.stream(t.Context(), a, "What is 2+2?")); err != nil {
		t.Fatal(err)
	}
	want := `internal invoke_agent helper
  internal chat script
  internal execute_tool ask
    internal invoke_agent expert
      internal chat script
  internal chat script
`
	if diff := cmp.Diff(want, w.tree()); diff != "" {
		t.Error(diff)
	}
}

func TestOffChangesNothing(t *testing.T) {
	t.Parallel()
	off, err := telemetry.New(telemetry.Config{})
	if off != nil || err != nil {
		t.Fatalf("got %v, %v", off, err)
	}
	client := modeltest.NewScript(modeltest.Text("Hello."))
	if got := off.Client(client); got != model.Client(client) {
		t.Errorf("the client became %T", got)
	}
	config := off.Agent(agent.Config{Client: client, Executor: off.Executor(executor.Config{})})
	if config.Client != model.Client(client) || config.Executor.Hooks != nil || config.Executor.Logger != nil {
		t.Errorf("the configuration became %+v", config)
	}
	a, err := agent.New(config)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := agent.Collect(off.Run(t.Context(), helper, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		if ctx != t.Context() {
			t.Error("the context is another")
		}
		return a.Stream(ctx, "Hi.")
	}))
	if err != nil || reply.Text != "Hello." {
		t.Errorf("got %v, %v", reply, err)
	}
	off.Shutdown(t.Context())
	if off.MetricsAddr() != "" {
		t.Error("metrics are served")
	}
}

func TestAgentKeepsTheErrorsOfAConfiguration(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	if _, err := agent.New(w.Agent(agent.Config{})); err == nil || !strings.Contains(err.Error(), "Client") {
		t.Errorf("without a client: %v", err)
	}
	client := modeltest.NewScript()
	if _, err := agent.New(w.Agent(agent.Config{Client: client, Tools: []tool.Tool{add(), add(), nil}})); err == nil || !strings.Contains(err.Error(), "add") {
		t.Errorf("with a tool twice: %v", err)
	}
	hooks := make([]executor.Hook, 0, 4)
	first := w.Executor(executor.Config{Hooks: hooks})
	if second := w.Executor(executor.Config{Hooks: hooks}); len(first.Hooks) != 1 || first.Hooks[0] == second.Hooks[0] {
		t.Error("two executors share a hook's place")
	}
}

func FuzzNames(f *testing.F) {
	f.Add("add", "call_1", "model")
	f.Add("\xff\xfe", strings.Repeat("é", 500), "\x00")
	f.Fuzz(func(t *testing.T, tool, id, said string) {
		w := newWatch(t, capturing)
		client := modeltest.NewScript(
			modeltest.Turn{Events: []model.Event{model.ToolCall(call(id, tool, `{"a":1,"b":2}`)), model.Finish{Reason: model.FinishReason(said), ID: said, Model: said}}},
			modeltest.Text(said),
		)
		a := w.newAgent(client, agent.Config{}, add())
		_, _ = agent.Collect(w.stream(t.Context(), a, "Go "+said))
		w.checkSendable()
	})
}

// checkSendable fails where a string is not UTF-8 or has no bound: a collector
// refuses the batch that holds the one, and a trace is no place for the other.
func (w *watch) checkSendable() {
	w.t.Helper()
	for _, s := range w.spans.Ended() {
		if !sendable(s.Name(), 300) {
			w.t.Errorf("span name %q", s.Name())
		}
		for _, a := range s.Attributes() {
			if !sendable(a.Value.String(), 70<<10) {
				w.t.Errorf("%s is %q", a.Key, a.Value.String())
			}
		}
	}
	for _, line := range w.points() {
		if !sendable(line, 2000) {
			w.t.Errorf("metric %q", line)
		}
	}
}
