package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"helve/netpolicy"
)

// Detect finds out how a server speaks that does not speak Streamable HTTP (it
// answered a POST with 400, 404 or 405): "sse", the older HTTP with server-sent
// events, or "rest", document 004's server whose GET answers with its tools. The
// error says what was found instead.
func Detect(ctx context.Context, r *Remote) (string, error) {
	kind, err := r.detect(ctx)
	if err != nil {
		return "", fmt.Errorf("mcp server %s: %w", r.name, err)
	}
	return kind, nil
}

func (r *Remote) detect(ctx context.Context) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url.String(), nil)
	if err != nil {
		return "", fmt.Errorf("%s can't be asked", netpolicy.Place(r.url))
	}
	req.Header.Set("Accept", "text/event-stream, application/json")
	response, err := r.client(r.plain()).Do(req)
	if err != nil {
		return "", netpolicy.WithoutURL(err)
	}
	defer response.Body.Close()
	if isOpen(response) {
		return "sse", nil
	}
	place := netpolicy.Place(response.Request.URL)
	if response.StatusCode != http.StatusOK {
		status, _ := r.readRefusal(req, response)
		return "", &RequestError{NotRun: true, Place: place, Err: status}
	}
	data, err := r.readJSON(req, response)
	if err != nil {
		return "", &RequestError{Place: place, Err: err}
	}
	if listsTools(data) {
		return "rest", nil
	}
	return "", fmt.Errorf("%s: the server answered GET with JSON that lists no tools", place)
}

// listsTools knows an array of tools, and an object that has one.
func listsTools(data []byte) bool {
	var object struct {
		Tools []map[string]json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(data, &object) == nil {
		return object.Tools != nil
	}
	var array []map[string]json.RawMessage
	return json.Unmarshal(data, &array) == nil && array != nil
}
