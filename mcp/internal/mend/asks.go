package mend

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Asks returns the id of a message, if that is a request. It decodes no more than the id.
func Asks(data []byte) (id jsonrpc.ID, ok bool) {
	if last(bytes.TrimSpace(data), "method") == nil {
		return id, false
	}
	id = ID(data)
	return id, id.IsValid()
}

// ID returns the id of a message, which is not valid where there is none.
func ID(data []byte) (id jsonrpc.ID) {
	var sent any
	if json.Unmarshal(last(bytes.TrimSpace(data), "id"), &sent) != nil {
		return id
	}
	id, _ = jsonrpc.MakeID(sent)
	return id
}
