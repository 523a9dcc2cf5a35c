//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/message"
	"helve/tool"
)

func quietServer() *Server { return New(Options{Log: slog.New(slog.DiscardHandler)}) }

// asking is a request whose work asks one question, and tells of what became of it.
func asking(ctx context.Context, told chan<- error) (request, work) {
	caller, _ := ctx.Value(callerKey{}).(string)
	r := request{
		ctx: ctx, caller: caller, rounds: true, method: "tools/call", name: "ask", arguments: func() []byte { return nil },
		capabilities: func() *sdk.ClientCapabilities { return &sdk.ClientCapabilities{Sampling: &sdk.SamplingCapabilities{}} },
	}
	return r, func(ctx context.Context, rt *tool.Runtime) (sdk.Result, error) {
		_, err := rt.Ask(ctx, tool.Completion{Messages: []message.Message{message.User("x")}})
		told <- err
		return &sdk.CallToolResult{}, err
	}
}

func TestParkedForTooLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := quietServer()
		defer s.Close()
		told := make(chan error, 1)
		r, do := asking(t.Context(), told)
		_, p, err := s.serve(r, do)
		if err != nil || p == nil {
			t.Fatal(p, err)
		}
		if err := <-told; !errors.Is(err, errExpired) {
			t.Error(err)
		}
		r.state = p.state
		if _, _, err := s.serve(r, do); err == nil {
			t.Error("an expired state is good")
		}
		if len(s.parked.byState) != 0 {
			t.Errorf("left over: %v", s.parked.byState)
		}
	})
}

// TestAskedAgainGetsNoMoreTime has a client come back without answers, over and over.
func TestAskedAgainGetsNoMoreTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := quietServer()
		defer s.Close()
		told := make(chan error, 1)
		r, do := asking(t.Context(), told)
		_, p, err := s.serve(r, do)
		rounds := 0
		for ; err == nil; rounds++ {
			r.state = p.state
			time.Sleep(parkedFor/4 + time.Second)
			_, p, err = s.serve(r, do)
		}
		if err := <-told; rounds != 4 || !errors.Is(err, errExpired) {
			t.Error(rounds, err)
		}
	})
}

func TestTooManyParked(t *testing.T) {
	t.Parallel()
	s := quietServer()
	told := make(chan error, mostParked+1)
	for range mostParked {
		if _, p, err := s.serve(asking(t.Context(), told)); p == nil {
			t.Fatal(err)
		}
	}
	_, p, err := s.serve(asking(t.Context(), told))
	if te := tool.AsError(err); p != nil || te == nil || te.Kind != tool.KindUnavailable {
		t.Errorf("%v %v", p, err)
	}
	s.Close()
	if err := <-told; tool.AsError(err).Kind != tool.KindUnavailable {
		t.Error(err)
	}
	for range mostParked {
		if err := <-told; !errors.Is(err, errClosed) {
			t.Fatal(err)
		}
	}
	if _, _, err := s.serve(asking(t.Context(), told)); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestParkedOfAnother has one client's questions take all the room: another's is still
// asked, and the longest waiting of the first one's ends for it.
func TestParkedOfAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := quietServer()
		first, greedy, other := make(chan error, 1), make(chan error, mostParked), make(chan error, 1)
		by := func(caller string, told chan<- error) error {
			r, do := asking(context.WithValue(t.Context(), callerKey{}, caller), told)
			_, p, err := s.serve(r, do)
			if (p == nil) == (err == nil) {
				t.Fatal(p, err)
			}
			return err
		}
		for i := range mostParked {
			told := greedy
			if i == 0 {
				told = first
			}
			if err := by("greedy", told); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		if err := by("other", other); err != nil {
			t.Errorf("another: %v", err)
		}
		if err := <-first; tool.AsError(err).Kind != tool.KindUnavailable {
			t.Errorf("the longest waiting: %v", err)
		}
		if err := by("greedy", greedy); tool.AsError(err).Kind != tool.KindUnavailable {
			t.Errorf("the greedy one again: %v", err)
		}
		if len(s.parked.byState) != mostParked || len(other) > 0 {
			t.Error(len(s.parked.byState), len(other))
		}
		s.Close()
	})
}

// TestTwoAsksAtOnce has a tool ask from two goroutines: the client is asked one after
// the other.
func TestTwoAsksAtOnce(t *testing.T) {
	t.Parallel()
	s := quietServer()
	defer s.Close()
	r, _ := asking(t.Context(), nil)
	do := func(ctx context.Context, rt *tool.Runtime) (sdk.Result, error) {
		answers := make(chan string, 2)
		for range 2 {
			go func() {
				a, err := rt.Ask(ctx, tool.Completion{Messages: []message.Message{message.User("x")}})
				if err != nil {
					answers <- err.Error()
					return
				}
				answers <- a[0].Model
			}()
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: <-answers + " " + <-answers}}}, nil
	}
	result, p, err := s.serve(r, do)
	for i := 0; p != nil; i++ {
		r.state = p.state
		r.answers = sdk.InputResponseMap{"question_1": &sdk.CreateMessageWithToolsResult{Model: "m", Content: []sdk.Content{&sdk.TextContent{Text: "yes"}}}}
		result, p, err = s.serve(r, do)
	}
	if err != nil || result.(*sdk.CallToolResult).Content[0].(*sdk.TextContent).Text != "m m" {
		t.Errorf("%+v %v", result, err)
	}
}

func TestWorkThatPanics(t *testing.T) {
	t.Parallel()
	s := quietServer()
	defer s.Close()
	r, _ := asking(t.Context(), nil)
	_, _, err := s.serve(r, func(context.Context, *tool.Runtime) (sdk.Result, error) { panic("secret") })
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

// FuzzRequestState has a client come back with anything. It gets nothing but what it
// was given, with the request for which it was given it.
func FuzzRequestState(f *testing.F) {
	f.Add("", `{"a":1}`, true)
	f.Add("-TAMPERED", `{"a": 1}`, false)
	f.Fuzz(func(t *testing.T, more, args string, mine bool) {
		s := quietServer()
		told := make(chan error, 1)
		r, do := asking(context.Background(), told)
		first := canonical(json.RawMessage(`{"a":1}`))
		r.arguments = func() []byte { return first }
		_, p, err := s.serve(r, do)
		if err != nil {
			t.Fatal(err)
		}
		r.state = more
		if mine {
			r.state = p.state + more
		}
		again := canonical(json.RawMessage(args))
		r.arguments = func() []byte { return again }
		found := s.parked.take(&r)
		if right := r.state == p.state && string(first) == string(again); (found != nil) != right {
			t.Errorf("state %q, arguments %q: %v", r.state, args, found)
		}
		s.Close()
		<-told
	})
}
