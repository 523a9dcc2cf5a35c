package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"helve/agent"
	"helve/message"
	"helve/model"
	"helve/tool"
)

// printer shows a run's events.
type printer interface {
	event(agent.Event)
	failed(error) // the run ended with an error, which is reported elsewhere
	close()
}

func (a *app) printer() printer {
	switch {
	case a.json:
		return &jsonPrinter{out: a.std.out, calls: []finishedCall{}}
	case a.jsonl:
		return &linePrinter{out: a.std.out}
	}
	return newTextPrinter(a.std, &a.answers, &a.screen, a.question.Load)
}

// encode writes v as a line of JSON without HTML's escapes.
func encode(w io.Writer, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // a closed pipe is the reader's wish to stop
}

// finishedCall is a call and what became of it, for programs.
type finishedCall struct {
	Type       string          `json:"type,omitempty"`
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Arguments  json.RawMessage `json:"arguments,omitempty"`
	Content    string          `json:"content"`
	Error      *callError      `json:"error"`
	DurationMS float64         `json:"duration_ms"`
}

type callError struct {
	Code    tool.Kind `json:"code"`
	Message string    `json:"message"`
}

func newFinishedCall(e agent.CallFinished) finishedCall {
	c := finishedCall{ID: e.Call.ID, Name: e.Call.Name, Content: plain(e.Content), DurationMS: float64(e.Duration.Microseconds()) / 1000}
	if e.Err != nil {
		c.Error = &callError{e.Err.Kind, e.Err.Message}
	}
	return c
}

// plain is content as text, with a note in the place of what is none.
func plain(content []message.Part) string {
	var b strings.Builder
	for _, p := range content {
		switch p := p.(type) {
		case message.Text:
			b.WriteString(string(p))
		case message.Image:
			fmt.Fprintf(&b, "[image %s%s]", p.MediaType, p.URL)
		case message.Audio:
			fmt.Fprintf(&b, "[audio %s%s]", p.MediaType, p.URL)
		case message.File:
			fmt.Fprintf(&b, "[file %s %s%s]", p.Name, p.MediaType, p.URL)
		case message.Resource:
			fmt.Fprintf(&b, "[resource %s]%s", p.URI, p.Text)
		}
	}
	return b.String()
}

// jsonPrinter prints one JSON value when the run is over.
type jsonPrinter struct {
	out   io.Writer
	calls []finishedCall
}

func (p *jsonPrinter) event(event agent.Event) {
	switch e := event.(type) {
	case agent.CallFinished:
		c := newFinishedCall(e)
		c.Arguments = e.Call.Arguments
		p.calls = append(p.calls, c)
	case agent.Done:
		encode(p.out, struct {
			Reply      string             `json:"reply"`
			Stop       agent.StopReason   `json:"stop"`
			Iterations int                `json:"iterations"`
			Finish     model.FinishReason `json:"finish"`
			Usage      model.Usage        `json:"usage"`
			Calls      []finishedCall     `json:"calls"`
		}{e.Reply.Text, e.Reply.Stop, e.Reply.Iterations, e.Reply.Finish, e.Reply.Usage, p.calls})
	}
}

func (p *jsonPrinter) failed(error) {}
func (p *jsonPrinter) close()       {}

// linePrinter prints each event as a line of JSON.
type linePrinter struct {
	out   io.Writer
	ended bool
}

func (p *linePrinter) event(event agent.Event) {
	switch e := event.(type) {
	case agent.Text:
		encode(p.out, textLine{"text", string(e)})
	case agent.Reasoning:
		encode(p.out, textLine{"reasoning", string(e)})
	case agent.CallStarted:
		encode(p.out, struct {
			Type      string          `json:"type"`
			ID        string          `json:"id"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}{"tool_call", e.Call.ID, e.Call.Name, e.Call.Arguments})
	case agent.CallFinished:
		c := newFinishedCall(e)
		c.Type = "tool_result"
		encode(p.out, c)
	case agent.Done:
		p.done(e.Reply.Text, e.Reply.Iterations, e.Reply.Stop)
	}
}

type textLine struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (p *linePrinter) done(reply string, iterations int, stop agent.StopReason) {
	p.ended = true
	encode(p.out, struct {
		Type       string           `json:"type"`
		Reply      string           `json:"reply"`
		Iterations int              `json:"iterations"`
		Stop       agent.StopReason `json:"stop"`
	}{"done", reply, iterations, stop})
}

// failed ends the lines in the same way as a run that went well, for programs
// that read until "done".
func (p *linePrinter) failed(error) {
	if !p.ended {
		p.done("", 0, agent.StopError)
	}
}

func (p *linePrinter) close() {}
