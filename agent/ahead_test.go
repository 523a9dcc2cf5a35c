package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/dialect"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/session"
	"helve/tool"
)

// played is a client that plays events, an answer a request, the last for ever. A
// function among them is called in its place; an error ends the answer.
type played struct {
	info    model.Info
	answers [][]any
	asked   int
}

func (p *played) Info() model.Info { return p.info }
func (p *played) Stream(context.Context, *model.Request) iter.Seq2[model.Event, error] {
	answer := p.answers[min(p.asked, len(p.answers)-1)]
	p.asked++
	return func(yield func(model.Event, error) bool) {
		for _, e := range answer {
			switch e := e.(type) {
			case func():
				e()
			case error:
				yield(nil, e)
				return
			case model.Event:
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// inText is a client that reads a text dialect, so that calls may start early.
func inText(answers ...[]any) *played {
	return &played{info: model.Info{Model: "m", FunctionCalling: model.Yes, Dialect: "tag"}, answers: answers}
}

var (
	called = model.Finish{Reason: model.FinishToolCalls}
	bye    = []any{model.TextDelta("bye"), model.Finish{Reason: model.FinishStop}}
)

func look(fn func(context.Context) string, options ...tool.Option) tool.Tool {
	return tool.Must(tool.New("look", "Look.", func(ctx context.Context, _ struct{}) (string, error) { return fn(ctx), nil }, options...))
}

func looks(n int) (events []any) {
	for i := range n {
		events = append(events, model.ToolCall(call(fmt.Sprint("c", i), "look", "{}")))
	}
	return events
}

// seen is what a user sees, on one line.
func seen(events iter.Seq2[agent.Event, error]) string {
	var out []string
	for event, err := range events {
		switch e := event.(type) {
		case agent.Text:
			out = append(out, fmt.Sprintf("%q", string(e)))
		case agent.CallStarted:
			out = append(out, "start "+e.Call.ID)
		case agent.CallFinished:
			out = append(out, "finish "+e.Call.ID+" "+message.ToolResult{Content: e.Content}.Text())
		case agent.Done:
			out = append(out, "done")
		}
		if err != nil {
			out = append(out, "error")
		}
	}
	return strings.Join(out, ", ")
}

// TestEarlyCallsKeepTheBounds counts calls that run at once, and all of them.
func TestEarlyCallsKeepTheBounds(t *testing.T) {
	t.Parallel()
	for _, bound := range []executor.Config{{MaxParallel: 1}, {MaxParallel: 3}, {MaxCalls: 1}, {MaxCalls: 5}, {}} {
		synctest.Test(t, func(t *testing.T) {
			var now, most, all atomic.Int32
			slow := look(func(context.Context) string {
				all.Add(1)
				for n := now.Add(1); ; {
					if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
						break
					}
				}
				time.Sleep(time.Second)
				now.Add(-1)
				return "ok"
			}, tool.ReadOnly())
			config := agent.Config{Client: inText(append(looks(40), called), bye), Tools: []tool.Tool{slow}, Executor: bound}
			if got := seen(mustAgent(t, config).Stream(t.Context(), "x")); !strings.HasSuffix(got, `"bye", done`) {
				t.Errorf("%+v: %s", bound, got)
			}
			if limit := int32(bound.MaxParallel); limit > 0 && most.Load() > limit || most.Load() > 16 {
				t.Errorf("%d ran at once; MaxParallel is %d", most.Load(), limit)
			}
			if limit := int32(bound.MaxCalls); limit > 0 && all.Load() != limit || limit == 0 && all.Load() != 40 {
				t.Errorf("%d ran; MaxCalls is %d", all.Load(), limit)
			}
		})
	}
}

// TestTextBehindCallsIsAlwaysShown: whatever becomes of the calls.
func TestTextBehindCallsIsAlwaysShown(t *testing.T) {
	t.Parallel()
	one := model.ToolCall(call("c", "look", "{}"))
	for name, tt := range map[string]struct {
		answer []any
		want   string
	}{
		"a call":                  {[]any{model.TextDelta("A"), one, model.TextDelta("B"), called}, `"A", start c, finish c R, "B", "bye", done`},
		"a call that comes twice": {[]any{model.TextDelta("A"), one, one, model.TextDelta("B"), called}, `"A", start c, finish c R, "B", "bye", done`},
		"an error behind it":      {[]any{model.TextDelta("A"), one, model.TextDelta("B"), errors.New("gone")}, `"A", "B", error`},
		"no finish":               {[]any{model.TextDelta("A"), one, model.TextDelta("B")}, `"A", "B", error`},
	} {
		for _, client := range []*played{inText(tt.answer, bye), {info: model.Info{FunctionCalling: model.Yes}, answers: [][]any{tt.answer, bye}}} {
			config := agent.Config{Client: client, Tools: []tool.Tool{look(func(context.Context) string { return "R" })}, Strategy: dialect.Strategy{IgnoreTextCalls: true}}
			if diff := cmp.Diff(tt.want, seen(mustAgent(t, config).Stream(t.Context(), "x"))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// TestResumeShowsTextBehindCalls stops a run when its call is about to start.
func TestResumeShowsTextBehindCalls(t *testing.T) {
	t.Parallel()
	client := inText([]any{model.TextDelta("A"), model.ToolCall(call("c", "look", "{}")), model.TextDelta("B"), called}, bye)
	a := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{look(func(context.Context) string { return "R" })}})
	s := session.New()
	for event, err := range a.Stream(t.Context(), "x", agent.WithSession(s)) {
		if _, ok := event.(agent.CallStarted); ok || err != nil {
			break
		}
	}
	if got, want := seen(a.Resume(t.Context(), s)), `start c, finish c R, "B", "bye", done`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestAnEarlyCallOfACutAnswerIsSettled: it has run, so its result is shown and kept;
// one that still runs is stopped, and says so.
func TestAnEarlyCallOfACutAnswerIsSettled(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		slow bool
		want string
	}{"over": {false, "R"}, "running": {true, "canceled"}} {
		ran := make(chan struct{})
		reader := look(func(ctx context.Context) string {
			close(ran)
			if tt.slow {
				<-ctx.Done()
			}
			return "R"
		}, tool.ReadOnly())
		client := inText([]any{model.ToolCall(call("c", "look", "{}")), func() { <-ran }, model.Finish{Reason: model.FinishLength}})
		s := session.New()
		got := seen(mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{reader}}).Stream(t.Context(), "x", agent.WithSession(s)))
		if !strings.HasPrefix(got, "start c, finish c ") || !strings.HasSuffix(got, "done, error") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", name, got)
		}
		messages, _, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if result, ok := messages[2].ToolResult(); !ok || !strings.Contains(result.Text(), tt.want) {
			t.Errorf("%s: the session holds %+v", name, messages[2])
		}
	}
}

// TestUpdatesOfEarlyCallsKeepTheirOrder around the end of the answer, where they
// take another way, and end before their call does.
func TestUpdatesOfEarlyCallsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	for range 200 {
		begun := make(chan struct{})
		busy := tool.Must(tool.New("look", "Look.", func(ctx context.Context, _ struct{}) (string, error) {
			for i := range 100 {
				tool.RuntimeFrom(ctx).Progress(float64(i), 0, "")
				if i == 10 {
					close(begun)
				}
			}
			return "R", nil
		}, tool.ReadOnly()))
		client := inText([]any{model.ToolCall(call("c", "look", "{}")), func() { <-begun }, model.TextDelta("B"), called}, bye)
		last, over := -1.0, false
		for event, err := range mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{busy}}).Stream(t.Context(), "x") {
			if err != nil {
				t.Fatal(err)
			}
			switch e := event.(type) {
			case agent.CallFinished:
				over = true
			case agent.CallUpdate:
				done := e.Update.(tool.Progress).Done
				if done != last+1 || over {
					t.Fatalf("update %v follows %v; the call is over: %v", done, last, over)
				}
				last = done
			}
		}
	}
}

// TestAPanicAtAnEarlyUpdateComesOut: the caller's loop may panic at any event, and
// nothing of the run may keep it from coming out.
func TestAPanicAtAnEarlyUpdateComesOut(t *testing.T) {
	t.Parallel()
	tell := make(chan struct{})
	told := make(chan struct{})
	reader := tool.Must(tool.New("look", "Look.", func(ctx context.Context, _ struct{}) (string, error) {
		<-tell
		tool.RuntimeFrom(ctx).Progress(1, 2, "")
		close(told)
		return "R", nil
	}, tool.ReadOnly()))
	writer := tool.Must(tool.New("write", "Write.", func(context.Context, struct{}) (string, error) { return "W", nil }))
	client := inText([]any{model.ToolCall(call("a", "look", "{}")), model.ToolCall(call("b", "write", "{}")), called}, bye)
	a := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{reader, writer}})
	defer func() {
		if recover() == nil {
			t.Error("the panic did not come out")
		}
	}()
	for event := range a.Stream(t.Context(), "x") {
		switch e := event.(type) {
		case agent.CallStarted:
			if e.Call.ID == "b" {
				close(tell)
				<-told
			}
		case agent.CallUpdate:
			panic("stop")
		}
	}
}
