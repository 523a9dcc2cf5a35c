package remote

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"helve/internal/jsontext"
	"helve/netpolicy"
)

// post sends a message. What the server refuses is a failure, unless the SDK acts
// on it; what it takes goes to answer. The session may be named in the URL.
func (r *Remote) post(req *http.Request, sessionInURL bool, answer func(*http.Request, *http.Response, summary) (*http.Response, error)) (*http.Response, error) {
	message := summarize(req)
	defer r.answering(req, message)()
	outcome := message.outcome(req)
	outcome.begin()
	response, failure := r.send(req, message.repeatable())
	switch {
	case failure != nil:
		return nil, r.fail(req, outcome, failure)
	case isRedirect(response): // the client looks where it leads
		outcome.didNotRun()
		return response, nil
	case response.StatusCode/100 != 2:
		return r.refused(req, outcome, response, sessionInURL)
	}
	return answer(req, response, message)
}

// fail keeps why req failed for who asks later.
func (r *Remote) fail(req *http.Request, o *Outcome, failure *RequestError) error {
	if failure.NotRun {
		o.didNotRun()
	}
	r.failed(req.Context(), failure)
	return failure
}

// refused keeps what the server said. The SDK gets the answers on which it acts; it
// would end the session for most of the others, and say no more than the status.
func (r *Remote) refused(req *http.Request, o *Outcome, response *http.Response, sessionInURL bool) (*http.Response, error) {
	status, body := r.readRefusal(req, response)
	status.Session = status.Session || sessionInURL
	failure := &RequestError{NotRun: status.notRun(), Place: netpolicy.Place(req.URL), Err: status}
	err := r.fail(req, o, failure)
	switch {
	case status.SessionGone():
		sayGone(response)
	case !actedOn(status.Status, body):
		response.Body.Close()
		return nil, err
	}
	return response, nil
}

// sayGone makes response what the protocol says for a session that is gone. The SDK
// would take a JSON-RPC error in its body for one of this one call.
func sayGone(response *http.Response) {
	response.StatusCode = http.StatusNotFound
	response.Status = "404 Not Found"
	response.Body.Close()
	response.Body = http.NoBody
	unsized(response, 0)
}

// actedOn says whether the SDK does more with an answer than to give up: it gets a
// token, sees that the session is gone, or reads an error in JSON-RPC, by which
// servers say which version they speak.
func actedOn(status int, body []byte) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return true
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return false // it does not read those
	}
	message, err := jsonrpc.DecodeMessage(body)
	answer, ok := message.(*jsonrpc.Response)
	return err == nil && ok && answer.Error != nil
}

// isRedirect says whether an [http.Client] follows the answer.
func isRedirect(response *http.Response) bool {
	switch response.StatusCode {
	case 301, 302, 303, 307, 308:
		return response.Header.Get("Location") != ""
	}
	return false
}

// answer gives the SDK what it can read: JSON, whole and mended, or events.
func (s *streamable) answer(req *http.Request, response *http.Response, message summary) (*http.Response, error) {
	if !message.call {
		drain(response)
		return response, nil
	}
	if isEventStream(response) && !isEncoded(response) {
		s.last.Store(nil)
		response.Body = s.newEvents(req, response.Body, eventOptions{})
		unsized(response, -1)
		return response, nil
	}
	data, err := s.readJSON(req, response)
	response.Body.Close()
	if err != nil {
		return nil, s.fail(req, nil, &RequestError{Place: netpolicy.Place(req.URL), Err: err})
	}
	s.last.Store(nil)
	if response.Header.Get("Content-Type") != "application/json" {
		response.Header.Set("Content-Type", "application/json")
	}
	response.Body = io.NopCloser(bytes.NewReader(data))
	unsized(response, int64(len(data)))
	return response, nil
}

// taken is the answer of an older server to a message.
func (l *legacy) taken(_ *http.Request, response *http.Response, _ summary) (*http.Response, error) {
	l.last.Store(nil)
	drain(response)
	return response, nil
}

// readJSON reads one message. What isn't JSON is an error of this one request; the
// SDK would end the session.
func (r *Remote) readJSON(req *http.Request, response *http.Response) ([]byte, error) {
	wrong := &StatusError{Status: response.StatusCode, Session: req.Header.Get("Mcp-Session-Id") != ""}
	if isEncoded(response) {
		wrong.Problem = fmt.Sprintf("in the encoding %.50q, which was not asked for", response.Header.Get("Content-Encoding"))
		return nil, wrong
	}
	var body bytes.Buffer
	body.Grow(int(min(max(response.ContentLength, 0), 1<<20)) + bytes.MinRead)
	if _, err := body.ReadFrom(io.LimitReader(response.Body, int64(r.maxBody)+1)); err != nil {
		return nil, fmt.Errorf("the connection was lost before the answer was whole: %w", err)
	}
	data := bytes.TrimPrefix(body.Bytes(), []byte("\uFEFF"))
	if body.Len() > r.maxBody {
		return nil, fmt.Errorf("the answer has more than %d MiB", r.maxBody>>20)
	}
	if looksLikeJSON(data) {
		data = r.pass(data)
	}
	if looksLikeJSON(data) && jsontext.Valid(data) {
		return data, nil
	}
	r.describe(wrong, req, response.Header, data)
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		wrong.Problem = "without the answer to the call"
	case wrong.HTML:
		wrong.Problem = "with a web page instead of a message (is a login in front of the server, or is the URL another page's?)"
	default:
		wrong.Problem = "with something else than JSON"
	}
	return nil, wrong
}

// isEncoded says whether the body is compressed in a way that the transport did not
// ask for and so does not undo.
func isEncoded(response *http.Response) bool {
	encoding := response.Header.Get("Content-Encoding")
	return encoding != "" && encoding != "identity"
}

// drain reads the short body that some servers send for nothing, so that the
// connection can be used again: the SDK closes it unread.
func drain(response *http.Response) {
	if n := response.ContentLength; n < 0 || n > maxShown {
		return
	}
	_, _ = io.CopyN(io.Discard, response.Body, maxShown)
}

// unsized makes the header say of the body what is true of it now.
func unsized(response *http.Response, length int64) {
	response.Header.Del("Content-Length")
	response.ContentLength = length
}
