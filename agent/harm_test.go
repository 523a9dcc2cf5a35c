package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/session"
	"helve/tool"
)

// TestReportAfterTheRunIsOver lets a middleware's goroutine report when nobody
// listens any more.
func TestReportAfterTheRunIsOver(t *testing.T) {
	t.Parallel()
	over, reported := make(chan struct{}), make(chan struct{})
	stray := func(next executor.Handler) executor.Handler {
		return func(ctx context.Context, req executor.Request) (tool.Result, error) {
			go func() {
				defer close(reported)
				<-over
				tool.RuntimeFrom(ctx).Progress(1, 2, "too late")
			}()
			return next(ctx, req)
		}
	}
	client := modeltest.NewScript(modeltest.Calls(call("a", "count", `{"what":"x"}`)), modeltest.Text("Done."))
	a := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{counter(&tally{})}, Executor: executor.Config{Middleware: []executor.Middleware{stray}}})
	if _, err := a.Run(t.Context(), "Go."); err != nil {
		t.Fatal(err)
	}
	close(over)
	<-reported
}

// TestAgentsShareNoTools makes two agents from one executor.Config.
func TestAgentsShareNoTools(t *testing.T) {
	t.Parallel()
	shared := quiet()
	mustAgent(t, agent.Config{Client: modeltest.NewScript(), Tools: []tool.Tool{counter(&tally{})}, Executor: shared})
	client := modeltest.NewScript(modeltest.Text("Hello."))
	if _, err := mustAgent(t, agent.Config{Client: client, Executor: shared}).Run(t.Context(), "Hello."); err != nil {
		t.Fatal(err)
	}
	if tools := client.Requests()[0].Tools; len(tools) > 0 {
		t.Errorf("the second agent offers %v", tools)
	}
	registry, err := tool.NewRegistry(counter(&tally{}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = agent.New(agent.Config{Client: client, Tools: []tool.Tool{counter(&tally{})}, Executor: executor.Config{Tools: registry}})
	if err == nil {
		t.Error("tools were added to a registry that may be shared")
	}
}

// TestResumeOfADamagedSession is an error for each way in which it does not fit.
func TestResumeOfADamagedSession(t *testing.T) {
	t.Parallel()
	for _, state := range []string{
		`{"version":1,"phase":"model","iteration":1,"next":9,"max_iterations":5}`,
		`{"version":1,"phase":"calls","iteration":1,"next":9,"calls":[{"id":"a","place":8}]}`,
		`{"version":1,"phase":"calls","iteration":1,"next":2,"calls":[{"id":"a","place":7}]}`,
		`{"version":1,"phase":"calls","iteration":1,"next":2,"calls":[]}`,
		`{"version":1,"phase":"done","iteration":1,"next":0}`,
		`{"version":1,"phase":"done","iteration":1,"next":1,"calls":[{"id":"a","place":-3}]}`,
		`"nonsense"`,
	} {
		s := session.New()
		messages := []message.Message{message.User("Hello."), message.Assistant(message.Text("Hm."))}
		if err := s.Save(t.Context(), 0, messages, json.RawMessage(state)); err != nil {
			t.Fatal(err)
		}
		a := mustAgent(t, agent.Config{Client: modeltest.NewScript(modeltest.Text("Hello."))})
		_, err := agent.Collect(a.Resume(t.Context(), s))
		if state == `{"version":1,"phase":"calls","iteration":1,"next":2,"calls":[]}` {
			continue // an answer without calls: nothing is wrong with it
		}
		if err == nil {
			t.Errorf("resumed %s", state)
		}
	}
}

// TestHugeArgumentsDoNotStayInTheConversation: they would be sent again with every
// request.
func TestHugeArgumentsDoNotStayInTheConversation(t *testing.T) {
	t.Parallel()
	huge := fmt.Sprintf(`{"what":%q}`, strings.Repeat("x", 10<<20))
	client := modeltest.NewScript(modeltest.Calls(call("a", "count", huge), call("b", "count", `{"what":"figs"}`)), modeltest.Text("Sorry."))
	ran := &tally{}
	if _, err := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{counter(ran)}}).Run(t.Context(), "Count."); err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(client.Requests()[1].Messages)
	if err != nil {
		t.Fatal(err)
	}
	if len(sent) > 2000 || !strings.Contains(string(sent), "at most 1048576 are allowed") || ran.counts()["figs"] != 1 {
		t.Errorf("sent %d bytes, ran %v: %.300s", len(sent), ran.counts(), sent)
	}
}

// TestTheExecutorsLimitOfArgumentsIsTheAgents: there is one limit, and it is set in
// one place.
func TestTheExecutorsLimitOfArgumentsIsTheAgents(t *testing.T) {
	t.Parallel()
	big := fmt.Sprintf(`{"what":%q}`, strings.Repeat("x", 2<<20))
	for limit, runs := range map[int]int{0: 0, 4 << 20: 1, 10: 0} {
		client := modeltest.NewScript(modeltest.Calls(call("a", "count", big)), modeltest.Text("Done."))
		ran := &tally{}
		config := quiet()
		config.MaxArguments = limit
		if _, err := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{counter(ran)}, Executor: config}).Run(t.Context(), "Count."); err != nil {
			t.Fatal(err)
		}
		if got := len(ran.counts()); got != runs {
			t.Errorf("limit %d: ran %d times, want %d", limit, got, runs)
		}
	}
}

// TestAClientThatNeverFinishes gives no answer whose calls may run.
func TestAClientThatNeverFinishes(t *testing.T) {
	t.Parallel()
	ran := &tally{}
	client := modeltest.NewScript(modeltest.Turn{Events: []model.Event{model.ToolCall(call("a", "count", `{"what":"x"}`))}})
	_, err := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{counter(ran)}}).Run(t.Context(), "Count.")
	if !errors.Is(err, model.ErrIncomplete) || len(ran.counts()) > 0 {
		t.Errorf("got %v, ran %v", err, ran.counts())
	}
}

// TestAClientThatPassesBadArguments can't get them past the policy.
func TestAClientThatPassesBadArguments(t *testing.T) {
	t.Parallel()
	client := modeltest.NewScript(modeltest.Calls(call("a", "count", `{"what":`)))
	_, err := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{counter(&tally{})}}).Run(t.Context(), "Count.")
	var bad *model.ArgumentsError
	if !errors.As(err, &bad) || bad.Tool != "count" {
		t.Errorf("got %v", err)
	}
}
