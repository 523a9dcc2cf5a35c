package model

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"helve/message"
)

// Response is a whole answer.
type Response struct {
	Message message.Message // role assistant; text, reasoning and valid calls in the order they came
	Invalid []InvalidToolCall
	Finish  Finish
}

// Generate waits for the whole answer. It returns what came before an error
// together with the error. An answer with calls whose arguments are not JSON is
// an [*ArgumentsError] (document 000), with the rest of the answer beside it.
func Generate(ctx context.Context, client Client, req *Request) (*Response, error) {
	var fold Fold
	for event, err := range client.Stream(ctx, req) {
		if err != nil {
			return fold.Response(), err
		}
		fold.Add(event)
	}
	if err := fold.Err(); err != nil {
		return fold.Response(), err
	}
	resp := fold.Response()
	if len(resp.Invalid) > 0 {
		return resp, resp.Invalid[0].Err
	}
	return resp, nil
}

// Fold gathers events into a [Response]. The zero Fold is ready. It is for one
// goroutine.
type Fold struct {
	parts     []message.Part
	text      strings.Builder
	reasoning bool // what text holds
	invalid   []InvalidToolCall
	finish    Finish
	finished  bool
}

// Err returns [ErrIncomplete] until the [Finish] has come: an answer without one
// was cut off, whatever the stream said.
func (f *Fold) Err() error {
	if !f.finished {
		return ErrIncomplete
	}
	return nil
}

// Add takes the next event.
func (f *Fold) Add(event Event) {
	switch e := event.(type) {
	case TextDelta:
		f.addText(string(e), false)
	case ReasoningDelta:
		f.addText(string(e), true)
	case ToolCall:
		if err := json.Unmarshal(e.Arguments, new(json.RawMessage)); err != nil {
			f.addInvalid(InvalidToolCall{ID: e.ID, Err: &ArgumentsError{Tool: e.Name, Raw: string(e.Arguments), Err: err}})
			return
		}
		f.flush()
		f.parts = append(f.parts, message.ToolCall(e))
	case InvalidToolCall:
		f.addInvalid(e)
	case Finish:
		f.finish, f.finished = e, true
	}
}

// Response returns what was gathered so far. More may be added after it, which
// changes no Response that was returned before.
func (f *Fold) Response() *Response {
	parts := slices.Clip(f.parts) // what is appended here or by the caller goes elsewhere
	if f.text.Len() > 0 {
		parts = append(parts, f.textPart())
	}
	return &Response{Message: message.Assistant(parts...), Invalid: slices.Clip(f.invalid), Finish: f.finish}
}

func (f *Fold) addInvalid(c InvalidToolCall) {
	f.flush()
	c.Part = len(f.parts)
	f.invalid = append(f.invalid, c)
}

func (f *Fold) addText(s string, reasoning bool) {
	if s == "" {
		return
	}
	if f.reasoning != reasoning {
		f.flush()
		f.reasoning = reasoning
	}
	f.text.WriteString(s)
}

// flush ends the text that is being gathered.
func (f *Fold) flush() {
	if f.text.Len() == 0 {
		return
	}
	f.parts = append(f.parts, f.textPart())
	f.text.Reset()
}

func (f *Fold) textPart() message.Part {
	if f.reasoning {
		return message.Reasoning(f.text.String())
	}
	return message.Text(f.text.String())
}
