package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"helve/internal/excerpt"
	"helve/internal/httpbody"
	"helve/mcp/internal/rawjson"
	"helve/message"
	"helve/netpolicy"
	"helve/tool"
)

// readAnswer makes of the server's answer to a call what the model and the host get.
func readAnswer(response *http.Response, body httpbody.Body) (tool.Result, error) {
	if err := statusError(response, body); err != nil {
		return tool.Result{}, err
	}
	place := netpolicy.Place(response.Request.URL)
	switch {
	case body.Cut:
		return tool.Result{}, failure("%s: the answer is longer than %d MiB: ask for less", place, maxBody>>20)
	case len(bytes.TrimSpace(body.Data)) == 0:
		return tool.Text(fmt.Sprintf("The server answered %s, with an empty body.", statusText(response.StatusCode))), nil
	case isPage(body):
		return tool.Result{}, failure("%s answered with a web page, not with a result", place)
	}
	if part, ok := body.Part(); ok {
		return tool.Result{Content: []message.Part{part}}, nil
	}
	text := body.Text()
	if raw := []byte(text); json.Valid(raw) { // also where the server calls it text
		return readJSON(raw)
	}
	if !body.IsText() {
		return tool.Result{}, failure("%s answered with %s of %d bytes, which can't be shown", place, body.MediaType, len(body.Data))
	}
	return tool.Text(text), nil
}

// isPage says whether the body is a web page. Flask calls all text so that a function
// returns, JSON too.
func isPage(body httpbody.Body) bool {
	return body.IsHTML() && strings.HasPrefix(strings.TrimSpace(body.Text()), "<")
}

// readJSON reads {"result": …}, {"error": …} or any other JSON.
func readJSON(raw json.RawMessage) (tool.Result, error) {
	fields := rawjson.Object(raw)
	if says(fields["error"]) {
		return tool.Result{}, &tool.Error{Kind: kindOf(fields), Message: words(fields["error"])}
	}
	result := raw
	if inner, ok := fields["result"]; ok {
		result = inner
	}
	if strings.HasPrefix(string(bytes.TrimSpace(result)), `"`) {
		return tool.Text(rawjson.Text(result)), nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, result); err != nil {
		return tool.Result{}, failure("the answer can't be read: %v", err)
	}
	return tool.Result{Content: []message.Part{message.Text(b.String())}, Artifact: json.RawMessage(b.Bytes())}, nil
}

// says tells an error from the place that a server left empty.
func says(e json.RawMessage) bool {
	switch string(bytes.TrimSpace(e)) {
	case "", "null", "false", `""`, "{}", "[]":
		return false
	}
	return true
}

// errorBytes is how much of a server's words the model gets.
const errorBytes = 4000

// words is what an error says: its message, or all of it.
func words(e json.RawMessage) string {
	text := rawjson.Text(e)
	if fields := rawjson.Object(e); text == "" {
		for _, key := range []string{"message", "detail", "error"} {
			if text = rawjson.Text(fields[key]); text != "" {
				break
			}
		}
	}
	if text = strings.TrimSpace(text); text == "" {
		text = string(e)
	}
	return excerpt.Of(text, errorBytes)
}

// kindOf is the kind that a server names by the code that document 004 gives it, and
// execution otherwise: "code" beside the error or in it, or the error itself.
func kindOf(fields map[string]json.RawMessage) tool.Kind {
	inner := rawjson.Object(fields["error"])
	for _, code := range []json.RawMessage{fields["code"], inner["code"], inner["type"], fields["error"]} {
		switch k := tool.Kind(rawjson.Text(code)); k {
		case tool.KindInvalidParameters, tool.KindNotFound, tool.KindTimeout, tool.KindPermissionDenied, tool.KindUnavailable:
			return k
		}
	}
	return tool.KindExecution
}

// statusError is the error for a status other than 2xx, and nil for one of those.
func statusError(response *http.Response, body httpbody.Body) error {
	status := response.StatusCode
	if status/100 == 2 {
		return nil
	}
	e := failure("%s answered %s", netpolicy.Place(response.Request.URL), statusText(status))
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		e.Kind = tool.KindPermissionDenied
		e.Message += ": the key is missing, wrong, or not for this"
	case status == http.StatusNotFound:
		e.Kind = tool.KindNotFound
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		e.Kind = tool.KindInvalidParameters
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		e.Kind, e.Retryable = tool.KindUnavailable, true
	case status/100 == 3:
		e.Message += ": it has moved, so mcp_server_url must be changed"
	}
	if said := said(body); said != "" {
		e.Message += ": " + said
	}
	return e
}

// said is what the body of an error says. A web page says nothing.
func said(body httpbody.Body) string {
	if !body.IsText() || isPage(body) {
		return ""
	}
	text := strings.TrimSpace(body.Text())
	if fields := rawjson.Object(json.RawMessage(text)); says(fields["error"]) {
		return words(fields["error"])
	} else if fields != nil {
		return words(json.RawMessage(text))
	}
	return excerpt.Of(text, errorBytes)
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}
