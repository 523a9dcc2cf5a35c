package modeltest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/tool"
)

func user(text string) *model.Request {
	return &model.Request{Messages: []message.Message{message.User(text)}}
}

func TestScript(t *testing.T) {
	t.Parallel()
	call := message.ToolCall{ID: "a", Name: "add", Arguments: json.RawMessage(`{"x":1}`)}
	broken := errors.New("broken")
	script := modeltest.NewScript(
		modeltest.Calls(call),
		modeltest.Text("It is ", "3."),
		modeltest.Fail(broken),
	)

	req := user("one and two?")
	first, err := model.Generate(t.Context(), script, req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(message.Assistant(call), first.Message); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	req.Messages[0] = message.User("changed") // must not reach the request that was kept
	second, err := model.Generate(t.Context(), script, req)
	if err != nil || second.Message.Text() != "It is 3." {
		t.Errorf("answer %v, error %v", second.Message, err)
	}
	if _, err := model.Generate(t.Context(), script, req); !errors.Is(err, broken) {
		t.Errorf("error %v: want the script's", err)
	}
	if _, err := model.Generate(t.Context(), script, req); err == nil || !strings.Contains(err.Error(), "3 turns and this is request 4") {
		t.Errorf("error %v: want one that says the script is over", err)
	}

	requests := script.Requests()
	if len(requests) != 4 || requests[0].Messages[0].Text() != "one and two?" || requests[1].Messages[0].Text() != "changed" {
		t.Errorf("requests %v: want the four as they came", requests)
	}
}

func TestScriptStall(t *testing.T) {
	t.Parallel()
	script := modeltest.NewScript(modeltest.Turn{Events: []model.Event{model.TextDelta("wait")}, Stall: true})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for event, err := range script.Stream(ctx, user("hi")) {
		if event == model.TextDelta("wait") {
			cancel()
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("event %v, error %v: want context.Canceled", event, err)
		}
	}
}

func TestScriptConcurrent(t *testing.T) {
	t.Parallel()
	script := modeltest.Respond(func(req *model.Request) modeltest.Turn { return modeltest.Text(req.Messages[0].Text()) })
	var wg sync.WaitGroup
	for _, text := range strings.Split("abcdefgh", "") {
		wg.Go(func() {
			resp, err := model.Generate(t.Context(), script, user(text))
			if err != nil || resp.Message.Text() != text {
				t.Errorf("answer %v to %q, error %v", resp.Message, text, err)
			}
		})
	}
	wg.Wait()
	if n := len(script.Requests()); n != 8 {
		t.Errorf("%d requests: want 8", n)
	}
}

func TestRunOnScript(t *testing.T) {
	t.Parallel()
	modeltest.Run(t, harness(modeltest.Respond(respond)))
}

func harness(client model.Client) modeltest.Harness {
	call := user("add")
	call.Tools = []tool.Definition{{Name: "add"}}
	return modeltest.Harness{Client: client, Text: user("hello"), Call: call, Stall: user("stall")}
}

func respond(req *model.Request) modeltest.Turn {
	last := req.Messages[len(req.Messages)-1]
	switch {
	case last.Text() == "stall":
		return modeltest.Turn{Events: []model.Event{model.TextDelta("wait")}, Stall: true}
	case last.Text() == "add":
		return modeltest.Calls(
			message.ToolCall{ID: "a", Name: "add", Arguments: json.RawMessage(`{"x":1}`)},
			message.ToolCall{ID: "b", Name: "add", Arguments: json.RawMessage(`{}`)},
		)
	}
	return modeltest.Text("hel", "lo")
}
