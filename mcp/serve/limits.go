package serve

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Bounds of what a client may take its time for. A stream as such lasts as long as its
// client; each write to it does not.
const (
	bodyTimeout  = 30 * time.Second // for a whole request
	writeTimeout = 30 * time.Second // for one write
	restTimeout  = time.Second      // for what is left of a request that was refused
)

// limit gives what a client sends and reads a deadline, so that a connection on which
// nothing goes on ends. A refusal ends it at once: what is left of the request may
// never come.
func (s *Server) limit(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		body := &limitedBody{ReadCloser: r.Body, control: control, read: r.Body == nil || r.Body == http.NoBody}
		if !body.read {
			_ = control.SetReadDeadline(time.Now().Add(bodyTimeout)) // who can't has its own bounds
			r.Body = body
		}
		out := &limitedWriter{ResponseWriter: w, control: control, body: body, closing: s.closing}
		defer func() {
			if !body.read {
				_ = control.SetReadDeadline(time.Now().Add(restTimeout))
			}
			out.start() // of what net/http holds back
		}()
		defer context.AfterFunc(s.closing, out.hurry)()
		inner.ServeHTTP(out, r)
	})
}

// limitedBody lifts the deadline once all is read: a call may last longer.
type limitedBody struct {
	io.ReadCloser
	control *http.ResponseController
	read    bool
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF && !b.read {
		b.read = true
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// limitedWriter gives each write a deadline.
type limitedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	body    *limitedBody
	closing context.Context // of the server

	mu      sync.Mutex
	writing bool
}

// Unwrap is for [http.ResponseController].
func (w *limitedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *limitedWriter) WriteHeader(status int) {
	if status >= 400 && !w.body.read {
		w.Header().Set("Connection", "close")
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	defer w.start()()
	return w.ResponseWriter.Write(p)
}

func (w *limitedWriter) Flush() { _ = w.FlushError() }

func (w *limitedWriter) FlushError() error {
	defer w.start()()
	return w.control.Flush()
}

// start sets the deadline of a write, and what it returns lifts it: over HTTP/2 one that
// passes ends the stream, whether or not anything is being written.
func (w *limitedWriter) start() (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	most := writeTimeout
	if w.closing.Err() != nil {
		most = lastWrite
	}
	w.writing = true
	_ = w.control.SetWriteDeadline(time.Now().Add(most))
	return w.end
}

func (w *limitedWriter) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writing = false
	_ = w.control.SetWriteDeadline(time.Time{})
}

// hurry cuts a write short that goes on when the server closes.
func (w *limitedWriter) hurry() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writing {
		_ = w.control.SetWriteDeadline(time.Now().Add(lastWrite))
	}
}
