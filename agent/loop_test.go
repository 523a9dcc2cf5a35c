package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/model"
)

func calls(ids ...string) []agent.Call {
	var calls []agent.Call
	for _, id := range ids {
		calls = append(calls, agent.Call{ID: id, ReturnDirect: strings.HasPrefix(id, "direct")})
	}
	return calls
}

func answered(reason model.FinishReason, ids ...string) agent.Answered {
	return agent.Answered{Finish: reason, Calls: calls(ids...)}
}

// say is a command in a few words.
func say(c agent.Command) string {
	var ids []string
	add := func(calls []agent.Call) {
		for _, c := range calls {
			ids = append(ids, fmt.Sprintf("%s@%d", c.ID, c.Place))
		}
	}
	switch c := c.(type) {
	case agent.CallModel:
		return fmt.Sprintf("model %d → %d", c.Iteration, c.Place)
	case agent.RunCalls:
		add(c.Calls)
		return fmt.Sprintf("calls of %d: %s", c.Answer, strings.Join(ids, " "))
	case agent.Finish:
		add(c.Calls)
		return strings.TrimSpace(fmt.Sprintf("finish %s after %d: %s", c.Stop, c.Iterations, strings.Join(ids, " ")))
	}
	return "nothing"
}

func TestLoop(t *testing.T) {
	t.Parallel()
	began, done := agent.Began{}, agent.CallsFinished{}
	type told struct {
		event agent.LoopEvent
		want  string
	}
	for _, tt := range []struct {
		name  string
		limit int
		bad   agent.BadArguments
		story []told
	}{
		{"answer at once", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishStop), "finish answer after 1:"},
		}},
		{"one round of calls", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishToolCalls, "a", "b"), "calls of 3: a@4 b@5"},
			{done, "model 2 → 6"},
			{answered(model.FinishStop), "finish answer after 2:"},
		}},
		{"calls although the server says stop", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishStop, "a"), "calls of 3: a@4"},
		}},
		{"unfinished answers run nothing", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishLength, "a"), "finish error after 1: a@4"},
		}},
		{"a filter runs nothing", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishContentFilter, "direct"), "finish error after 1: direct@4"},
		}},
		{"a refusal runs nothing", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishRefusal, "a"), "finish error after 1: a@4"},
		}},
		{"text that was cut off is an answer", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishLength), "finish answer after 1:"},
		}},
		{"limit", 1, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishToolCalls, "a"), "finish max_iterations after 1: a@4"},
		}},
		{"return direct", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishToolCalls, "direct1", "direct2"), "calls of 3: direct1@4 direct2@5"},
			{done, "finish return_direct after 1: direct1@4 direct2@5"},
		}},
		{"return direct of some", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishToolCalls, "direct", "a"), "calls of 3: direct@4 a@5"},
			{done, "model 2 → 6"},
		}},
		{"return direct that failed", 5, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishToolCalls, "direct"), "calls of 3: direct@4"},
			{agent.CallsFinished{Failed: 1}, "model 2 → 5"},
		}},
		{"return direct at the limit", 1, "", []told{
			{began, "model 1 → 3"},
			{answered(model.FinishToolCalls, "direct"), "calls of 3: direct@4"},
			{agent.CallsFinished{Failed: 1}, "finish max_iterations after 1: direct@4"},
		}},
		{"bad arguments fail", 5, agent.BadArgumentsFail, []told{
			{began, "model 1 → 3"},
			{agent.Answered{Calls: calls("a", "b"), Invalid: 1}, "finish error after 1: a@4 b@5"},
		}},
		{"bad arguments are answered", 5, agent.BadArgumentsAnswer, []told{
			{began, "model 1 → 3"},
			{agent.Answered{Calls: calls("a", "b"), Invalid: 1}, "calls of 3: a@4 b@5"},
		}},
		{"an event told twice does no harm", 5, "", []told{
			{began, "model 1 → 3"},
			{began, "model 1 → 3"},
			{done, "model 1 → 3"},
			{answered(model.FinishToolCalls, "a"), "calls of 3: a@4"},
			{answered(model.FinishToolCalls, "b"), "calls of 3: a@4"},
			{done, "model 2 → 5"},
			{done, "model 2 → 5"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			loop := agent.NewLoop(tt.limit, tt.bad, 3)
			for i, s := range tt.story {
				if got := say(loop.Step(s.event)); got != s.want {
					t.Fatalf("step %d: got %q, want %q", i, got, s.want)
				}
			}
		})
	}
}

func TestLoopRefusesStateItCannotRead(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		`{`, `[]`, `{}`,
		`{"version":2,"phase":"start"}`,
		`{"version":1,"phase":"dreaming"}`,
		`{"version":1,"phase":"calls","next":1,"calls":[{"id":"a"},{"id":"b"}]}`,
	} {
		var loop agent.Loop
		if err := json.Unmarshal([]byte(bad), &loop); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// FuzzLoop holds a loop to its promises, whatever it is told: a copy made through
// JSON at every step commands the same, no place is given twice, and iterations
// keep to the limit.
func FuzzLoop(f *testing.F) {
	f.Add([]byte{0, 10, 2, 20, 2, 1})
	f.Add([]byte{0, 255, 3, 3, 0, 7, 2, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		const limit = 3
		loop := agent.NewLoop(limit, agent.BadArgumentsAnswer, 1)
		next := 1
		for _, b := range script {
			event := eventOf(b)
			data, err := json.Marshal(loop)
			if err != nil {
				t.Fatal(err)
			}
			var twin agent.Loop
			if err := json.Unmarshal(data, &twin); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			command := loop.Step(event)
			if diff := cmp.Diff(command, twin.Step(event)); diff != "" {
				t.Fatalf("after JSON the loop commands something else:\n%s", diff)
			}
			if diff := cmp.Diff(command, loop.Step(agent.Began{})); diff != "" {
				t.Fatalf("the outstanding command is another:\n%s", diff)
			}
			switch c := command.(type) {
			case agent.CallModel:
				if c.Iteration > limit || c.Place < next {
					t.Fatalf("%+v with the limit %d and %d messages", c, limit, next)
				}
				next = c.Place
			case agent.RunCalls:
				for i, call := range c.Calls {
					if call.Place != c.Answer+1+i {
						t.Fatalf("call %d of the answer at %d has the place %d", i, c.Answer, call.Place)
					}
				}
			}
		}
	})
}

func eventOf(b byte) agent.LoopEvent {
	switch b % 3 {
	case 0:
		return agent.Began{}
	case 1:
		reasons := []model.FinishReason{model.FinishToolCalls, model.FinishStop, model.FinishLength, "", model.FinishRefusal}
		ids := []string{"a", "direct1", "direct2", "b"}[:b/3%5%5&3]
		return agent.Answered{Finish: reasons[int(b/9)%len(reasons)], Calls: calls(ids...), Invalid: int(b) / 200}
	}
	return agent.CallsFinished{Failed: int(b/3) % 2}
}
