package httptool

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"helve/netpolicy"
)

// graceTime is how much longer than the tool's own limit the executor waits, so
// that the model reads which server was slow.
const graceTime = time.Second

// attempts decides whether a request is sent again, and waits before.
type attempts struct {
	left       int
	maxWait    time.Duration
	idempotent bool
	waits      *backoff.ExponentialBackOff
}

func newAttempts(r Retry, idempotent bool) *attempts {
	a := &attempts{max(0, r.Attempts-1), orDefault(r.MaxWait, defaultMaxWait), idempotent, backoff.NewExponentialBackOff()}
	a.waits.InitialInterval = 500 * time.Millisecond
	a.waits.MaxInterval = a.maxWait
	return a
}

// again waits and reports true where the request should be sent once more.
func (a *attempts) again(ctx context.Context, response *http.Response, err error) bool {
	if a.left == 0 || ctx.Err() != nil || !a.may(response, err) {
		return false
	}
	wait := min(a.waits.NextBackOff(), a.maxWait)
	if response != nil {
		if wanted, ok := retryAfter(response); ok {
			wait = wanted
		}
	}
	if deadline, ok := ctx.Deadline(); wait > a.maxWait || ok && wait > time.Until(deadline) {
		return false
	}
	a.left--
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// may says whether sending again can help and do no harm.
func (a *attempts) may(response *http.Response, err error) bool {
	if err != nil {
		var refusal *netpolicy.Refusal
		return a.idempotent && !errors.As(err, &refusal)
	}
	if notBegun(response) {
		return true
	}
	switch response.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return a.idempotent
	}
	return false
}
