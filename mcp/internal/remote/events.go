package remote

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"helve/internal/jsontext"
	"helve/netpolicy"
)

const (
	minRead  = 4 << 10  // bytes read at once
	maxRead  = 64 << 10 // where there are as many
	keepSize = 1 << 20  // of a buffer that is kept for the next event
)

var errTooLarge = errors.New("the answer has an event")

// eventOptions say what becomes of the fields that are not the message.
type eventOptions struct {
	legacy bool // the older stream: an endpoint event, and no ids
	hidden bool // ids and retry times are the keeper's
}

// events is an event stream as the SDK can read it: each event is mended and written
// as soon as it is complete, and nothing waits for the next one. What is not a
// message comes without its data: the SDK would end the session. A last event that
// the end of the stream cut off is left out unless its data is whole.
type events struct {
	rewriter
	source io.ReadCloser
	err    error // of source, once out is empty
	lost   func(error)
	spare  *sync.Pool // of buffers
	call   *Outcome   // whose stream it is; nil when it was closed, or is no call's
}

// buffers are an event stream's. Those of one that ended are the next one's: most streams
// hold the one answer to a call, and would grow new ones for it.
type buffers struct {
	chunk []byte // as it came
	line  []byte // the beginning of a line that is not complete
	data  []byte // of the event
	out   []byte // written again
}

// newEvents rewrites source, which is the body of the answer to req.
func (r *Remote) newEvents(req *http.Request, source io.ReadCloser, o eventOptions) *events {
	b, ok := r.spare.Get().(*buffers)
	if !ok {
		b = &buffers{chunk: make([]byte, minRead)}
	}
	call := watched(req.Context())
	call.streamBegins()
	return &events{
		call:     call,
		rewriter: rewriter{eventOptions: o, mend: r.mend, limit: r.maxBody, buffers: *b},
		source:   source,
		spare:    &r.spare,
		lost: func(err error) {
			r.failed(req.Context(), &RequestError{Place: netpolicy.Place(req.URL), Err: err})
		},
	}
}

func (e *events) Read(p []byte) (int, error) {
	for e.done == len(e.out) {
		if e.err != nil {
			e.release()
			return 0, e.err
		}
		e.reuse()
		n, err := e.source.Read(e.chunk)
		e.err = e.add(e.chunk[:n])
		if n == len(e.chunk) && n < maxRead {
			e.chunk = make([]byte, 4*n)
		}
		if e.err == nil && err != nil {
			e.end(err)
		} else if e.err != nil {
			e.lost(e.err)
		}
	}
	n := copy(p, e.out[e.done:])
	e.done += n
	return n, nil
}

// end is for the end of the source, or its failure.
func (e *events) end(err error) {
	e.err = err
	if err == io.EOF {
		e.last()
		return
	}
	e.err = fmt.Errorf("the connection was lost before the answer was whole: %w", err)
	e.lost(e.err)
}

// release gives the buffers away, once there is no more to read.
func (e *events) release() {
	if e.spare == nil {
		return
	}
	e.clear()
	e.reuse()
	b := e.buffers
	e.spare.Put(&b)
	e.spare, e.buffers = nil, buffers{}
}

func (e *events) Close() error {
	err := e.source.Close()
	e.call.streamEnds()
	e.call = nil
	return err
}

// rewriter reads an event stream in chunks cut anywhere, as the HTML standard
// describes it, and writes the events again.
type rewriter struct {
	eventOptions
	mend  func([]byte) []byte
	limit int

	buffers
	done int // bytes of out that were read

	started bool   // past a byte order mark
	mark    []byte // the beginning, while it may be one
	crlf    bool   // the last line ended with CR: an LF belongs to it

	name, id, retry string
	hasID, hasData  bool

	dispatched int    // events that were complete
	lastID     string // of those
	wait       time.Duration
}

var byteOrderMark = []byte("\uFEFF")

// add takes the next chunk.
func (w *rewriter) add(chunk []byte) error {
	if !w.started {
		w.mark = append(w.mark, chunk...)
		if len(w.mark) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, w.mark) {
			return nil
		}
		chunk, w.started, w.mark = bytes.TrimPrefix(w.mark, byteOrderMark), true, nil
	}
	for len(chunk) > 0 {
		if w.crlf && chunk[0] == '\n' {
			chunk = chunk[1:]
		}
		w.crlf = false
		line, rest, ended := w.cutLine(chunk)
		chunk = rest
		if len(w.line)+len(line)+len(w.data) > w.limit {
			return fmt.Errorf("%w of more than %d MiB", errTooLarge, w.limit>>20)
		}
		if !ended {
			if free := cap(w.line) - len(w.line); free < len(line) {
				w.line = slices.Grow(w.line, len(w.line)+len(line))
			}
			w.line = append(w.line, line...)
			return nil
		}
		if len(w.line) > 0 {
			line = append(w.line, line...)
			w.line = line[:0]
		}
		w.field(line)
	}
	return nil
}

// cutLine cuts at the first line end: LF, CR, or both.
func (w *rewriter) cutLine(chunk []byte) (line, rest []byte, ended bool) {
	end := bytes.IndexByte(chunk, '\n')
	if end < 0 {
		end = len(chunk)
	}
	if cr := bytes.IndexByte(chunk[:end], '\r'); cr >= 0 {
		w.crlf = true
		return chunk[:cr], chunk[cr+1:], true
	}
	if end == len(chunk) {
		return chunk, nil, false
	}
	return chunk[:end], chunk[end+1:], true
}

func (w *rewriter) field(line []byte) {
	if len(line) == 0 {
		w.dispatch()
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "":
		// The SDK counts a comment to the event it stands before: an empty line ends that.
		w.out = append(append(w.out, line...), "\n\n"...)
	case "event":
		w.name = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			w.id, w.hasID = string(value), true
		}
	case "retry":
		w.retry = string(value)
	case "data":
		if w.hasData {
			w.data = append(w.data, '\n')
		}
		w.data, w.hasData = append(w.data, value...), true
	}
}

// dispatch writes the event that is complete.
func (w *rewriter) dispatch() {
	start := len(w.out)
	if w.hasID {
		w.lastID = w.id
	}
	if ms, err := strconv.ParseUint(w.retry, 10, 31); err == nil {
		w.wait = time.Duration(ms) * time.Millisecond
	}
	if !w.legacy && !w.hidden {
		if w.hasID {
			w.write("id", []byte(w.id))
		}
		if w.retry != "" {
			w.write("retry", []byte(w.retry))
		}
	}
	if w.isMessage() || w.legacy && w.name == "endpoint" {
		w.writeData()
	}
	if len(w.out) > start {
		w.out = append(w.out, '\n')
	}
	if w.hasData || w.hasID {
		w.dispatched++
	}
	w.clear()
}

func (w *rewriter) isMessage() bool {
	return (w.name == "" || w.name == "message") && looksLikeJSON(w.data)
}

func (w *rewriter) writeData() {
	if w.name != "" {
		w.write("event", []byte(w.name))
	}
	data := w.data
	if w.mend != nil && looksLikeJSON(data) {
		data = w.mend(data)
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		w.write("data", line)
	}
}

func (w *rewriter) write(name string, value []byte) {
	w.out = append(w.out, name...)
	w.out = append(w.out, ": "...)
	w.out = append(w.out, value...)
	w.out = append(w.out, '\n')
}

// last is for a server that forgets the empty line after its last event. What was
// cut off in the middle is no message.
func (w *rewriter) last() {
	if len(w.line) > 0 {
		w.field(w.line)
		w.line = w.line[:0]
	}
	if w.hasData && isWhole(w.data) {
		w.dispatch()
	}
}

func (w *rewriter) clear() {
	w.name, w.id, w.retry = "", "", ""
	w.hasID, w.hasData = false, false
	w.data = emptied(w.data)
	w.line = emptied(w.line)
}

// reuse makes room, once out was read.
func (w *rewriter) reuse() { w.out, w.done = emptied(w.out), 0 }

// emptied is b for new content; one large event does not keep its memory.
func emptied(b []byte) []byte {
	if cap(b) > keepSize {
		return nil
	}
	return b[:0]
}

// isWhole says whether data is a message that is not cut off.
func isWhole(data []byte) bool { return looksLikeJSON(data) && jsontext.Valid(data) }
