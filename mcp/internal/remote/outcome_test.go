package remote

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The context of a call that was answered ends with the stream of its answer, so that the
// connection can be used again, and does not wait for a server that keeps it open.
func TestReleaseWaitsForStreams(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		closed int // of two streams
		want   time.Duration
	}{
		{"both end", 2, 0},
		{"one goes on", 1, lastOfAnswer},
		{"both go on", 0, lastOfAnswer},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, outcome := Watch(t.Context())
				req := (&http.Request{}).WithContext(ctx)
				r := &Remote{maxBody: maxBody}
				var streams [2]*events
				for i := range streams {
					streams[i] = r.newEvents(req, io.NopCloser(strings.NewReader("")), eventOptions{})
				}
				start := time.Now()
				released := make(chan time.Duration, 2)
				outcome.Release(func() { released <- time.Since(start) })
				synctest.Wait()
				if len(released) > 0 {
					t.Fatal("released while its streams are open")
				}
				for _, e := range streams[:test.closed] {
					_ = e.Close()
				}
				if got := <-released; got != test.want {
					t.Errorf("released after %v, want %v", got, test.want)
				}
			})
		})
	}
	_, outcome := Watch(t.Context())
	released := false
	outcome.Release(func() { released = true })
	if !released {
		t.Error("a call without streams is not released at once")
	}
}
