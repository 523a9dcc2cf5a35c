package telemetry_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/dialect"
	"helve/model"
	"helve/model/sim"
	"helve/session"
	"helve/telemetry"
	"helve/tool"
)

// offline starts the offline model and returns its client.
func offline(t *testing.T, options sim.Options) model.Client {
	t.Helper()
	server, err := sim.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// A run whose connection breaks and that goes on later is two runs of one
// conversation.
func TestCutRunAndItsResumption(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	client := offline(t, sim.Options{Faults: []sim.Fault{sim.Cut}})
	a := w.newAgent(client, agent.Config{}, add())
	s := session.New()
	run := telemetry.Invocation{Agent: "offline", Model: client.Info(), Conversation: "c-2"}

	_, err := agent.Collect(w.Run(t.Context(), run, func(ctx context.Context) events { return a.Stream(ctx, "add a=1 b=2", agent.WithSession(s)) }))
	if err == nil {
		t.Fatal("the connection was not cut")
	}
	reply, err := agent.Collect(w.Run(t.Context(), run, func(ctx context.Context) events { return a.Resume(ctx, s) }))
	if err != nil || reply.Iterations != 2 {
		t.Fatalf("got %v, %v", reply, err)
	}
	want := `internal invoke_agent offline [Error incomplete]
  internal chat offline [Error incomplete]
internal invoke_agent offline
  internal chat offline
  internal execute_tool add
  internal chat offline
`
	if diff := cmp.Diff(want, w.tree()); diff != "" {
		t.Error(diff)
	}
	for _, span := range w.spans.Ended() {
		if got := attrs(span.Attributes())["gen_ai.conversation.id"]; got != "c-2" {
			t.Errorf("%s is of the conversation %v", span.Name(), got)
		}
	}
}

// With a model that writes its calls as text, the refusal of tools is a failed
// answer of its own, and a read-only tool that starts while the model still writes
// belongs to the run all the same.
func TestCallsAsText(t *testing.T) {
	t.Parallel()
	tag, err := dialect.Lookup("tag")
	if err != nil {
		t.Fatal(err)
	}
	w := newWatch(t)
	client := offline(t, sim.Options{Dialect: tag})
	sum := tool.Must(tool.New("add", "Adds two numbers.", func(_ context.Context, in sumInput) (int, error) { return in.A + in.B, nil }, tool.ReadOnly()))
	a := w.newAgent(client, agent.Config{Strategy: dialect.Strategy{Dialect: tag}}, sum)
	run := telemetry.Invocation{Agent: "offline", Model: client.Info()}
	if _, err := agent.Collect(w.Run(t.Context(), run, func(ctx context.Context) events { return a.Stream(ctx, "add a=1 b=2") })); err != nil {
		t.Fatal(err)
	}
	want := `internal invoke_agent offline
  internal chat offline [Error 400]
  internal chat offline
  internal execute_tool add
  internal chat offline
`
	if diff := cmp.Diff(want, w.tree()); diff != "" {
		t.Error(diff)
	}
}
