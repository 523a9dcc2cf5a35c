package remote

import (
	"bytes"
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
	start := make([]byte, maxSummary)
	n, _ := io.ReadFull(body, start)
	return summaryOf(start[:n])
}

// summaryOf may be given less than a whole message: what is before its params is enough.
// It reads what the SDK writes, which has no blanks, and no object before the params or
// the result. An answer to the server's own question has no method.
func summaryOf(start []byte) summary {
	if !bytes.HasPrefix(start, []byte("{")) {
		return summary{}
	}
	if at := bytes.IndexByte(start[1:], '{'); at >= 0 {
		start = start[:1+at]
	}
	_, method, _ := bytes.Cut(start, []byte(`"method":"`))
	method, _, whole := bytes.Cut(method, []byte(`"`))
	if !whole {
		return summary{}
	}
	hasID := bytes.Contains(start, []byte(`"id":`)) && !bytes.Contains(start, []byte(`"id":null`))
	return summary{string(method), hasID && len(method) > 0}
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
