package badserver

import (
	"net/http"
	"sync"
)

// The versions of the protocol that it speaks.
const (
	modern = "2026-07-28"
	recent = "2025-11-25"
)

// Server is the server, whichever its transport. As an [http.Handler] it is safe for
// concurrent use.
type Server struct {
	fault  fault
	tell   func(event string)
	closed chan struct{}
	odd    []raw // the definitions of tools that a fault adds

	mu       sync.Mutex
	sessions map[string]*session // of HTTP
	last     int                 // number of a session
	lists    int                 // complete answers to tools/list
	counter  int
	extra    int // tools that a burst added
	headers  []http.Header
	route    *http.ServeMux
}

// Handler returns a server for HTTP with that fault, which writes into record. Close it
// before the http.Server it is in: that ends the streams that clients left open.
func Handler(words string, record *Record) *Server {
	s := newServer(parse(words), record.add)
	s.route = s.routes()
	return s
}

func newServer(f fault, tell func(string)) *Server {
	return &Server{fault: f, tell: tell, closed: make(chan struct{}), odd: oddTools(f), sessions: map[string]*session{}}
}

// Close ends all streams.
func (s *Server) Close() { close(s.closed) }

// Headers returns the headers of all requests so far.
func (s *Server) Headers() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]http.Header(nil), s.headers...)
}

// add counts one of the server's numbers, and returns what it is now.
func (s *Server) add(n *int, by int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n += by
	return *n
}
