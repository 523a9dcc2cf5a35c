package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/tool"
)

// TestServedWorkspaceChanges calls tools while what is served changes all the time. No
// call fails, and nothing is given back that a call still uses.
func TestServedWorkspaceChanges(t *testing.T) {
	t.Parallel()
	a := &app{std: stdio{strings.NewReader(""), io.Discard, io.Discard}, serving: true, watch: true}
	a.workspaceFlags.dir = t.TempDir()
	h, err := a.host(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- h.server.ServeStdio(t.Context(), in, out) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "c"}, nil).Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}

	var calling sync.WaitGroup
	for range 4 {
		calling.Go(func() {
			for range 50 {
				r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "calculate", Arguments: json.RawMessage(`{"expression":"6*7"}`)})
				if err != nil || r.IsError {
					t.Errorf("%+v, %v", r, err)
					return
				}
			}
		})
	}
	const changes = 100
	var back atomic.Int32
	for range changes {
		if err := h.offer(t.Context(), h.live.Catalog(), func() { back.Add(1) }); err != nil {
			t.Error(err)
		}
	}
	calling.Wait()
	session.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
	h.close()
	if got := back.Load(); got != changes {
		t.Errorf("%d of %d were given back", got, changes)
	}
}

// TestOfferThatIsOver has calls that come when their tools are no longer served.
func TestOfferThatIsOver(t *testing.T) {
	t.Parallel()
	offered := func(h *host, answer string) *offer {
		answers := tool.Must(tool.New("answer", "Answers.", func(context.Context, struct{}) (string, error) { return answer, nil }))
		registry, err := tool.NewRegistry(answers)
		if err != nil {
			t.Fatal(err)
		}
		o := &offer{giveBack: func() {}}
		o.executor = executor.New(executor.Config{Tools: registry, Middleware: []executor.Middleware{h.count(o)}})
		return o
	}
	h := &host{}
	call := []tool.Call{{ID: "1", Name: "answer", Arguments: json.RawMessage("{}")}}
	first, second := offered(h, "first"), offered(h, "second")
	h.now = first
	if r := first.executor.Execute(t.Context(), call)[0]; r.Output.Text() != "first" {
		t.Errorf("%+v", r)
	}
	h.now = second
	first.end()
	if r := first.executor.Execute(t.Context(), call)[0]; r.Output.Text() != "second" {
		t.Errorf("%+v", r)
	}
	second.end()
	for _, o := range []*offer{first, second} {
		if r := o.executor.Execute(t.Context(), call)[0]; r.Err == nil || r.Err.Kind != tool.KindUnavailable || !strings.Contains(r.Err.Message, "being stopped") {
			t.Errorf("%+v", r)
		}
	}
}

func TestWrapped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                    "",
		"one":                 "one\n",
		"one two three four":  "one two\nthree four\n",
		"a  longest-of-all b": "a\nlongest-of-all\nb\n",
		"über über über":      "über über\nüber\n",
	} {
		if got := wrapped(text, 10); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAskClientTooMuch: nobody is asked about what they could not read.
func TestAskClientTooMuch(t *testing.T) {
	t.Parallel()
	call := tool.Call{Name: "put", Arguments: json.RawMessage(`"` + strings.Repeat("x", mostAsked) + `"`)}
	yes, err := (&app{}).askClient(t.Context(), call, tool.Definition{})
	if e := tool.AsError(err); yes || e == nil || e.Kind != tool.KindDenied || !strings.Contains(e.Message, "more than the 15 KiB") || !strings.Contains(e.Message, "--approve put") {
		t.Errorf("%v, %v", yes, err)
	}
}
