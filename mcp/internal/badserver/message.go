package badserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// message is any JSON-RPC message.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

func (m message) isRequest() bool  { return m.Method != "" && m.ID != nil }
func (m message) isResponse() bool { return m.Method == "" }

// raw is JSON, made by hand where it is wrong on purpose.
type raw = json.RawMessage

// encode writes JSON as it is read: without the escapes that HTML wants.
func encode(v any) raw {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("badserver: %T has no JSON form: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func notification(method string, params any) raw {
	return encode(message{JSONRPC: "2.0", Method: method, Params: encode(params)})
}

// response answers m the way the server was told to. It may be several messages.
func (f fault) response(m message, result, failure raw) []raw {
	answer := message{JSONRPC: "2.0", ID: m.ID, Result: result, Error: failure}
	if f.has("wrong-jsonrpc") {
		answer.JSONRPC = "1.0"
	}
	if f.has("string-ids") && !bytes.HasPrefix(m.ID, []byte(`"`)) {
		answer.ID = encode(string(m.ID))
	}
	data := encode(answer)
	if f.has("batch") {
		data = raw("[" + string(data) + "]")
	}
	var all []raw
	if f.has("unknown-id") {
		all = append(all, raw(`{"jsonrpc":"2.0","id":987654321,"result":{}}`))
	}
	if f.has("flood") {
		for i := range 500 {
			all = append(all, notification("notifications/message", map[string]any{
				"level": "info", "logger": "flood", "data": fmt.Sprintf("drop %d %s", i, strings.Repeat("~", 100)),
			}))
		}
	}
	return append(all, data)
}

// failure is the error of a response. message "" leaves the message out.
func failure(code int, message string) raw {
	e := map[string]any{"code": code}
	if message != "" {
		e["message"] = message
	}
	return encode(e)
}
