package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// How slow [Slow] is.
const (
	slowStart = 3 * time.Second
	slowChunk = 200 * time.Millisecond
)

// deltas are the pieces of r in the order they are sent, without the finish.
func (r *reply) deltas() []wireDelta {
	empty := ""
	out := []wireDelta{{Role: "assistant", Content: &empty}}
	for _, p := range pieces(r.reasoning) {
		out = append(out, wireDelta{Reasoning: p})
	}
	for _, p := range pieces(r.text) {
		out = append(out, wireDelta{Content: &p})
	}
	for i, c := range r.calls {
		head := wireToolCall{Index: &i, ID: c.id, Type: "function", Function: wireFunction{Name: c.name}}
		out = append(out, wireDelta{ToolCalls: []wireToolCall{head}})
		for _, p := range pieces(c.arguments) {
			piece := wireToolCall{Index: &i, Function: wireFunction{Arguments: p}}
			out = append(out, wireDelta{ToolCalls: []wireToolCall{piece}})
		}
	}
	return out
}

// answer sends one reply, as a stream or whole, with the fault it suffers.
type answer struct {
	w     http.ResponseWriter
	req   *request
	reply *reply
	fault Fault
	sleep func(context.Context, time.Duration) error
}

func (a *answer) send(ctx context.Context) {
	if a.fault == Slow && a.sleep(ctx, slowStart) != nil {
		return
	}
	if a.req.stream {
		a.sendStream(ctx)
		return
	}
	a.sendWhole(ctx)
}

func (a *answer) sendWhole(ctx context.Context) {
	r := a.reply
	m := wireMessage{Role: "assistant", Reasoning: r.reasoning}
	if r.text != "" || len(r.calls) == 0 {
		m.Content = &r.text
	}
	for _, c := range r.calls {
		m.ToolCalls = append(m.ToolCalls, wireToolCall{ID: c.id, Type: "function", Function: wireFunction{c.name, c.arguments}})
	}
	body := encode(wireCompletion{
		ID: a.id(), Object: "chat.completion", Created: created, Model: modelName, Fingerprint: fingerprint,
		Choices: []wireChoice{{Message: m, FinishReason: r.finishReason()}},
		Usage:   r.countUsage(a.req),
	})
	switch a.fault {
	case StreamError:
		writeError(a.w, http.StatusInternalServerError, faultError)
		return
	case Cut, CutCall, Stall:
		a.w.Header().Set("Content-Type", "application/json")
		if a.write(string(body[:len(body)/2])) == nil && a.fault == Stall {
			<-ctx.Done()
		}
		panic(http.ErrAbortHandler) // net/http closes the connection and logs nothing
	}
	writeJSON(a.w, http.StatusOK, body)
}

func (a *answer) sendStream(ctx context.Context) {
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("Cache-Control", "no-store")
	deltas := a.reply.deltas()
	end := a.cutAt(len(deltas))
	for i, d := range deltas[:end] {
		if i > 0 && a.fault == Slow && a.sleep(ctx, slowChunk) != nil {
			return
		}
		if a.event(a.chunk(d, nil)) != nil {
			return // the client has left
		}
	}
	switch a.fault {
	case Cut, CutCall:
		panic(http.ErrAbortHandler)
	case Stall:
		<-ctx.Done()
		return
	case StreamError:
		_ = a.event(map[string]wireError{"error": faultError})
		return
	}
	reason := a.reply.finishReason()
	if a.event(a.chunk(wireDelta{}, &reason)) != nil {
		return
	}
	if a.req.includeUsage {
		usage := a.reply.countUsage(a.req)
		last := a.chunk(wireDelta{}, nil)
		last.Choices, last.Usage = []wireChunkChoice{}, &usageOrNull{&usage}
		if a.event(last) != nil {
			return
		}
	}
	_ = a.write("data: [DONE]\n\n") // nobody is left to tell
}

// cutAt is how many of n deltas are sent. CutCall holds back the last piece of
// the last call.
func (a *answer) cutAt(n int) int {
	switch a.fault {
	case CutCall:
		return n - 1
	case Cut, Stall, StreamError:
		return (n + 1) / 2
	}
	return n
}

func (a *answer) id() string { return "chatcmpl-offline-" + a.req.id }

func (a *answer) chunk(d wireDelta, finish *string) wireChunk {
	c := wireChunk{
		ID: a.id(), Object: "chat.completion.chunk", Created: created, Model: modelName, Fingerprint: fingerprint,
		Choices: []wireChunkChoice{{Delta: d, FinishReason: finish}},
	}
	if a.req.includeUsage {
		c.Usage = &usageOrNull{}
	}
	return c
}

func (a *answer) event(v any) error { return a.write("data: " + string(encode(v)) + "\n\n") }

func (a *answer) write(s string) error {
	if _, err := a.w.Write([]byte(s)); err != nil {
		return err
	}
	return http.NewResponseController(a.w).Flush()
}

// encode is for our own types, which all have a JSON form. It leaves <, > and &
// as they are, because a model would.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("sim: %T has no JSON form: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // nobody is left to tell
}

func writeError(w http.ResponseWriter, status int, e wireError) {
	writeJSON(w, status, encode(map[string]wireError{"error": e}))
}
