package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/session"
	"helve/tool"
)

// mortal is a session whose process dies at a certain save: the save is done and
// nothing after it.
type mortal struct {
	session.Session
	mu    sync.Mutex
	saves int // still to do
}

var errDied = errors.New("the process died")

func (m *mortal) Save(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.saves == 0 {
		return errDied
	}
	m.saves--
	return m.Session.Save(ctx, at, messages, state)
}

// story is two rounds of calls and an answer. The model's answers depend on the
// conversation alone, as a new process's model's would.
func storyClient() model.Client {
	return modeltest.Respond(func(req *model.Request) modeltest.Turn {
		answers := 0
		for _, m := range req.Messages {
			if m.Role == message.RoleAssistant {
				answers++
			}
		}
		switch answers {
		case 0:
			return modeltest.Calls(
				message.ToolCall{ID: "a", Name: "count", Arguments: json.RawMessage(`{"what":"apples"}`)},
				message.ToolCall{ID: "b", Name: "count", Arguments: json.RawMessage(`{"what":"pears"}`)},
				message.ToolCall{ID: "c", Name: "count", Arguments: json.RawMessage(`{"what":5}`)})
		case 1:
			return modeltest.Calls(message.ToolCall{ID: "a", Name: "count", Arguments: json.RawMessage(`{"what":"plums"}`)})
		}
		return modeltest.Text("All ", "counted.")
	})
}

type countInput struct {
	What string `json:"what"`
}

// tally counts how often a tool ran for each input. A run that was stopped may
// leave a call behind that still counts.
type tally struct {
	mu  sync.Mutex
	ran map[string]int
}

func (c *tally) add(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ran == nil {
		c.ran = map[string]int{}
	}
	c.ran[what]++
}

func (c *tally) counts() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.ran)
}

func counter(ran *tally) tool.Tool {
	return tool.Must(tool.New("count", "Count fruit.", func(_ context.Context, in countInput) (int, error) {
		ran.add(in.What)
		return len(in.What), nil
	}))
}

// TestResumeAfterEveryStep stops a run after each of its saves in turn, as a
// crash would, and lets another agent go on with what the session holds. The
// conversation must be the same as without the crash, and no call that has a
// result may run again.
func TestResumeAfterEveryStep(t *testing.T) {
	t.Parallel()
	newAgent := func(t *testing.T, ran *tally) *agent.Agent {
		a, err := agent.New(agent.Config{Client: storyClient(), Tools: []tool.Tool{counter(ran)}, Executor: quiet()})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	whole := session.New()
	reply, err := newAgent(t, &tally{}).Run(t.Context(), "Count the fruit.", agent.WithSession(whole))
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := whole.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	steps := 0
	for died := true; died; steps++ {
		ran := &tally{}
		s := session.New()
		_, err := newAgent(t, ran).Run(t.Context(), "Count the fruit.", agent.WithSession(&mortal{Session: s, saves: steps}))
		died = errors.Is(err, errDied)
		if !died && err != nil {
			t.Fatal(err)
		}
		if steps == 0 {
			continue // it died before the prompt was saved: there is nothing to go on with
		}
		saved, _, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		before := ran.counts()
		resumed, err := agent.Collect(newAgent(t, ran).Resume(t.Context(), s))
		if died != (err == nil) {
			t.Fatalf("died after %d saves: %v, then: %v", steps, died, err)
		}
		if !died {
			if !errors.Is(err, agent.ErrNoRun) {
				t.Errorf("a run that has ended is resumed: %v", err)
			}
			break
		}
		got, state, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(transcript(want), transcript(got)); diff != "" {
			t.Errorf("died after %d saves (-whole +resumed):\n%s", steps, diff)
		}
		if state != nil {
			t.Errorf("died after %d saves: the run is still open: %s", steps, state)
		}
		if diff := cmp.Diff(reply, resumed); diff != "" {
			t.Errorf("died after %d saves: the reply (-whole +resumed):\n%s", steps, diff)
		}
		for _, what := range haveResults(saved) {
			if ran.counts()[what] != before[what] {
				t.Errorf("died after %d saves: the call for %s had a result and ran again", steps, what)
			}
		}
	}
	if steps < 8 {
		t.Errorf("only %d steps were tried", steps)
	}
}

// haveResults is what was counted by the calls that have a result.
func haveResults(messages []message.Message) []string {
	asked := map[string]string{}
	var have []string
	for _, m := range messages {
		for _, c := range m.ToolCalls() {
			var in countInput
			_ = json.Unmarshal(c.Arguments, &in)
			asked[c.ID] = in.What
		}
		if r, ok := m.ToolResult(); ok {
			have = append(have, asked[r.CallID])
		}
	}
	return have
}

// TestResumeAfterAnErrorOfTheModel shows that a model's error leaves the run open.
func TestResumeAfterAnErrorOfTheModel(t *testing.T) {
	t.Parallel()
	client := modeltest.NewScript(
		modeltest.Calls(message.ToolCall{ID: "a", Name: "count", Arguments: json.RawMessage(`{"what":"figs"}`)}),
		modeltest.Fail(model.ErrIncomplete),
		modeltest.Text("Four."),
	)
	ran := &tally{}
	a, err := agent.New(agent.Config{Client: client, Tools: []tool.Tool{counter(ran)}, Executor: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	s := session.New()
	if _, err := a.Run(t.Context(), "Count.", agent.WithSession(s)); !errors.Is(err, model.ErrIncomplete) {
		t.Fatalf("got %v", err)
	}
	reply, err := agent.Collect(a.Resume(t.Context(), s))
	if err != nil {
		t.Fatal(err)
	}
	if reply.Text != "Four." || reply.Iterations != 2 || ran.counts()["figs"] != 1 {
		t.Errorf("reply %+v, counted %v", reply, ran.counts())
	}
}
