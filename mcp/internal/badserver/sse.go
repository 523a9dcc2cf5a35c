package badserver

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
)

// events is the one stream of the older HTTP. It tells the client where to post.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	ctx, cut := context.WithCancel(r.Context())
	defer cut()
	session := s.newMailbox()
	session.ctx, session.end = ctx, func(string) {
		cut()
		runtime.Goexit() // out of the call, which has a goroutine of its own
	}
	session.out = func(data raw) { // answers come this way too: none may be dropped
		select {
		case session.mail <- data:
		case <-ctx.Done():
		}
	}
	s.mu.Lock()
	s.last++
	id := fmt.Sprint(s.last)
	s.sessions[id] = session
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, id)
	}()
	stream := newEventStream(w)
	stream.event("endpoint", "/message?session="+id)
	stream.forward(ctx, session.mail)
}

// message takes a message of the older HTTP; its answer goes onto the stream.
func (s *Server) message(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	session := s.sessions[r.URL.Query().Get("session")]
	s.mu.Unlock()
	if session == nil {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	m, ok := readMessage(w, r)
	if !ok {
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if m.isRequest() {
		go session.begin(session.ctx, m, session.out)()
		return
	}
	session.take(m)
}
