package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"helve/mcp"
	"helve/message"
	"helve/tool"
)

// host is a run that a call belongs to. It keeps what the call reports and asks.
type host struct {
	answer func(tool.Question) tool.Answer // nil is a host where nobody is
	heard  func(updates int)               // is called with each update, if it is set

	mu      sync.Mutex
	updates []tool.Update
	asked   []tool.Question
	by      []tool.CallID
}

func (h *host) context(ctx context.Context) context.Context {
	rt := &tool.Runtime{CallID: "call-1", Report: func(_ tool.CallID, u tool.Update) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.updates = append(h.updates, u); h.heard != nil {
			h.heard(len(h.updates))
		}
	}}
	if h.answer != nil {
		rt.Answer = func(_ context.Context, id tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.asked, h.by = append(h.asked, questions...), append(h.by, id)
			var answers []tool.Answer
			for _, q := range questions {
				answers = append(answers, h.answer(q))
			}
			return answers, nil
		}
	}
	return tool.WithRuntime(ctx, rt)
}

// The call goes on until three steps were reported, and is canceled then.
func TestProgressReachesTheHost(t *testing.T) {
	t.Parallel()
	const steps = 4000
	for name, start := range overs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "")
			s.open()
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			h := &host{}
			h.heard = func(n int) {
				if n == 3 {
					cancel()
				}
			}
			if _, err := s.call(h.context(ctx), "progress", map[string]any{"steps": steps, "pause": 5}); err == nil {
				t.Error("it came to its end, and nobody heard of three steps")
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			last := 0.0 // some may have been left out: of several reports the latest counts
			for _, u := range h.updates {
				p, _ := u.(tool.Progress)
				if p.Done <= last || p.Total != steps || p.Note != fmt.Sprintf("step %g", p.Done) {
					t.Errorf("%v after step %g", u, last)
				}
				last = p.Done
			}
		})
	}
}

// Each step comes long before the idle timeout, all of them take far longer than it.
func TestProgressKeepsACallAlive(t *testing.T) {
	t.Parallel()
	for name, start := range overs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "")
			s.config.IdleTimeout = time.Second
			s.open()
			result, err := s.call(within(t), "progress", map[string]any{"steps": 50, "pause": 50})
			if err != nil {
				t.Fatal(whole(err))
			}
			if got := result.Text(); got != "all steps done" {
				t.Errorf("%q", got)
			}
		})
	}
}

// A call that is canceled returns at once; the server is told, and goes on.
func TestCancel(t *testing.T) {
	t.Parallel()
	for name, start := range overs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "")
			s.open()
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			failed := make(chan error, 1)
			go func() {
				_, err := s.call(ctx, "sleep", nil)
				failed <- err
			}()
			if err := s.record.Await(within(t), "ran sleep", 1); err != nil {
				t.Fatal(err)
			}
			cancel()
			var e *tool.Error
			if err := <-failed; err == nil || !errors.As(tool.AsError(err), &e) || e.Kind != tool.KindCanceled {
				t.Errorf("%v", err)
			}
			if name != "HTTP, modern" { // there the end of the request says it
				if err := s.record.Await(within(t), "canceled", 1); err != nil {
					t.Error(err)
				}
			}
			if err := s.record.Await(within(t), "woken", 1); err != nil {
				t.Error(err)
			}
			s.works()
			if g := s.client.Status().Generation; g != 1 {
				t.Errorf("it was connected %d times", g)
			}
		})
	}
}

// The deadline of a call's own context is as good as a timeout of ours.
func TestDeadlineOfTheCaller(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	s.open()
	s.works()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := s.call(ctx, "sleep", nil)
	if err == nil || tool.AsError(err).Kind != tool.KindTimeout {
		t.Errorf("%v", err)
	}
	s.works()
}

func ada(q tool.Question) tool.Answer {
	return tool.Answer{Action: tool.Accept, Fields: []byte(`{"name":"Ada"}`)}
}

func TestElicitation(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answer func(tool.Question) tool.Answer
		policy mcp.Policy
		text   string
		asked  bool
	}{
		"accepted":         {ada, "", "the answer: accept Ada", true},
		"declined":         {func(tool.Question) tool.Answer { return tool.Answer{Action: tool.Decline} }, "", "the answer: decline", true},
		"gone":             {func(tool.Question) tool.Answer { return tool.Answer{Action: tool.Cancel} }, "", "the answer: cancel", true},
		"nobody is there":  {nil, "", "the answer: decline", false},
		"policy forbids":   {ada, mcp.Decline, "the answer: (decline|error)", false},
		"not what it asks": {func(tool.Question) tool.Answer { return tool.Answer{Action: tool.Accept, Fields: []byte(`{}`)} }, "", "the answer: ", true},
	}
	for over, start := range overs {
		for name, tt := range tests {
			t.Run(name+" over "+over, func(t *testing.T) {
				t.Parallel()
				s := start(t, "")
				s.options.Elicitation, s.config.Elicitation = true, tt.policy
				s.open()
				h := &host{answer: tt.answer}
				result, err := s.call(h.context(within(t)), "elicit", nil)
				if err != nil {
					// a modern server asks in its result: who may not be asked has none
					if !strings.HasSuffix(over, "modern") || name == "accepted" {
						t.Errorf("%s", whole(err))
					}
				} else {
					match(t, result.Text(), "^"+tt.text)
				}
				if asked := len(h.asked) > 0; asked != tt.asked {
					t.Errorf("asked: %v", h.asked)
				}
				for _, q := range h.asked {
					form, ok := q.(tool.Form)
					if !ok || !strings.Contains(form.Message, "Your name?") || form.Fields == nil {
						t.Errorf("%#v", q)
						continue
					}
					if inputs, err := form.Inputs(); err != nil || len(inputs) != 2 || inputs[0].Name != "name" {
						t.Errorf("the fields are not in the server's order: %v, %v", inputs, err)
					}
				}
				if slices.ContainsFunc(h.by, func(id tool.CallID) bool { return id != "call-1" }) {
					t.Errorf("asked by %q", h.by)
				}
				s.works()
			})
		}
	}
}

// A question that belongs to no call has nobody to answer it.
func TestElicitationOutOfTheBlue(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"stdio", "HTTP", "SSE"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := overs[name](t, "elicit-out-of-the-blue")
			s.options.Elicitation = true
			s.open()
			s.works()
			answer, err := s.record.First(within(t), "answered ")
			if err != nil {
				t.Fatal(err)
			}
			match(t, answer, "^(decline|cancel)$")
		})
	}
}

func TestSampling(t *testing.T) {
	t.Parallel()
	paris := func(q tool.Question) tool.Answer {
		c, ok := q.(tool.Completion)
		if !ok || c.MaxTokens != 50 || c.System == "" || len(c.Messages) != 1 {
			return tool.Answer{Message: message.Message{Role: message.RoleAssistant, Parts: []message.Part{message.Text("What?")}}}
		}
		return tool.Answer{Model: "m", Message: message.Message{Role: message.RoleAssistant, Parts: []message.Part{message.Text("Paris")}}}
	}
	for over, start := range overs {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			s := start(t, "")
			s.options.Sampling, s.config.Sampling = true, mcp.Ask
			s.open()
			h := &host{answer: paris}
			result, err := s.call(h.context(within(t)), "sample", nil)
			if err != nil {
				t.Fatal(whole(err))
			}
			if got := result.Text(); got != "the answer: Paris" {
				t.Errorf("%q", got)
			}
		})
		t.Run(over+", by default", func(t *testing.T) {
			t.Parallel()
			s := start(t, "")
			s.options.Sampling = true
			s.open()
			h := &host{answer: paris}
			result, err := s.call(h.context(within(t)), "sample", nil)
			if err == nil && strings.Contains(result.Text(), "Paris") {
				t.Error("a server used the model, and nobody said that it may")
			}
			if len(h.asked) > 0 {
				t.Errorf("asked: %v", h.asked)
			}
			s.works()
		})
	}
}
