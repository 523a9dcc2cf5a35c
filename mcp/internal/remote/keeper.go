package remote

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"helve/netpolicy"
)

// keeper is the body of the stream on which a server speaks unasked. The SDK ends
// the session when that stream was closed some times, as proxies do with idle ones;
// the keeper asks for it again, for as long as the session lives. The SDK sees one
// stream without ids. It ends only where the SDK has something to do: ask with a new
// token, or see that the session is gone.
//
// It has no goroutine: what happens, happens in Read.
type keeper struct {
	*Remote
	req    *http.Request // the SDK's, with ctx
	ctx    context.Context
	cancel func()

	events *events // nil between two streams
	since  time.Time
	delay  time.Duration // before the next request
	lastID string
}

// keep asks for the stream. The answer goes to the SDK, which learns from it whether
// the server has such a stream. One that can't be reached now is asked again later:
// the SDK would wait for it before it says that it is connected.
func (s *streamable) keep(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(s.ctx, cancel)
	k := &keeper{
		Remote: s.Remote,
		req:    req.WithContext(ctx),
		ctx:    ctx,
		cancel: func() { stop(); cancel() },
		delay:  s.minDelay,
	}
	response, failure := s.send(k.req, true)
	switch {
	case failure != nil && ctx.Err() != nil:
		k.cancel()
		return nil, failure
	case failure != nil:
		return eventStream(req, k), nil
	case transient(response.StatusCode):
		response.Body.Close()
		return eventStream(req, k), nil
	case isOpen(response):
		k.use(response)
		response.Body = k
		unsized(response, -1)
		return response, nil
	}
	k.refused(response)
	response.Body = &closing{response.Body, k.cancel}
	return response, nil
}

func (k *keeper) Read(p []byte) (int, error) {
	for {
		if k.events != nil {
			if n, err := k.events.Read(p); err == nil {
				return n, nil
			}
			k.drop()
		}
		if err := k.reconnect(); err != nil {
			return 0, err
		}
	}
}

// Close ends the stream that there is, and the keeper with it.
func (k *keeper) Close() error {
	k.cancel()
	return nil
}

// reconnect asks for the stream once more, after a while. io.EOF is for the SDK to
// act.
func (k *keeper) reconnect() error {
	if err := k.sleep(k.delay/2 + rand.N(k.delay)); err != nil {
		return err
	}
	k.delay = min(2*k.delay, k.maxDelay)
	req := k.req.Clone(k.ctx)
	if k.lastID != "" {
		req.Header.Set("Last-Event-Id", k.lastID)
	}
	response, err := k.client(k.plain()).Do(req)
	if err != nil {
		return k.ctx.Err()
	}
	if isOpen(response) {
		k.use(response)
		return nil
	}
	defer response.Body.Close()
	if transient(response.StatusCode) {
		k.delay = max(k.delay, min(retryAfter(response.Header), k.maxDelay))
		return nil
	}
	if k.refused(response) {
		return io.EOF
	}
	k.log.Debug("the server has no stream of its own any more", "status", response.StatusCode)
	<-k.ctx.Done() // silent, not dead
	return k.ctx.Err()
}

func (k *keeper) sleep(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-k.ctx.Done():
		return k.ctx.Err()
	case <-timer.C:
		return nil
	}
}

func isOpen(response *http.Response) bool {
	return response.StatusCode == http.StatusOK && isEventStream(response)
}

func (k *keeper) use(response *http.Response) {
	k.events = k.newEvents(k.req, response.Body, eventOptions{hidden: true})
	k.events.lost = func(err error) {
		level := slog.LevelDebug // streams break
		if errors.Is(err, errTooLarge) {
			level = slog.LevelWarn
		}
		k.log.Log(k.ctx, level, "the server's own stream ended", "error", err)
	}
	k.since = time.Now()
}

// drop closes a stream that ended. One that brought something, or lasted, says that
// the server is well: the next request is soon.
func (k *keeper) drop() {
	_ = k.events.Close()
	if k.events.dispatched > 0 || time.Since(k.since) >= k.maxDelay {
		k.delay = k.minDelay
	}
	if k.events.lastID != "" {
		k.lastID = k.events.lastID
	}
	k.delay = max(k.delay, min(k.events.wait, k.maxDelay))
	k.events = nil
}

// refused says whether the SDK must act on response, and keeps why for Explain. That
// there is no stream is no failure.
func (k *keeper) refused(response *http.Response) bool {
	if response.StatusCode < 400 {
		return false
	}
	status, _ := k.readRefusal(k.req, response)
	if !status.NeedsAuth() && status.Status != http.StatusForbidden && !status.SessionGone() {
		return false
	}
	k.failed(k.ctx, &RequestError{NotRun: true, Place: netpolicy.Place(k.req.URL), Err: status})
	if status.SessionGone() {
		sayGone(response)
	}
	return true
}

// closing is a body that frees what belongs to its request.
type closing struct {
	io.ReadCloser
	free func()
}

func (c *closing) Close() error {
	defer c.free()
	return c.ReadCloser.Close()
}
