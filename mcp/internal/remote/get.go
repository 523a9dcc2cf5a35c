package remote

import (
	"io"
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
		return s.post(req, false, s.answer)
	case http.MethodGet:
		if req.Header.Get("Last-Event-Id") == "" && strings.Contains(req.Header.Get("Accept"), "text/event-stream") {
			return s.keep(req)
		}
		return s.resume(req)
	}
	return s.plain().RoundTrip(req)
}

// resume asks for the rest of an answer whose stream broke. A server that doesn't know
// it any more loses that call; the SDK would end the session, for 503 too.
func (s *streamable) resume(req *http.Request) (*http.Response, error) {
	response, failure := s.stream(req, eventOptions{})
	switch {
	case response == nil:
		return nil, failure
	case failure == nil:
		return response, nil
	}
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return response, nil // the SDK acts on it
	}
	response.Body.Close()
	if transient(response.StatusCode) {
		return nil, failure // it tries again
	}
	return eventStream(req, http.NoBody), nil
}

// eventStream is an answer that no server gave.
func eventStream(req *http.Request, body io.ReadCloser) *http.Response {
	return &http.Response{
		Status:        "200 OK",
		StatusCode:    http.StatusOK,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {"text/event-stream"}},
		Body:          body,
		ContentLength: -1,
		Request:       req,
	}
}

// legacy is the way of the SDK's SSEClientTransport: one GET is the session and
// brings every answer; a POST only says that it was taken.
type legacy struct{ *Remote }

func (l *legacy) RoundTrip(req *http.Request) (*http.Response, error) {
	switch req.Method {
	case http.MethodPost:
		return l.post(req, true, l.taken)
	case http.MethodGet:
		response, failure := l.stream(req, eventOptions{legacy: true})
		if response == nil {
			return nil, failure
		}
		return response, nil // a refusal says enough to the SDK
	}
	return l.plain().RoundTrip(req)
}

// stream asks for an event stream and mends it. A failure is kept for Explain; one
// with an answer is what the server refused.
func (r *Remote) stream(req *http.Request, o eventOptions) (*http.Response, *RequestError) {
	response, failure := r.send(req, true)
	switch {
	case failure != nil:
		r.failed(req.Context(), failure)
		return nil, failure
	case response.StatusCode >= 400:
		status, _ := r.readRefusal(req, response)
		failure = &RequestError{NotRun: status.notRun(), Place: netpolicy.Place(req.URL), Err: status}
		r.failed(req.Context(), failure)
		if status.SessionGone() {
			sayGone(response)
		}
		return response, failure
	case isOpen(response):
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
