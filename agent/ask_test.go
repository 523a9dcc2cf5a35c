package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/session"
	"helve/tool"
)

type sureInput struct {
	What string `json:"what"`
}

// sure asks the person whether what it was called with is to be done.
func sure(options ...tool.Option) tool.Tool {
	return tool.Must(tool.New("sure", "Do something.", func(ctx context.Context, in sureInput) (string, error) {
		yes, err := tool.Confirm(ctx, "Really "+in.What+"?")
		return fmt.Sprint(in.What, " ", yes), err
	}, options...))
}

// TestTheHostIsToldWhichCallAsks: of several at once, also of those that start while
// the model still writes.
func TestTheHostIsToldWhichCallAsks(t *testing.T) {
	t.Parallel()
	calls := []message.ToolCall{call("a", "sure", `{"what":"go"}`), call("b", "sure", `{"what":"stay"}`)}
	early := []any{model.ToolCall(calls[0]), model.ToolCall(calls[1]), called}
	for name, client := range map[string]model.Client{
		"behind the answer": modeltest.NewScript(modeltest.Calls(calls...), modeltest.Text("bye")),
		"ahead of its end":  inText(early, bye),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var asked []string
			answer := func(_ context.Context, call tool.Call, questions []tool.Question) ([]tool.Answer, error) {
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, fmt.Sprint(call.ID, call.Name, string(call.Arguments), questions[0].(tool.Form).Message))
				if call.ID == "a" {
					return []tool.Answer{{Action: tool.Accept}}, nil
				}
				return []tool.Answer{{Action: tool.Cancel}}, nil
			}
			got := seen(mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{sure(tool.ReadOnly())}, Answer: answer}).Stream(t.Context(), "x"))
			if !strings.Contains(got, "finish a go true") || !strings.Contains(got, "finish b stay false") {
				t.Errorf("seen: %s", got)
			}
			slices.Sort(asked)
			if want := `[asure{"what":"go"}Really go? bsure{"what":"stay"}Really stay?]`; fmt.Sprint(asked) != want {
				t.Errorf("asked %v, want %s", asked, want)
			}
		})
	}
}

func TestWithoutAnAnswerNobodyIsThere(t *testing.T) {
	t.Parallel()
	client := modeltest.NewScript(modeltest.Calls(call("a", "sure", `{"what":"go"}`)), modeltest.Text("bye"))
	got := seen(mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{sure()}}).Stream(t.Context(), "x"))
	if !strings.Contains(got, `"code":"unavailable"`) || !strings.Contains(got, "nobody is there") {
		t.Errorf("seen: %s", got)
	}
}

// TestACallOfATool: a tool that runs calls itself passes on what they ask, by their IDs.
func TestACallOfATool(t *testing.T) {
	t.Parallel()
	tools, err := tool.NewRegistry(sure())
	if err != nil {
		t.Fatal(err)
	}
	config := quiet()
	config.Tools = tools
	inner := executor.New(config)
	outer := tool.Must(tool.New("outer", "Run another.", func(ctx context.Context, _ none) (string, error) {
		r := inner.Execute(ctx, []tool.Call{tool.Call(call("inner", "sure", `{"what":"go"}`))})[0]
		return r.Output.Text(), nil
	}))
	client := modeltest.NewScript(modeltest.Calls(call("a", "outer", `{}`)), modeltest.Text("bye"))
	answer := func(_ context.Context, call tool.Call, _ []tool.Question) ([]tool.Answer, error) {
		if call.ID != "inner" || call.Name != "" {
			t.Errorf("asked by %+v", call)
		}
		return []tool.Answer{{Action: tool.Accept}}, nil
	}
	got := seen(mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{outer}, Answer: answer}).Stream(t.Context(), "x"))
	if !strings.Contains(got, "finish a go true") {
		t.Errorf("seen: %s", got)
	}
}

// TestAResumedCallAsksAgain: a question is no part of the session.
func TestAResumedCallAsksAgain(t *testing.T) {
	t.Parallel()
	s := session.New()
	asked := 0
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answer := func(ctx context.Context, _ tool.Call, _ []tool.Question) ([]tool.Answer, error) {
		if asked++; asked == 1 {
			cancel() // the program ends while the person thinks
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return []tool.Answer{{Action: tool.Accept}}, nil
	}
	client := modeltest.NewScript(modeltest.Calls(call("a", "sure", `{"what":"go"}`)), modeltest.Text("bye"))
	a := mustAgent(t, agent.Config{Client: client, Tools: []tool.Tool{sure()}, Answer: answer})
	if _, err := a.Run(ctx, "x", agent.WithSession(s)); !errors.Is(err, context.Canceled) {
		t.Fatalf("the first run: %v", err)
	}
	if got := seen(a.Resume(t.Context(), s)); !strings.Contains(got, "finish a go true") || asked != 2 {
		t.Errorf("asked %d times; seen: %s", asked, got)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	hi := []message.Message{message.User("hi")}
	for _, test := range []struct {
		name   string
		ask    tool.Completion
		turn   modeltest.Turn
		tokens int
		want   string // text, or error:
	}{
		{"an answer", tool.Completion{Messages: hi, MaxTokens: 7}, modeltest.Text("ho"), 7, "ho"},
		{"system text", tool.Completion{System: "Be brief.", Messages: hi}, modeltest.Text("ho"), 4096, "ho"},
		{"many tokens", tool.Completion{Messages: hi, MaxTokens: 1 << 30}, modeltest.Text("ho"), 4096, "ho"},
		{"calls", tool.Completion{Messages: hi}, modeltest.Calls(call("a", "b", "{}")), 4096, "error: The model said nothing."},
		{"a failure", tool.Completion{Messages: hi}, modeltest.Fail(errors.New("key sk-1 is wrong")), 4096, "error: The model gave no answer."},
	} {
		client := modeltest.NewScript(test.turn)
		answer, err := agent.Complete(t.Context(), client, test.ask)
		got := answer.Message.Text()
		if e := tool.AsError(err); e != nil {
			got = "error: " + e.Message
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		sent := client.Requests()[0]
		if sent.MaxTokens != test.tokens || len(sent.Tools) > 0 || (test.ask.System != "") != (sent.Messages[0].Role == message.RoleSystem) || len(test.ask.Messages) != 1 {
			t.Errorf("%s: sent %+v", test.name, sent)
		}
	}
}

// How does a host let its tools ask a model, and nobody else?
func ExampleComplete() {
	client := modeltest.NewScript(modeltest.Calls(message.ToolCall{ID: "1", Name: "name", Arguments: []byte(`{}`)}), modeltest.Text("Done."))
	small := modeltest.NewScript(modeltest.Text("Tiger"))
	config := agent.Config{
		Client: client,
		Tools: []tool.Tool{tool.Must(tool.New("name", "Find a name.", func(ctx context.Context, _ struct{}) (string, error) {
			answers, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Completion{Messages: []message.Message{message.User("Name a cat.")}, MaxTokens: 10})
			if err != nil {
				return "", err
			}
			fmt.Println("the model says", answers[0].Message.Text())
			return answers[0].Message.Text(), nil
		}))},
		Answer: func(ctx context.Context, call tool.Call, questions []tool.Question) ([]tool.Answer, error) {
			answers := make([]tool.Answer, len(questions))
			for i, q := range questions {
				c, ok := q.(tool.Completion)
				if !ok {
					return nil, tool.ErrNobody
				}
				var err error
				if answers[i], err = agent.Complete(ctx, small, c); err != nil {
					return nil, err
				}
			}
			return answers, nil
		},
		Executor: quiet(),
	}
	a, err := agent.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := a.Run(context.Background(), "What shall I call it?")
	fmt.Println(reply.Text, err)
	// Output:
	// the model says Tiger
	// Done. <nil>
}
