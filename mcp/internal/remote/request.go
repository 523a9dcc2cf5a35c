package remote

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// summary is what must be known of the message in a request.
type summary struct {
	method string
	call   bool // it is to be answered
}

// maxSummary is how far into a message its method stands at most: the SDK writes
// jsonrpc, id and method first.
const maxSummary = 512

// summarize reads the beginning of the message that req carries.
func summarize(req *http.Request) summary {
	if req.GetBody == nil {
		return summary{}
	}
	body, err := req.GetBody()
	if err != nil {
		return summary{}
	}
	defer body.Close()
	start, _ := io.ReadAll(io.LimitReader(body, maxSummary))
	return summaryOf(start)
}

// summaryOf may be given less than a whole message: what is before its params is
// enough. An answer to the server's own question has no method.
func summaryOf(start []byte) summary {
	if at := bytes.Index(start, []byte(`,"params":`)); at >= 0 {
		start = append(start[:at:at], '}')
	}
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(start, &message) != nil {
		return summary{}
	}
	hasID := len(message.ID) > 0 && string(message.ID) != "null"
	return summary{message.Method, hasID && message.Method != ""}
}

// repeatable says whether the message may arrive twice: the calls that only look.
// With a connection that had gone stale under it, server/discover would take a new
// server for an old one.
func (s summary) repeatable() bool {
	switch s.method {
	case "server/discover", "ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return true
	}
	return false
}
