package openai

import (
	"fmt"

	"helve/model"
)

// answer turns what a server sends into events.
type answer struct {
	tell  func(model.Event) error // an error ends the answer
	calls *merger

	id, model string
	usage     model.Usage
	begun     bool   // a choice came
	reason    string // as the server wrote it
	refused   bool
	size      int // bytes of text and reasoning
}

// add takes the next chunk.
func (a *answer) add(ch *chunk) error {
	if ch.ID != "" {
		a.id = ch.ID
	}
	if ch.Model != "" {
		a.model = ch.Model
	}
	if present(ch.Usage) {
		a.usage = readUsage(ch.Usage)
	}
	for _, choice := range ch.Choices {
		if choice.Index != 0 {
			continue // nobody asked for it
		}
		a.begun = true
		if choice.FinishReason != "" {
			a.reason = choice.FinishReason
		}
		d := choice.Delta
		if d == nil {
			d = choice.Message
		}
		if d == nil {
			continue
		}
		if err := a.addDelta(d); err != nil {
			return err
		}
	}
	return nil
}

func (a *answer) addDelta(d *delta) error {
	a.size += len(d.Content) + len(d.Refusal) + len(d.reasoning())
	if a.size > maxText {
		return &LimitError{"bytes of text", maxText}
	}
	if s := d.reasoning(); s != "" {
		if err := a.tell(model.ReasoningDelta(s)); err != nil {
			return err
		}
	}
	if d.Content != "" {
		if err := a.tell(model.TextDelta(d.Content)); err != nil {
			return err
		}
	}
	if d.Refusal != "" {
		a.refused = true
		if err := a.tell(model.TextDelta(d.Refusal)); err != nil {
			return err
		}
	}
	for p := range d.pieces {
		delta, ok, err := a.calls.add(p)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := a.tell(delta); err != nil {
			return err
		}
	}
	return nil
}

// end tells the calls and the finish.
func (a *answer) end() error {
	if !a.begun {
		return fmt.Errorf("openai: %w: the server sent no choice", model.ErrIncomplete)
	}
	if brokenOff(a.reason) {
		return fmt.Errorf("openai: %w: the server gave the finish reason %q", model.ErrIncomplete, a.reason)
	}
	reason := a.finishReason()
	calls, err := a.calls.finish(reason.Complete())
	if err != nil {
		return err
	}
	for _, call := range calls {
		if err := a.tell(call); err != nil {
			return err
		}
	}
	return a.tell(model.Finish{Reason: reason, Usage: a.usage, ID: a.id, Model: a.model})
}

// finishReason goes by what came rather than by what the server calls it: an
// answer with calls has stopped for the calls, and one with a refusal is one.
func (a *answer) finishReason() model.FinishReason {
	reason := finishReason(a.reason)
	if reason != model.FinishStop && reason != "" {
		return reason
	}
	switch {
	case a.refused:
		return model.FinishRefusal
	case len(a.calls.calls) > 0:
		return model.FinishToolCalls
	}
	return model.FinishStop
}
