package badserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

const sessionHeader = "Mcp-Session-Id"

// maxBody is more than any test sends.
const maxBody = 8 << 20

// post takes one message of Streamable HTTP.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	m, ok := readMessage(w, r)
	if !ok {
		return
	}
	if m.Method == "server/discover" && s.fault.has("html-discover") {
		loginPage(w)
		return
	}
	session := s.sessionOf(w, r, m)
	switch {
	case session == nil:
		http.Error(w, "session not found", http.StatusNotFound)
	case !m.isRequest():
		session.take(m)
		w.WriteHeader(http.StatusAccepted)
	case s.answersJSON() && m.Method != "subscriptions/listen":
		s.postJSON(w, r, session, m)
	default:
		stream := newEventStream(w)
		session.begin(r.Context(), m, stream.send)()
	}
}

func (s *Server) answersJSON() bool {
	return slices.ContainsFunc([]string{"json", "gzip", "content-type", "stale"}, s.fault.has)
}

// postJSON answers with the last message alone: JSON has no room for the others.
func (s *Server) postJSON(w http.ResponseWriter, r *http.Request, session *session, m message) {
	var answer raw
	session.begin(r.Context(), m, func(data raw) { answer = data })()
	if answer == nil { // it was canceled
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.writeJSON(w, r, answer)
}

func readMessage(w http.ResponseWriter, r *http.Request) (m message, ok bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	if err != nil {
		http.Error(w, "not a message: "+err.Error(), http.StatusBadRequest)
		return m, false
	}
	return m, true
}

// sessionOf returns the session that a message belongs to: a new one for initialize, one
// for all that is modern, and nil if it is not known, or not any more.
func (s *Server) sessionOf(w http.ResponseWriter, r *http.Request, m message) *session {
	id := r.Header.Get(sessionHeader)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case m.Method == "initialize":
		s.last++
		id = fmt.Sprintf("session-%d", s.last)
		s.sessions[id] = s.newMailbox()
		w.Header().Set(sessionHeader, id)
	case id == "" && s.sessions[""] == nil:
		s.sessions[""] = s.newMailbox()
	}
	session := s.sessions[id]
	if session == nil || m.Method != "tools/call" {
		return session
	}
	if session.calls++; s.fault.has("session-lost") && id != "" && session.calls > s.fault.number("session-lost") {
		delete(s.sessions, id)
		return nil
	}
	return session
}

// newMailbox returns a session whose news wait for the stream of GET.
func (s *Server) newMailbox() *session {
	mail := make(chan raw, 100)
	session := s.newSession(func(data raw) {
		select {
		case mail <- data:
		default: // nobody listens
		}
	}, abort)
	session.mail = mail
	return session
}

// abort cuts the connection in the middle of an answer.
func abort(string) { panic(http.ErrAbortHandler) }

// stream is the GET that a server sends its own messages on.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	session := s.sessions[r.Header.Get(sessionHeader)]
	s.mu.Unlock()
	switch {
	case s.fault.has("get-405"):
		http.Error(w, "no stream here", http.StatusMethodNotAllowed)
		return
	case session == nil:
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	stream := newEventStream(w)
	if s.fault.has("get-closed") {
		return
	}
	stream.forward(r.Context(), session.mail)
}

// forget is the client's goodbye.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, r.Header.Get(sessionHeader))
	w.WriteHeader(http.StatusNoContent)
}

// eventStream is an answer of server-sent events. It is safe for concurrent use.
type eventStream struct {
	mu sync.Mutex
	w  http.ResponseWriter
}

// newEventStream sends the header at once.
func newEventStream(w http.ResponseWriter) *eventStream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	e := &eventStream{w: w}
	e.flush()
	return e
}

func (e *eventStream) send(data raw) { e.event("message", string(data)) }

func (e *eventStream) event(kind, data string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", kind, data)
	e.flush()
}

func (e *eventStream) flush() { _ = http.NewResponseController(e.w).Flush() } // a client that went away

// forward sends mail until the client goes away.
func (e *eventStream) forward(ctx context.Context, mail <-chan raw) {
	for {
		select {
		case data := <-mail:
			e.send(data)
		case <-ctx.Done():
			return
		}
	}
}
