package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line of a stream. A whole call may come in one line,
// and JSON in JSON has a backslash for each quote.
const maxLine = 2*maxArguments + 1<<20

// events reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
// Lines end in LF or CRLF; a lone CR, which nobody sends, does not end one.
type events struct {
	r    *bufio.Reader
	line []byte // a line that did not fit r's buffer
	data []byte
}

// next returns the next event's type and data; the data is valid until the next
// call. An event without its empty line at the end of the stream counts, though
// the standard drops it: servers forget it. The error is io.EOF at the end.
func (e *events) next() (kind string, data []byte, err error) {
	e.data = e.data[:0]
	found := false
	for {
		line, err := e.readLine()
		if err != nil {
			if err == io.EOF && found {
				return kind, e.data, nil
			}
			return "", nil, err
		}
		if len(line) == 0 {
			if found {
				return kind, e.data, nil
			}
			kind = ""
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			kind = string(value)
		case "data":
			if found {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
			found = true
			if len(e.data) > maxLine {
				return "", nil, &LimitError{"bytes in one event", maxLine}
			}
		}
	}
}

// readLine returns the next line without its end.
func (e *events) readLine() ([]byte, error) {
	e.line = e.line[:0]
	for {
		part, err := e.r.ReadSlice('\n')
		if err == nil && len(e.line) == 0 {
			return trimEnd(part), nil // nearly always
		}
		e.line = append(e.line, part...)
		switch {
		case len(e.line) > maxLine:
			return nil, &LimitError{"bytes in one line", maxLine}
		case err == nil, err == io.EOF && len(e.line) > 0:
			return trimEnd(e.line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}
