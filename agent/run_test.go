package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/session"
	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func quiet() executor.Config { return executor.Config{Logger: slog.New(slog.DiscardHandler)} }

func mustAgent(t *testing.T, config agent.Config) *agent.Agent {
	t.Helper()
	if config.Executor.Logger == nil {
		config.Executor.Logger = slog.New(slog.DiscardHandler)
	}
	a, err := agent.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func call(id, name, args string) message.ToolCall {
	return message.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(args)}
}

type none struct{}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	if _, err := agent.New(agent.Config{}); err == nil {
		t.Error("an agent without a client was made")
	}
	twin := func() tool.Tool { return counter(&tally{}) }
	var duplicate *tool.DuplicateError
	if _, err := agent.New(agent.Config{Client: modeltest.NewScript(), Tools: []tool.Tool{twin(), twin()}}); !errors.As(err, &duplicate) {
		t.Errorf("two tools of one name: %v", err)
	}
}

func TestAnEmptyPromptIsAnError(t *testing.T) {
	t.Parallel()
	a := mustAgent(t, agent.Config{Client: modeltest.NewScript()})
	for _, prompt := range []string{"", " \n"} {
		if _, err := a.Run(t.Context(), prompt); err == nil {
			t.Errorf("%q: no error", prompt)
		}
	}
}

// TestTextArrivesWhileTheModelWrites takes each piece of text before the model
// has said the next.
func TestTextArrivesWhileTheModelWrites(t *testing.T) {
	t.Parallel()
	said := 0
	client := clientFunc(func(yield func(model.Event, error) bool) {
		for _, piece := range []string{"one ", "two ", "three"} {
			said++
			if !yield(model.TextDelta(piece), nil) {
				return
			}
		}
		yield(model.Finish{Reason: model.FinishStop}, nil)
	})
	heard := 0
	for event, err := range mustAgent(t, agent.Config{Client: client}).Stream(t.Context(), "Count.") {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := event.(agent.Text); ok {
			heard++
			if heard != said {
				t.Errorf("heard %d pieces when %d were said", heard, said)
			}
		}
	}
	if heard != 3 {
		t.Errorf("heard %d pieces", heard)
	}
}

type clientFunc func(yield func(model.Event, error) bool)

func (f clientFunc) Info() model.Info { return model.Info{Provider: "test"} }
func (f clientFunc) Stream(context.Context, *model.Request) iter.Seq2[model.Event, error] {
	return iter.Seq2[model.Event, error](f)
}

// TestCallsOfOneAnswerRunInParallel has each of two calls wait for the other.
func TestCallsOfOneAnswerRunInParallel(t *testing.T) {
	t.Parallel()
	var both sync.WaitGroup
	both.Add(2)
	meet := tool.Must(tool.New("meet", "Wait for the other.", func(ctx context.Context, _ none) (string, error) {
		both.Done()
		both.Wait()
		return "met", nil
	}))
	client := modeltest.NewScript(modeltest.Calls(call("a", "meet", "{}"), call("b", "meet", "{}")), modeltest.Text("Fine."))
	var order []string
	for event, err := range mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{meet}}).Stream(t.Context(), "Meet.") {
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, strings.TrimPrefix(fmt.Sprintf("%T", event), "agent."))
	}
	want := []string{"CallStarted", "CallStarted", "CallFinished", "CallFinished", "Text", "Done"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDoc002_InjectedValuesReachTheToolAndNothingElse passes everything a run can
// inject, and a model that tries to set it.
func TestDoc002_InjectedValuesReachTheToolAndNothingElse(t *testing.T) {
	t.Parallel()
	type user struct{ Name string }
	var log strings.Builder
	store := tool.NewMemoryStore()
	var seen []string
	spy := tool.Must(tool.New("spy", "Look around.", func(ctx context.Context, in struct {
		Query string `json:"query"`
	}) (string, error) {
		rt := tool.RuntimeFrom(ctx)
		who, _ := tool.Value[user](ctx)
		if err := rt.Store.Put(ctx, "last", []byte(in.Query), 0); err != nil {
			return "", err
		}
		seen = append(seen, fmt.Sprint(rt.CallID, " ", who.Name, " ", rt.State.Values["tenant"], " ", rt.Config["tags"], " ", rt.State.Messages[0].Text()))
		return "", fmt.Errorf("failed with %v", rt)
	}))
	client := modeltest.NewScript(
		modeltest.Calls(
			call("a", "spy", `{"query":"x"}`),
			call("b", "spy", `{"query":"x","USER":{"Name":"forged"},"tenant":"forged","call_id":"forged"}`)),
		modeltest.Text("Done."))
	a := mustAgent(t, agent.Config{
		Client: client, Tools: []tool.Tool{spy}, Store: store,
		Executor: executor.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
	})
	s := session.New()
	_, err := a.Run(t.Context(), "Spy.", agent.WithSession(s), agent.With(user{"hunter2"}),
		agent.WithState(map[string]any{"tenant": "acme-secret"}), agent.WithConfig(map[string]any{"tags": "internal-tag"}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a hunter2 acme-secret internal-tag Spy."}, seen); diff != "" {
		t.Errorf("what the tool saw (-want +got):\n%s", diff)
	}
	if v, ok, err := store.Get(t.Context(), "last"); string(v) != "x" || !ok || err != nil {
		t.Errorf("the store holds %q, %v, %v", v, ok, err)
	}
	messages, _, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	request, err := json.Marshal(client.Requests())
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"log": log.String(), "conversation": transcript(messages), "request": string(request)} {
		for _, secret := range []string{"hunter2", "acme-secret", "internal-tag"} {
			if strings.Contains(text, secret) {
				t.Errorf("the %s holds the injected %q:\n%s", where, secret, text)
			}
		}
	}
}

// TestProgressAndPartialOutput shows what a running call tells.
func TestProgressAndPartialOutput(t *testing.T) {
	t.Parallel()
	work := tool.Must(tool.New("work", "Work.", func(ctx context.Context, _ none) (string, error) {
		rt := tool.RuntimeFrom(ctx)
		rt.Progress(1, 2, "half")
		rt.Output(message.Text("first line"))
		rt.Callback("opened", 7)
		return "done", nil
	}))
	client := modeltest.NewScript(modeltest.Calls(call("a", "work", "{}")), modeltest.Text("Fine."))
	var got []tool.Update
	for event, err := range mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{work}}).Stream(t.Context(), "Work.") {
		if err != nil {
			t.Fatal(err)
		}
		if u, ok := event.(agent.CallUpdate); ok && u.CallID == "a" {
			got = append(got, u.Update)
		}
	}
	want := []tool.Update{tool.Progress{Done: 1, Total: 2, Note: "half"}, tool.Output{Part: message.Text("first line")}, tool.Callback{Name: "opened", Data: 7}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDoc002_ArtifactStaysWithTheHost: the caller gets it, the model does not.
func TestDoc002_ArtifactStaysWithTheHost(t *testing.T) {
	t.Parallel()
	full := []int{1, 2, 3}
	find := tool.Must(tool.New("find", "Find.", func(context.Context, none) (tool.Result, error) {
		return tool.WithArtifact("3 hits", full), nil
	}))
	client := modeltest.NewScript(modeltest.Calls(call("a", "find", "{}")), modeltest.Text("Three."))
	for event, err := range mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{find}}).Stream(t.Context(), "Find.") {
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := event.(agent.CallFinished); ok {
			if diff := cmp.Diff(any(full), f.Result.Artifact); diff != "" {
				t.Errorf("artifact (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]message.Part{message.Text("3 hits")}, f.Content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		}
	}
}

// TestBreakingOutStopsTheRun leaves the loop at each event in turn. goleak sees
// to it that nothing stays behind.
func TestBreakingOutStopsTheRun(t *testing.T) {
	t.Parallel()
	wait := tool.Must(tool.New("wait", "Wait.", func(ctx context.Context, _ none) (string, error) {
		tool.RuntimeFrom(ctx).Progress(0, 0, "waiting")
		<-ctx.Done()
		return "", ctx.Err()
	}))
	quick := tool.Must(tool.New("quick", "Do not wait.", func(context.Context, none) (string, error) { return "", nil }))
	for stopAt := range 6 {
		client := modeltest.NewScript(modeltest.Turn{Events: []model.Event{
			model.TextDelta("Waiting."), model.ToolCall(call("a", "wait", "{}")), model.ToolCall(call("b", "quick", "{}")), model.Finish{},
		}})
		n := 0
		for _, err := range mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{wait, quick}}).Stream(t.Context(), "Wait.") {
			if err != nil {
				t.Fatal(err)
			}
			if n == stopAt || n == 4 {
				break // only five things happen before the wait
			}
			n++
		}
	}
}

// TestAPanicInTheCallersLoopLeavesNothingBehind
func TestAPanicInTheCallersLoopLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	work := tool.Must(tool.New("work", "Work.", func(ctx context.Context, _ none) (string, error) {
		tool.RuntimeFrom(ctx).Progress(0, 0, "working")
		<-ctx.Done()
		return "", ctx.Err()
	}))
	client := modeltest.NewScript(modeltest.Calls(call("a", "work", "{}"), call("b", "work", "{}")))
	defer func() {
		if recover() == nil {
			t.Error("the caller's panic was swallowed")
		}
	}()
	for event := range mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{work}}).Stream(t.Context(), "Work.") {
		if _, ok := event.(agent.CallUpdate); ok {
			panic("the caller's")
		}
	}
}

// TestCancelKeepsWhatHasFinished cancels a run in the middle of its calls: the
// finished one keeps its result, the other gets none, and resuming runs only
// that.
func TestCancelKeepsWhatHasFinished(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ran := &tally{}
	var resumed atomic.Bool
	begun := make(chan struct{})
	work := tool.Must(tool.New("work", "Work.", func(ctx context.Context, in countInput) (string, error) {
		ran.add(in.What)
		if in.What == "slow" && !resumed.Load() {
			close(begun)
			<-ctx.Done()
			return "", ctx.Err()
		}
		<-begun
		return in.What + " done", nil
	}))
	client := modeltest.NewScript(
		modeltest.Calls(call("a", "work", `{"what":"quick"}`), call("b", "work", `{"what":"slow"}`)),
		modeltest.Text("Both done."))
	a := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{work}})
	s := session.New()
	var failure error
	for event, err := range a.Stream(ctx, "Work.", agent.WithSession(s)) {
		if _, ok := event.(agent.CallFinished); ok {
			cancel()
		}
		failure = err
	}
	if !errors.Is(failure, context.Canceled) {
		t.Fatalf("the run ended with %v", failure)
	}
	resumed.Store(true)
	reply, err := agent.Collect(a.Resume(t.Context(), s))
	if err != nil || reply.Text != "Both done." {
		t.Fatalf("reply %+v, %v", reply, err)
	}
	if diff := cmp.Diff(map[string]int{"quick": 1, "slow": 2}, ran.counts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestANewPromptGivesUpAnOpenRun is what a chat does after Ctrl-C.
func TestANewPromptGivesUpAnOpenRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := tool.Must(tool.New("wait", "Wait.", func(ctx context.Context, _ none) (string, error) {
		cancel()
		<-ctx.Done()
		return "", ctx.Err()
	}))
	client := modeltest.NewScript(modeltest.Calls(call("a", "wait", "{}")), modeltest.Text("Never mind."))
	a := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{wait}})
	s := session.New()
	if _, err := a.Run(ctx, "Wait.", agent.WithSession(s)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := a.Run(t.Context(), "Forget it.", agent.WithSession(s)); err != nil {
		t.Fatal(err)
	}
	sent := client.Requests()[1].Messages
	if problems := message.Check(sent); len(problems) > 0 {
		t.Errorf("the model was sent a history with %v", problems)
	}
	if last := sent[len(sent)-1]; last.Text() != "Forget it." {
		t.Errorf("the last message sent is %v", last)
	}
}

// TestTheWindowSeesTheWholeConversation and the model what is left of it.
func TestTheWindowSeesTheWholeConversation(t *testing.T) {
	t.Parallel()
	client := modeltest.NewScript(modeltest.Text("Hello."))
	a := mustAgent(t, agent.Config{
		Client:       client,
		Instructions: "Be kind.",
		Window:       func(m []message.Message) []message.Message { return m[len(m)-1:] },
	})
	old := []message.Message{message.User("One."), message.Assistant(message.Text("Two."))}
	if _, err := a.Run(t.Context(), "Three.", agent.WithHistory(old...), agent.Attach(message.Image{URL: "https://example.org/a.png"})); err != nil {
		t.Fatal(err)
	}
	want := []message.Message{
		message.System("Be kind."),
		{Role: message.RoleUser, Parts: []message.Part{message.Text("Three."), message.Image{URL: "https://example.org/a.png"}}},
	}
	if diff := cmp.Diff(want, client.Requests()[0].Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAThousandCallsOfOneAnswer all get a result.
func TestAThousandCallsOfOneAnswer(t *testing.T) {
	t.Parallel()
	ran := &tally{}
	var many []message.ToolCall
	for i := range 1000 {
		many = append(many, call(fmt.Sprintf("c%d", i), "count", `{"what":"x"}`))
	}
	client := modeltest.NewScript(modeltest.Calls(many...), modeltest.Text("Enough."))
	s := session.New()
	if _, err := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{counter(ran)}}).Run(t.Context(), "Go.", agent.WithSession(s)); err != nil {
		t.Fatal(err)
	}
	messages, _, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, m := range messages {
		if r, ok := m.ToolResult(); ok && r.IsError {
			refused++
		}
	}
	if problems := message.Check(messages); len(problems) > 0 || len(messages) != 1003 || ran.counts()["x"] != 128 || refused != 872 {
		t.Errorf("%d messages, %d ran, %d refused, problems %v", len(messages), ran.counts()["x"], refused, problems)
	}
}

// TestOneAgentServesManyRuns at once, each with its own values.
func TestOneAgentServesManyRuns(t *testing.T) {
	t.Parallel()
	who := tool.Must(tool.New("who", "Who asks?", func(ctx context.Context, _ none) (int, error) {
		n, _ := tool.Value[int](ctx)
		return n, nil
	}))
	client := modeltest.Respond(func(req *model.Request) modeltest.Turn {
		if r, ok := req.Messages[len(req.Messages)-1].ToolResult(); ok {
			return modeltest.Text(r.Text())
		}
		return modeltest.Calls(call("a", "who", "{}"))
	})
	a := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{who}})
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			reply, err := a.Run(t.Context(), "Who am I?", agent.With(i))
			if err != nil || reply.Text != fmt.Sprint(i) {
				t.Errorf("run %d: %+v, %v", i, reply, err)
			}
		})
	}
	all.Wait()
}

// TestDefinitionsAreSentInOneOrder: map order must never reach a prompt.
func TestDefinitionsAreSentInOneOrder(t *testing.T) {
	t.Parallel()
	var tools []tool.Tool
	for _, name := range []string{"c", "a", "b"} {
		tools = append(tools, tool.Must(tool.New(name, "A tool.", func(context.Context, none) (string, error) { return "", nil })))
	}
	client := modeltest.NewScript(modeltest.Text("Hello."))
	if _, err := mustAgent(t, agent.Config{Client: client, Tools: tools}).Run(t.Context(), "Hello."); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range client.Requests()[0].Tools {
		names = append(names, d.Name)
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("sent %v", names)
	}
}
