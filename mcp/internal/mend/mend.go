package mend

import (
	"bytes"
	"unicode/utf8"

	"helve/internal/jsontext"
)

// The keys of _meta that hold what a server sent, as a string of JSON.
const (
	RawTool       = "helve/tool"       // of a tool in a list
	RawStructured = "helve/structured" // of the result of a call
	RawForm       = "helve/form"       // of the parameters of a question: its requestedSchema
)

// maxDepth is how deeply JSON may be nested for the SDK.
const maxDepth = 1000

// Message returns what the SDK can read of one JSON-RPC message, or batch of them, from
// a server. What needs no mending is returned as it is; so is what is not JSON, and
// what is nested so deeply that the SDK refuses it anyway. Mending a mended message
// changes nothing. Of notifications that nobody hears nothing is left: it is empty then.
// It is safe for concurrent use, and data is never written to.
func Message(data []byte) []byte {
	sent := bytes.TrimSpace(data)
	if !utf8.Valid(sent) {
		sent = bytes.ToValidUTF8(sent, []byte("\uFFFD"))
	}
	mended := sent
	switch first(sent) {
	case '{':
		mended = message(sent)
	case '[':
		if mended = editList(sent, message); string(mended) == "[]" && !same(mended, sent) {
			mended = nil // a batch without messages is none
		}
	}
	if same(mended, bytes.TrimSpace(data)) || !jsontext.Valid(data) || deeper(data, maxDepth) {
		return data
	}
	return mended
}

// message mends a request, a notification or an answer.
func message(data []byte) []byte {
	if first(data) != '{' {
		return data
	}
	var version, method, asked []byte
	answer := edit(data, func(key, value []byte) []byte {
		switch string(key) {
		case "jsonrpc":
			version = value
		case "method":
			method = value
		case "id":
			asked = value
			return number(value)
		case "result":
			return result(value)
		}
		return value
	})
	switch {
	case method == nil:
		return answer
	case string(version) == `"2.0"` && (asked == nil || isNull(asked)):
		return notification(data, unquote(method))
	}
	return request(data, unquote(method))
}

// number is the number in a string of digits: the SDK numbers its requests, and does
// not know its own number as text.
func number(id []byte) []byte {
	const longest = 18 // digits of an int64, whatever they are
	if len(id) < 3 || len(id) > longest+2 || id[0] != '"' || id[1] == '0' && len(id) > 3 {
		return id
	}
	digits := id[1 : len(id)-1]
	for _, c := range digits {
		if c < '0' || c > '9' {
			return id
		}
	}
	return digits
}

// result mends the result of any method: the keys have the same type in all.
func result(data []byte) []byte {
	if first(data) != '{' {
		return data
	}
	var structured []byte
	mended := edit(data, func(key, value []byte) []byte {
		switch string(key) {
		case "tools":
			return editList(value, standIn)
		case "content":
			return content(value)
		case "isError":
			return truth(value)
		case "inputRequests":
			return inputRequests(value)
		case "structuredContent":
			structured = value // see keep
			return nil
		}
		return unless(misfit(resultFields, key, value), value)
	})
	if structured == nil || isNull(structured) {
		return mended
	}
	// decoded, 12345678901234567890 would be another number
	if last(mended, "content") == nil {
		mended = set(mended, "content", []byte(`[]`))
	}
	return keep(mended, RawStructured, structured)
}

// resultFields are the keys of results that the SDK reads, and that it can do without.
var resultFields = map[string]check{
	"_meta": isMeta, "nextCursor": isText, "ttlMs": isInteger, "cacheScope": isText, "resultType": isText,
}

// keep puts what a server wrote where the SDK leaves it alone: into the _meta of object.
func keep(object []byte, name string, value []byte) []byte {
	meta := last(object, "_meta")
	if first(meta) != '{' {
		meta = []byte(`{}`)
	}
	return set(object, "_meta", set(meta, name, quote(value)))
}

// truth is a boolean for what a server wrote in its place.
func truth(value []byte) []byte {
	if isBoolean(value) {
		return value
	}
	switch string(value) {
	case `0`, `""`, `"false"`, `"False"`:
		return []byte("false")
	}
	return []byte("true")
}
