package serve

import (
	"bytes"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// timed is a connection's deadlines, as net/http's writer sets them.
type timed struct {
	http.ResponseWriter
	read, write []time.Time
	buf         bytes.Buffer
	header      http.Header
	status      int
}

func (w *timed) Header() http.Header         { return w.header }
func (w *timed) WriteHeader(status int)      { w.status = status }
func (w *timed) Write(p []byte) (int, error) { return w.buf.Write(p) }
func (w *timed) FlushError() error           { return nil }
func (w *timed) SetReadDeadline(t time.Time) error {
	w.read = append(w.read, t)
	return nil
}

func (w *timed) SetWriteDeadline(t time.Time) error {
	w.write = append(w.write, t)
	return nil
}

// TestDeadlines follows the deadlines of a connection through a request.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := quietServer()
		defer s.Close()
		now := time.Now()
		equal := func(what string, got []time.Time, want ...time.Time) {
			t.Helper()
			if len(got) != len(want) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
			for i := range want {
				if !got[i].Equal(want[i]) {
					t.Errorf("%s: %v, want %v", what, got, want)
				}
			}
		}
		for _, refused := range []bool{false, true} {
			w := &timed{header: http.Header{}}
			r, _ := http.NewRequest("POST", "/", strings.NewReader("x"))
			s.limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if refused {
					http.Error(w, "no", http.StatusUnauthorized)
					return
				}
				var b bytes.Buffer
				_, _ = b.ReadFrom(r.Body)
				_, _ = w.Write(b.Bytes())
				_ = http.NewResponseController(w).Flush()
			})).ServeHTTP(w, r)
			set := now.Add(30 * time.Second)
			if refused {
				equal("read", w.read, set, now.Add(time.Second))
				equal("write", w.write, set, time.Time{}, set)
			} else {
				equal("read", w.read, set, time.Time{})
				equal("write", w.write, set, time.Time{}, set, time.Time{}, set)
			}
			if closes := w.header.Get("Connection") == "close"; closes != refused {
				t.Errorf("refused %t: Connection: %q", refused, w.header.Get("Connection"))
			}
		}
	})
}

// TestRefusedBeforeTheBody has clients that may not come in, and take their time with
// what they send: they hear so at once.
func TestRefusedBeforeTheBody(t *testing.T) {
	t.Parallel()
	s := quietServer()
	handler, err := s.Handler(HTTP{Tokens: []Secret{"right"}})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener)
	}()
	defer func() { server.Close(); <-ended; s.Close() }()
	for _, header := range []string{"Accept: */*", "Origin: https://evil.example.com"} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = conn.Write([]byte("POST / HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\nContent-Length: 100\r\n\r\n{"))
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		var answer bytes.Buffer
		if _, err := answer.ReadFrom(conn); err != nil { // to the end of the connection
			t.Errorf("%s: %v", header, err)
		}
		if got := answer.String(); !strings.HasPrefix(got, "HTTP/1.1 40") || !strings.Contains(got, "Connection: close") {
			t.Errorf("%s: %s", header, got)
		}
	}
}
