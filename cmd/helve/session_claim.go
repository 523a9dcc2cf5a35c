package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"
)

const (
	claimLasts = 30 * time.Second // without being renewed: as long as a killed run blocks others
	claimTry   = 200 * time.Millisecond
)

// claim keeps other processes out of the session of --session until release is called,
// and waits for one that is in it: two runs at once would mix their messages.
func (a *app) claim(ctx context.Context) (release func(), err error) {
	if a.session == "" || a.db == nil {
		return func() {}, nil
	}
	store, key, token := a.db.Tools(), "helve/session/"+a.session, []byte(rand.Text())
	for waited := false; ; waited = true {
		ours, err := store.CompareAndSwap(ctx, key, nil, token, claimLasts)
		if err != nil {
			return nil, fmt.Errorf("--session %s: %w", a.session, err)
		}
		if ours {
			break
		}
		if !waited {
			fmt.Fprintf(a.std.err, "helve: another run uses the session %s: waiting for it\n", printable(a.session))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(claimTry):
		}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(claimLasts / 3):
				_, _ = store.CompareAndSwap(ctx, key, token, token, claimLasts) // the next time it may work again
			}
		}
	}()
	return func() {
		stop()
		<-ended
		_, _ = store.CompareAndSwap(context.WithoutCancel(ctx), key, token, nil, 0) // else it ends by itself
	}, nil
}
