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

// summaryOf may be given less than a whole message.
func summaryOf(start []byte) summary {
	var s summary
	var hasID bool
	d := json.NewDecoder(bytes.NewReader(start))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return summary{}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			break
		}
		value, err := d.Token()
		if _, nested := value.(json.Delim); nested || err != nil {
			break // params, result or error: what counts came before
		}
		switch key {
		case "id":
			hasID = value != nil
		case "method":
			s.method, _ = value.(string)
		}
	}
	s.call = hasID && s.method != ""
	return s
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
