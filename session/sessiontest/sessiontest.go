// Package sessiontest checks that a [session.Store] does what its documentation
// says. A database's test is one call:
//
//	func TestStore(t *testing.T) {
//		sessiontest.Run(t, func(t *testing.T) session.Store { return openEmpty(t) })
//	}
package sessiontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"helve/message"
	"helve/session"
)

// Run runs each check as a subtest on a store of its own. The function returns
// an empty store and cleans up by t.Cleanup. Subtests do not run in parallel
// with each other, but some use their store from several goroutines: run them
// with the race detector.
func Run(t *testing.T, empty func(t *testing.T) session.Store) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), empty(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

type check struct {
	name string
	run  func(context.Context, session.Store) error
}

var checks = []check{
	{"ids", ids},
	{"empty session", emptySession},
	{"round trip", roundTrip},
	{"append if absent", appendIfAbsent},
	{"overlap fills the gaps", overlap},
	{"holes", holes},
	{"trailing holes", trailingHoles},
	{"state", state},
	{"state and messages together", stateWithMessages},
	{"refused saves change nothing", refused},
	{"sessions are apart", apart},
	{"one conversation for each ID", shared},
	{"list", list},
	{"delete", remove},
	{"border", border},
	{"canceled context", canceled},
	{"parallel places", parallelPlaces},
	{"parallel saves at one place", parallelRace},
	{"load sees whole saves", wholeSaves},
}

func open(ctx context.Context, store session.Store, id string) (session.Session, error) {
	s, err := store.Open(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("open(%q): %w", id, err)
	}
	return s, nil
}

func save(ctx context.Context, s session.Session, at int, state string, messages ...message.Message) error {
	var raw json.RawMessage
	if state != "" {
		raw = json.RawMessage(state)
	}
	if err := s.Save(ctx, at, messages, raw); err != nil {
		return fmt.Errorf("save at %d: %w", at, err)
	}
	return nil
}

// want checks what Load returns. State "" stands for nil.
func want(ctx context.Context, s session.Session, state string, messages ...message.Message) error {
	got, raw, err := s.Load(ctx)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	if err := sameMessages(messages, got); err != nil {
		return err
	}
	return sameState(state, raw)
}

// sameMessages compares the JSON forms: a store need not tell a nil slice from
// an empty one.
func sameMessages(want, got []message.Message) error {
	if len(want) == 0 && len(got) == 0 {
		return nil
	}
	w, err := json.Marshal(want)
	if err != nil {
		return err
	}
	g, err := json.Marshal(got)
	if err != nil {
		return fmt.Errorf("load returned messages without a JSON form: %w", err)
	}
	if string(w) != string(g) {
		return fmt.Errorf("load returned other messages\nwant %s\ngot  %s", w, g)
	}
	return nil
}

// sameState compares values: a database may change the order of keys.
func sameState(want string, got json.RawMessage) error {
	if want == "" || got == nil {
		if want == "" && got == nil {
			return nil
		}
		return fmt.Errorf("load returned state %q, want %q (none is nil)", got, want)
	}
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		return err
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return fmt.Errorf("load returned state %q: %w", got, err)
	}
	if !reflect.DeepEqual(w, g) {
		return fmt.Errorf("load returned state %s, want %s", got, want)
	}
	return nil
}

func wantError(what string, got, want error) error {
	if !errors.Is(got, want) {
		return fmt.Errorf("%s: got error %v, want one that is %q", what, got, want)
	}
	return nil
}
