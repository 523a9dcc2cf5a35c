package sessiontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"helve/message"
	"helve/session"
)

var (
	hole  = message.Message{}
	hello = message.User("Hello")
	hi    = message.Assistant(message.Text("Hi."))
	bye   = message.User("Bye")
)

func emptySession(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return want(ctx, s, "")
}

func roundTrip(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	all := []message.Message{
		message.System("Be brief. Ein Ä, 中文 and 🙂, <b>&</b>, \"quotes\"."),
		{Role: message.RoleUser, Parts: []message.Part{
			message.Text(""), message.Text("Look:\n"),
			message.Image{Data: []byte{0, 1, 255}, MediaType: "image/png"},
			message.Audio{URL: "https://example.com/a.wav"},
			message.File{Name: "a.pdf", Data: []byte("%PDF"), MediaType: "application/pdf"},
			message.Resource{URI: "file:///a", Text: "x"},
		}},
		message.Assistant(message.Reasoning("Hm."), message.Text("I look."),
			message.ToolCall{ID: "c", Name: "look", Arguments: json.RawMessage(`{"b":1,"a":12345678901234567890}`)}),
		message.Result(message.ToolResult{CallID: "c", Name: "look", IsError: true, Content: []message.Part{message.Text("no")}}),
	}
	if err := save(ctx, s, 0, "", all...); err != nil {
		return err
	}
	return want(ctx, s, "", all...)
}

func appendIfAbsent(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return errors.Join(
		save(ctx, s, 0, "", hello, hi),
		save(ctx, s, 0, "", bye, bye),
		want(ctx, s, "", hello, hi),
		save(ctx, s, 1, "", bye),
		want(ctx, s, "", hello, hi),
	)
}

func overlap(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return errors.Join(
		save(ctx, s, 1, "", hi),
		save(ctx, s, 0, "", hello, bye, bye),
		want(ctx, s, "", hello, hi, bye),
	)
}

func holes(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return errors.Join(
		save(ctx, s, 3, "", bye),
		want(ctx, s, "", hole, hole, hole, bye),
		save(ctx, s, 0, "", hello, hole, hi),
		want(ctx, s, "", hello, hole, hi, bye),
		save(ctx, s, 1, "", hi),
		want(ctx, s, "", hello, hi, hi, bye),
	)
}

func trailingHoles(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return errors.Join(
		save(ctx, s, 7, "", hole, hole),
		want(ctx, s, ""),
		save(ctx, s, 0, "", hello, hole, hole),
		want(ctx, s, "", hello),
		save(ctx, s, 0, ""),
		want(ctx, s, "", hello),
	)
}

func refused(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	if err := save(ctx, s, 0, `{"n":1}`, hello); err != nil {
		return err
	}
	for _, at := range []int{-1, math.MinInt, session.MaxMessages, math.MaxInt} {
		err := s.Save(ctx, at, []message.Message{hi}, json.RawMessage(`{"n":2}`))
		if err := wantError(fmt.Sprintf("Save at %d", at), err, session.ErrPosition); err != nil {
			return err
		}
	}
	for _, bad := range []string{"", " ", "{", `{"n":2}x`} {
		err := s.Save(ctx, 1, []message.Message{hi}, json.RawMessage(bad))
		if err := wantError(fmt.Sprintf("Save with state %q", bad), err, session.ErrState); err != nil {
			return err
		}
	}
	return want(ctx, s, `{"n":1}`, hello)
}

// border checks that a store shares no memory with its callers.
func border(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	fresh := func() []message.Message {
		return []message.Message{
			message.User("x"),
			{Role: message.RoleUser, Parts: []message.Part{
				message.Image{Data: []byte("data")}, message.Audio{Data: []byte("data")},
				message.File{Data: []byte("data")}, message.Resource{URI: "u", Data: []byte("data")}}},
			message.Assistant(message.ToolCall{ID: "c", Name: "n", Arguments: json.RawMessage(`{"a":1}`)}),
			message.Result(message.ToolResult{CallID: "c", Content: []message.Part{message.Text("y"), message.Image{Data: []byte("data")}}}),
		}
	}
	in, state := fresh(), []byte(`{"n":1}`)
	if err := s.Save(ctx, 0, in, state); err != nil {
		return err
	}
	scribble(in, state)
	if err := want(ctx, s, `{"n":1}`, fresh()...); err != nil {
		return fmt.Errorf("after a change of what was saved: %w", err)
	}
	out, state, err := s.Load(ctx)
	if err != nil {
		return err
	}
	scribble(out, state)
	if err := want(ctx, s, `{"n":1}`, fresh()...); err != nil {
		return fmt.Errorf("after a change of what was loaded: %w", err)
	}
	return nil
}

func scribble(messages []message.Message, state []byte) {
	overwrite(state)
	for i, m := range messages {
		scribbleParts(m.Parts)
		messages[i] = message.Message{}
	}
}

func scribbleParts(parts []message.Part) {
	for i, p := range parts {
		switch p := p.(type) {
		case message.Image:
			overwrite(p.Data)
		case message.Audio:
			overwrite(p.Data)
		case message.File:
			overwrite(p.Data)
		case message.Resource:
			overwrite(p.Data)
		case message.ToolCall:
			overwrite(p.Arguments)
		case message.ToolResult:
			scribbleParts(p.Content)
		}
		parts[i] = message.Text("scribble")
	}
}

// overwrite leaves JSON valid, so that a shared slice shows as a difference.
func overwrite(b []byte) {
	for i, c := range b {
		if c == '1' || c == 'd' {
			b[i] = c + 1
		}
	}
}
