package sessiontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"helve/message"
	"helve/session"
)

// each runs f for 0 to n-1 at once and joins what they return.
func each(n int, f func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// parallelPlaces is a batch of calls whose results come in any order, in two
// sessions.
func parallelPlaces(ctx context.Context, store session.Store) error {
	const n = 16
	text := func(id string, i int) message.Message { return message.User(fmt.Sprint(id, i)) }
	err := each(2*n, func(i int) error {
		id := string(rune('a' + i%2))
		s, err := open(ctx, store, id)
		if err != nil {
			return err
		}
		return save(ctx, s, i/2, "", text(id, i/2))
	})
	if err != nil {
		return err
	}
	for _, id := range []string{"a", "b"} {
		s, err := open(ctx, store, id)
		if err != nil {
			return err
		}
		var all []message.Message
		for i := range n {
			all = append(all, text(id, i))
		}
		if err := want(ctx, s, "", all...); err != nil {
			return err
		}
	}
	return nil
}

// parallelRace is one call that two workers finish: one result stays.
func parallelRace(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	seen := make([]string, 8)
	err = each(len(seen), func(i int) error {
		if err := save(ctx, s, 0, "", message.User(fmt.Sprint("worker ", i))); err != nil {
			return err
		}
		messages, _, err := s.Load(ctx)
		if err != nil || len(messages) != 1 {
			return fmt.Errorf("load: got %d messages and error %v, want 1", len(messages), err)
		}
		seen[i] = messages[0].Text()
		return nil
	})
	if err != nil {
		return err
	}
	for _, text := range seen {
		if text != seen[0] || text == "" {
			return fmt.Errorf("workers that saved at one place read different messages back: %q", seen)
		}
	}
	return nil
}

// wholeSaves saves two messages and the state that counts them, while others
// load: no load sees one without the other.
func wholeSaves(ctx context.Context, store session.Store) error {
	s, err := open(ctx, store, "a")
	if err != nil {
		return err
	}
	const readers = 3
	saved := make(chan struct{})
	return each(readers+1, func(i int) error {
		if i == 0 {
			defer close(saved)
			return countingSaves(ctx, s)
		}
		for {
			if err := counted(ctx, s); err != nil {
				return err
			}
			select {
			case <-saved:
				return nil
			default:
			}
		}
	})
}

func countingSaves(ctx context.Context, s session.Session) error {
	for n := 0; n < 60; n += 2 {
		if err := save(ctx, s, n, fmt.Sprint(n+2), hello, hi); err != nil {
			return err
		}
	}
	return nil
}

func counted(ctx context.Context, s session.Session) error {
	messages, state, err := s.Load(ctx)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	count := 0
	if state != nil {
		if err := json.Unmarshal(state, &count); err != nil {
			return err
		}
	}
	if len(messages) != count {
		return fmt.Errorf("load saw %d messages and the state of %d", len(messages), count)
	}
	return nil
}
