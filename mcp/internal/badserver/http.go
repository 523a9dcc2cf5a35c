package badserver

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// ServeHTTP implements [http.Handler]. Faults that need no protocol are here.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.headers = append(s.headers, r.Header.Clone())
	s.mu.Unlock()
	s.tell("request " + r.Method + " " + r.URL.Path)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-s.closed:
			cancel()
		case <-ctx.Done():
		}
	}()
	r = r.WithContext(ctx)
	f := s.fault
	switch {
	case f.has("status"):
		refuseHTTP(w, f.number("status"))
	case f.has("key") && r.Header.Get("Authorization") != "Bearer "+f["key"] && r.Header.Get("X-Api-Key") != f["key"]:
		refuseHTTP(w, http.StatusUnauthorized)
	case f.has("html"):
		loginPage(w)
	case f.has("redirect-302"):
		http.Redirect(w, r, f["redirect-302"], http.StatusFound)
	case f.has("redirect-307"):
		http.Redirect(w, r, f["redirect-307"], http.StatusTemporaryRedirect)
	case f.has("redirect-same") && r.URL.Path != "/moved":
		http.Redirect(w, r, "/moved", http.StatusTemporaryRedirect)
	case f.has("slow-headers") && r.Method == http.MethodPost:
		_, _ = io.Copy(io.Discard, r.Body) // else nobody sees the client go
		<-ctx.Done()
	default:
		s.route.ServeHTTP(w, r)
	}
}

// routes are those of the one form of the protocol that the server speaks.
func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	switch {
	case s.fault.has("rest"):
		mux.HandleFunc("GET /", s.schemas)
		mux.HandleFunc("POST /execute", s.execute)
	case s.fault.has("legacy-sse"):
		mux.HandleFunc("GET /", s.events)
		mux.HandleFunc("POST /message", s.message)
	default:
		mux.HandleFunc("GET /", s.stream)
		mux.HandleFunc("POST /", s.post)
		mux.HandleFunc("DELETE /", s.forget)
	}
	return mux
}

// refuseHTTP answers as servers do that want a key, or are down.
func refuseHTTP(w http.ResponseWriter, status int) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="badserver", error="invalid_token", error_description="the key is not known here"`)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, "status %d: the gate is closed\n", status)
}

func loginPage(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html><title>Please sign in</title><form><input name=user></form>\n")
}

// writeJSON answers one JSON value, if need be in a strange wrapping.
func (s *Server) writeJSON(w http.ResponseWriter, r *http.Request, data raw) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	switch {
	case s.fault.has("stale"):
		s.once(w, data)
		return
	case s.fault.has("content-type"):
		h.Set("Content-Type", "text/plain")
	case s.fault.has("gzip"):
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(data) // a bytes.Buffer takes all
		_ = z.Close()
		h.Set("Content-Encoding", "gzip")
		data = b.Bytes()
	}
	_, _ = w.Write(data) // a client that went away does not need it
}

// once answers so that the client keeps the connection, and cuts it when the next
// request comes: what a proxy with little patience does.
func (s *Server) once(w http.ResponseWriter, data raw) {
	c, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	var head strings.Builder
	_ = w.Header().Write(&head) // a strings.Builder takes all
	fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s", head.String(), len(data), data)
	go func() {
		defer c.Close()
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			select {
			case <-s.closed:
				c.Close()
			case <-stop:
			}
		}()
		_, _ = buffered.ReadByte() // the next request, or the end
	}()
}
