package remote

import (
	"net/http"
	"strings"

	"helve/netpolicy"
)

// streamable is the way of the SDK's StreamableClientTransport: each message is a
// POST that is answered with JSON or with an event stream; a GET asks for the stream
// on which the server speaks unasked, or for the rest of a stream that broke.
type streamable struct{ *Remote }

func (s *streamable) RoundTrip(req *http.Request) (*http.Response, error) {
	switch req.Method {
	case http.MethodPost:
		return s.post(req, s.answer)
	case http.MethodGet:
		if req.Header.Get("Last-Event-Id") == "" && strings.Contains(req.Header.Get("Accept"), "text/event-stream") {
			return s.keep(req)
		}
		return s.stream(req, eventOptions{})
	}
	return s.plain().RoundTrip(req)
}

// legacy is the way of the SDK's SSEClientTransport: one GET is the session and
// brings every answer; a POST only says that it was taken.
type legacy struct{ *Remote }

func (l *legacy) RoundTrip(req *http.Request) (*http.Response, error) {
	switch req.Method {
	case http.MethodPost:
		return l.post(req, l.taken)
	case http.MethodGet:
		return l.stream(req, eventOptions{legacy: true})
	}
	return l.plain().RoundTrip(req)
}

// stream asks for an event stream and mends it. A refusal is the SDK's to judge.
func (r *Remote) stream(req *http.Request, o eventOptions) (*http.Response, error) {
	response, failure := r.send(req, true)
	if failure != nil {
		return nil, r.fail(req, nil, failure)
	}
	switch {
	case response.StatusCode >= 400:
		status, _ := r.readRefusal(req, response)
		r.failed(req.Context(), &RequestError{NotRun: status.notRun(), Place: netpolicy.Place(req.URL), Err: status})
		if status.SessionGone() {
			sayGone(response)
		}
	case response.StatusCode == http.StatusOK && isEventStream(response):
		r.last.Store(nil)
		response.Body = r.newEvents(req, response.Body, o)
		unsized(response, -1)
	}
	return response, nil
}

// plain sends and does no more.
type plain struct{ *Remote }

func (r *Remote) plain() http.RoundTripper { return plain{r} }

func (p plain) RoundTrip(req *http.Request) (*http.Response, error) {
	response, failure := p.send(req, false)
	if failure != nil {
		return nil, failure
	}
	return response, nil
}
