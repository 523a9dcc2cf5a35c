package sessiontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"helve/message"
	"helve/session"
)

func ids(ctx context.Context, store session.Store) error {
	for _, id := range []string{"a", "user 42/chat:1", "ключ-中文", "'; --", "%_*", ".", strings.Repeat("x", session.MaxIDBytes)} {
		s, err := open(ctx, store, id)
		if err != nil {
			return err
		}
		if err := errors.Join(save(ctx, s, 0, "", message.User(id)), want(ctx, s, "", message.User(id))); err != nil {
			return fmt.Errorf("ID %q: %w", id, err)
		}
	}
	for _, id := range []string{"", "a\x00", "a\nb", "a\x7f", "\u0085", "\xff", strings.Repeat("x", session.MaxIDBytes+1)} {
		_, err := store.Open(ctx, id)
		if err := wantError(fmt.Sprintf("Open(%q)", id), err, session.ErrID); err != nil {
			return err
		}
		if err := wantError(fmt.Sprintf("Delete(%q)", id), store.Delete(ctx, id), session.ErrID); err != nil {
			return err
		}
	}
	return nil
}

func state(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return errors.Join(
		save(ctx, s, 0, `{"turn":1}`),
		want(ctx, s, `{"turn":1}`),
		save(ctx, s, 0, `{"turn":2,"calls":["c"]}`),
		want(ctx, s, `{"turn":2,"calls":["c"]}`),
		save(ctx, s, 0, "null"),
		want(ctx, s, ""),
		save(ctx, s, 0, `"text"`),
		save(ctx, s, 0, " null\n"),
		want(ctx, s, ""),
	)
}

func stateWithMessages(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return errors.Join(
		save(ctx, s, 0, `1`, hello),
		want(ctx, s, `1`, hello),
		save(ctx, s, 1, "", hi), // no state: it stays
		want(ctx, s, `1`, hello, hi),
		save(ctx, s, 0, `2`, bye), // the place is filled, the state still changes
		want(ctx, s, `2`, hello, hi),
		save(ctx, s, 2, `null`, bye),
		want(ctx, s, "", hello, hi, bye),
	)
}

func apart(ctx context.Context, store session.Store) error {
	// IDs that a store could take for one: by case, by spaces, by a pattern.
	names := []string{"a", "A", "a ", " a", "a%", "a_", "ä", "a\u0308"}
	for i, id := range names {
		s, err := open(ctx, store, id)
		if err != nil {
			return err
		}
		if err := save(ctx, s, i, fmt.Sprint(i+1), message.User(id)); err != nil {
			return err
		}
	}
	if err := store.Delete(ctx, "a"); err != nil {
		return err
	}
	for i, id := range names[1:] {
		s, err := open(ctx, store, id)
		if err != nil {
			return err
		}
		history := append(make([]message.Message, i+1), message.User(id))
		if err := want(ctx, s, fmt.Sprint(i+2), history...); err != nil {
			return fmt.Errorf("ID %q: %w", id, err)
		}
	}
	return nil
}

func shared(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	other, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	return errors.Join(
		save(ctx, s, 0, `1`, hello),
		want(ctx, other, `1`, hello),
		save(ctx, other, 0, `2`, bye, hi),
		want(ctx, s, `2`, hello, hi),
	)
}

func list(ctx context.Context, store session.Store) error {
	if infos, err := store.List(ctx); err != nil || len(infos) != 0 {
		return fmt.Errorf("list of an empty store: got %v, %v, want none", infos, err)
	}
	for _, id := range []string{"b", "a", "B", "é", "opened only"} {
		s, err := open(ctx, store, id)
		if err != nil {
			return err
		}
		switch id {
		case "a":
			err = save(ctx, s, 2, `{}`, hello)
		case "b":
			err = errors.Join(save(ctx, s, 0, `{}`, hello), save(ctx, s, 0, `null`))
		case "B", "é":
			err = save(ctx, s, 0, "")
		}
		if err != nil {
			return err
		}
	}
	infos, err := store.List(ctx)
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	for i, info := range infos {
		if info.Saved.IsZero() {
			return fmt.Errorf("list: session %q has no time of its last save", info.ID)
		}
		infos[i].Saved = session.Info{}.Saved
	}
	want := []session.Info{{ID: "B"}, {ID: "a", Messages: 3, Open: true}, {ID: "b", Messages: 1}, {ID: "é"}}
	if !slices.Equal(infos, want) {
		return fmt.Errorf("list (times aside): got %+v, want %+v", infos, want)
	}
	return nil
}

func remove(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	if err := errors.Join(
		store.Delete(ctx, "a"), // there is none yet
		save(ctx, s, 0, `1`, hello, hi),
		store.Delete(ctx, "a"),
		want(ctx, s, ""),
	); err != nil {
		return err
	}
	if infos, err := store.List(ctx); err != nil || len(infos) != 0 {
		return fmt.Errorf("list after Delete: got %v, %v, want none", infos, err)
	}
	return errors.Join(save(ctx, s, 0, "", bye), want(ctx, s, "", bye))
}

func canceled(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	if err := save(ctx, s, 0, `1`, hello); err != nil {
		return err
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, openErr := store.Open(done, "a")
	_, listErr := store.List(done)
	_, _, loadErr := s.Load(done)
	return errors.Join(
		wantError("Open", openErr, context.Canceled),
		wantError("List", listErr, context.Canceled),
		wantError("Load", loadErr, context.Canceled),
		wantError("Save", s.Save(done, 1, []message.Message{hi}, json.RawMessage(`2`)), context.Canceled),
		wantError("Delete", store.Delete(done, "a"), context.Canceled),
		want(ctx, s, `1`, hello),
	)
}
