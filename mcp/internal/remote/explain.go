package remote

import (
	"errors"
	"net/http"
	"strings"
)

// Explain returns err, which the SDK returned for connecting or for a call, with
// what the server said: the status, the text of the body, WWW-Authenticate. It
// names the server, and leaves out the query of its URL. Where the SDK lost the
// failure, it is the last one that no answer came after; with several calls under
// way it may be another call's, so ask the [Outcome] first. A [*StatusError] and a
// [*RequestError] are found in it with [errors.As].
func (r *Remote) Explain(err error) error {
	if err == nil {
		return nil
	}
	prefix := "mcp server " + r.name + ": "
	var cause *RequestError
	if errors.As(err, &cause) {
		return &explained{prefix + cause.Error(), []error{err}}
	}
	text := prefix + r.withoutQuery(err.Error())
	last := r.last.Load()
	if last == nil {
		return &explained{text, []error{err}}
	}
	var status *StatusError
	if errors.As(last, &status) {
		text = strings.TrimSuffix(text, ": "+http.StatusText(status.Status)) // last says it
	}
	return &explained{text + ": " + last.Error(), []error{err, last}}
}

// withoutQuery is for the texts of net/http and the SDK, which repeat the URL.
func (r *Remote) withoutQuery(text string) string {
	if r.url.RawQuery == "" {
		return text
	}
	return strings.ReplaceAll(text, "?"+r.url.RawQuery, "")
}

type explained struct {
	text   string
	causes []error
}

func (e *explained) Error() string   { return e.text }
func (e *explained) Unwrap() []error { return e.causes }
