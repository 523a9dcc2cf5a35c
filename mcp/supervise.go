package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	firstRetry = 500 * time.Millisecond
	lastRetry  = time.Minute
	steady     = 30 * time.Second // a connection that lasted so long is no failure

	// settle is how long after the news of a change the list is read again: servers tell
	// of changes in bursts.
	settle = 150 * time.Millisecond

	// mostSettled is what settle grows to for a server that changes all the time.
	mostSettled = 30 * time.Second
)

// need returns the connection, and waits for it where it is being made.
func (c *Client) need(ctx context.Context) (link, error) {
	c.mu.Lock()
	if !c.begun {
		c.begun = true
		c.running.Go(c.supervise)
	}
	l, turn := c.link, c.turn
	c.mu.Unlock()
	switch {
	case c.life.Err() != nil:
		return nil, errClosed
	case l != nil && !over(l):
		return l, nil
	}
	select {
	case c.wake <- struct{}{}:
	default: // it is awake
	}
	select {
	case <-turn:
	case <-c.life.Done():
		return nil, errClosed
	case <-ctx.Done():
		return nil, c.impatient(ctx.Err())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil {
		return nil, cmp.Or(c.err, errLost)
	}
	return c.link, nil
}

var errClosed = errors.New("the client was closed")

// impatient is the error of who could not wait for a connection.
func (c *Client) impatient(cause error) error {
	if s := c.Status(); s.Err != "" {
		return fmt.Errorf("it is %s (%s): %w", s.State, s.Err, cause)
	}
	return fmt.Errorf("it does not answer yet: %w", cause)
}

func over(l link) bool {
	select {
	case <-l.done():
		return true
	default:
		return false
	}
}

// supervise connects, and connects again, until the client is closed. Of one server
// there is never more than one attempt at a time.
func (c *Client) supervise() {
	pause := &backoff.ExponentialBackOff{InitialInterval: firstRetry, MaxInterval: lastRetry, Multiplier: 2, RandomizationFactor: 0.3}
	pause.Reset()
	for c.life.Err() == nil {
		c.mu.Lock()
		if c.status.Generation > 0 {
			c.become(Degraded, c.err)
		} else {
			c.become(Starting, c.err)
		}
		c.mu.Unlock()
		l, err := c.connect(c.life)
		if err != nil {
			wait := pause.NextBackOff()
			c.gaveUp(err, wait)
			c.rest(err, wait)
			continue
		}
		began := time.Now()
		c.watch(l)
		l.close()
		if time.Since(began) >= steady {
			pause.Reset()
			continue
		}
		c.rest(errLost, pause.NextBackOff()) // a server that ends soon after each start is not started ever faster
	}
}

// rest waits for the next attempt: for as long as it should, or until somebody needs the
// server. A login that is missing is waited for: to try again would not help.
func (c *Client) rest(err error, wait time.Duration) {
	if !needsAuth(err) {
		c.mu.Lock()
		c.status.NextTry = time.Now().Add(wait)
		c.mu.Unlock()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	due := timer.C
	if needsAuth(err) {
		due = nil
	}
	select {
	case <-due:
	case <-c.wake:
	case <-c.life.Done():
	}
}

// gaveUp notes an attempt that failed, and tells who waits for it.
func (c *Client) gaveUp(err error, wait time.Duration) {
	if c.life.Err() != nil {
		return // who waits knows
	}
	c.log.Warn("mcp server can't be connected", "error", c.named(err), "next_try", wait)
	c.mu.Lock()
	news := c.tools != nil && !c.down
	c.err, c.down = err, true
	switch {
	case needsAuth(err):
		c.become(NeedsAuth, err)
		c.status.NextTry = time.Time{}
	case c.tools != nil:
		c.become(Degraded, err)
	default:
		c.become(Failed, err)
	}
	select {
	case <-c.wake: // by somebody who waited for this attempt
	default:
	}
	c.nextTurn()
	c.mu.Unlock()
	if news {
		c.changed()
	}
}

// nextTurn ends the wait for the attempt that is over. The caller has the lock.
func (c *Client) nextTurn() {
	close(c.turn)
	c.turn = make(chan struct{})
}

// connect makes a connection and lists the tools.
func (c *Client) connect(ctx context.Context) (link, error) {
	l, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := c.list(ctx, l)
	if err != nil {
		err = l.explain(fmt.Errorf("listing its tools: %w", err))
		l.close()
		return nil, err
	}
	c.news(raw)
	c.tell(l, raw) // first: who waits for the tools may ask the host what it was told
	changed := c.take(raw)
	c.mu.Lock()
	changed = changed || c.down
	c.link, c.err, c.down = l, nil, false
	c.status.Generation++
	c.status.Server, c.status.Protocol = l.about()
	c.status.NextTry = time.Time{}
	c.become(Ready, nil)
	c.nextTurn()
	c.mu.Unlock()
	if changed {
		c.changed()
	}
	return l, nil
}

func (c *Client) list(ctx context.Context, l link) ([]json.RawMessage, error) {
	ctx, stop := context.WithTimeoutCause(ctx, c.config.ListTimeout, fmt.Errorf("no answer in %v", c.config.ListTimeout))
	defer stop()
	raw, err := l.list(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return raw, err
}

// watch stays with a connection until it is over, and reads the list again when the
// server says that it changed.
func (c *Client) watch(l link) {
	timer := time.NewTimer(settle)
	timer.Stop()
	defer timer.Stop()
	waiting, pause, last := false, settle, time.Now()
	for {
		select {
		case <-c.wake: // it is there
		case <-c.relist:
			if waiting {
				continue // else a server that never ceases would never be heard
			}
			if time.Since(last) > 10*pause {
				pause = settle
			}
			waiting = true
			timer.Reset(pause)
		case <-timer.C:
			waiting, last = false, time.Now()
			raw, err := c.list(c.life, l)
			if err != nil {
				c.log.Warn("mcp server changed its tools, and can't list them: the last ones stay", "error", c.named(err))
				continue
			}
			if c.news(raw) {
				c.tell(l, raw)
				pause = min(2*pause, mostSettled)
			}
			if c.take(raw) {
				c.changed()
			}
		case <-l.done():
			c.lose(l)
			return
		case <-c.life.Done():
			c.lose(l)
			return
		}
	}
}

// lose forgets a connection.
func (c *Client) lose(l link) {
	err := l.explain(errLost)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status.Stray = l.stray()
	c.link, c.err = nil, nil
	if c.life.Err() == nil {
		c.log.Warn("mcp server is lost", "error", c.named(err))
		c.become(Degraded, err)
	}
}

var errLost = errors.New("the connection is lost")

// tell tells the host of a list.
func (c *Client) tell(l link, raw []json.RawMessage) {
	if c.options.Listed != nil {
		server, protocol := l.about()
		c.options.Listed(Listing{Server: server, Protocol: protocol, Tools: raw})
	}
}

// news notes what was listed, and reports whether it is other than the last time.
func (c *Client) news(raw []json.RawMessage) bool {
	digest := sha256.New()
	for _, tool := range raw {
		digest.Write(tool)
		digest.Write([]byte{0})
	}
	sum := [sha256.Size]byte(digest.Sum(nil))
	same := sum == c.listed
	c.listed = sum
	return !same
}

// changed tells the host that the tools are others, or that they can't be called.
func (c *Client) changed() {
	if c.options.Changed != nil {
		c.options.Changed()
	}
}
