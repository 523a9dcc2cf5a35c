package httptool

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"helve/internal/excerpt"
	"helve/internal/httpbody"
	"helve/internal/jsonobject"
	"helve/tool"
)

// errorBytes is how much of the body of an error the model gets.
const errorBytes = 1000

// statusError is the error for a status other than 2xx. The model gets the start
// of the body too, which often says what is wrong.
func (a *api) statusError(response *http.Response, body httpbody.Body) *tool.Error {
	status := response.StatusCode
	e := &tool.Error{Kind: tool.KindExecution, Message: a.plan.target.host + " answered " + statusText(status)}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Kind = tool.KindPermissionDenied
		e.Message += ": what this tool has for credentials does not allow it"
	case retryableStatus(status):
		e.Kind, e.Retryable = tool.KindUnavailable, a.idempotent || notBegun(response)
	}
	e.Detail = map[string]any{"status": status}
	if text := readable(body, errorBytes); text != "" {
		e.Detail["body"] = text
	}
	if wait, ok := retryAfter(response); ok {
		e.Detail["retry_after_seconds"] = int(wait.Seconds())
	}
	return e
}

// readable is the start of a body as text, at most so many bytes.
func readable(body httpbody.Body, most int) string {
	switch {
	case !body.IsText():
		return ""
	case body.IsHTML():
		return excerpt.Of(pageText(body.Text()), most)
	case body.IsJSON():
		return excerpt.Of(string(jsonobject.Compact([]byte(body.Text()))), most)
	}
	return excerpt.Of(strings.TrimSpace(body.Text()), most)
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// retryableStatus says whether the same request may succeed later.
func retryableStatus(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500
}

// notBegun says whether a server refused to begin, so that asking again does
// nothing twice: 429, and 503 with the time to come back.
func notBegun(response *http.Response) bool {
	return response.StatusCode == http.StatusTooManyRequests ||
		response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != ""
}

// retryAfter is how long a server wants to be left alone (RFC 9110, section
// 10.2.3): a number of seconds, or a date.
func retryAfter(response *http.Response) (time.Duration, bool) {
	value := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<30)) * time.Second, true
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date)), true
	}
	return 0, false
}
