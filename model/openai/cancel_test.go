package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"

	"helve/model"
	"helve/model/openai"
)

// stall sends body and then nothing, until the client goes away.
type stall struct {
	body string
	sent chan struct{} // closed when the body is on its way
	gone chan struct{} // closed when the client is gone
}

func newStall(body string) stall {
	return stall{body, make(chan struct{}), make(chan struct{})}
}

func (s stall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body) // or the server does not see that the client goes
	if s.body != "" {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, s.body)
		http.NewResponseController(w).Flush()
	}
	close(s.sent)
	<-r.Context().Done()
	close(s.gone)
}

func TestBreakClosesConnection(t *testing.T) {
	t.Parallel()
	server := newStall(events(`{"choices":[{"delta":{"content":"hi"}}]}`))
	client := serve(t, server, openai.Config{})
	for _, err := range client.Stream(t.Context(), hello()) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	<-server.gone
}

func TestCancelClosesConnection(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"before the header":  "",
		"before a byte":      "\n",
		"before an event":    ": ping\n\n",
		"between two events": events(`{"choices":[{"delta":{"content":"hi"}}]}`),
		"inside an event":    `data: {"choices":`,
		"inside JSON":        `{"choices":`,
		"inside HTML":        `<html>`,
		"after the finish":   events(`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStall(body)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-server.sent
				cancel()
			}()
			var last error
			for event, err := range serve(t, server, openai.Config{}).Stream(ctx, hello()) {
				if _, ok := event.(model.Finish); ok {
					t.Error("a Finish from an answer that has none")
				}
				last = err
			}
			if !errors.Is(last, context.Canceled) {
				t.Errorf("error %v: want that of the context", last)
			}
			<-server.gone
		})
	}
}

// TestConnectionIsReused checks that the rest of a stream is read, without which
// each answer would need a new connection.
func TestConnectionIsReused(t *testing.T) {
	t.Parallel()
	client := serve(t, reply{body: deltas("stop", `{"content":"hi"}`)}, openai.Config{})
	var reused []bool
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { reused = append(reused, info.Reused) },
	})
	for range 3 {
		if _, err := model.Generate(ctx, client, hello()); err != nil {
			t.Fatal(err)
		}
	}
	if len(reused) != 3 || !reused[1] || !reused[2] {
		t.Errorf("reused %v: want the second and the third", reused)
	}
}

// TestStreamLeftOpen checks that a server which keeps the connection after the
// end of the stream does not hold up the answer.
func TestStreamLeftOpen(t *testing.T) {
	t.Parallel()
	server := newStall(deltas("stop", `{"content":"hi"}`))
	resp, err := model.Generate(t.Context(), serve(t, server, openai.Config{}), hello())
	if err != nil || resp.Message.Text() != "hi" {
		t.Errorf("answer %v, error %v", resp.Message, err)
	}
	<-server.gone
}

// TestTextComesAtOnce checks that an event is told before the next one is sent.
func TestTextComesAtOnce(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range strings.Split("a b c d", " ") {
			io.WriteString(w, events(`{"choices":[{"delta":{"content":"`+piece+`"}}]}`))
			http.NewResponseController(w).Flush()
			<-next // the consumer has it
		}
		io.WriteString(w, "data: [DONE]\n\n")
	}), openai.Config{})
	var text strings.Builder
	for event, err := range client.Stream(t.Context(), hello()) {
		if err != nil {
			t.Fatal(err)
		}
		if piece, ok := event.(model.TextDelta); ok {
			text.WriteString(string(piece))
			next <- struct{}{}
		}
	}
	if text.String() != "abcd" {
		t.Errorf("text %q", text.String())
	}
}
