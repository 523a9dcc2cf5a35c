package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The server's own stream is closed again and again, as by a proxy; the session
// lives, and each change of the tools arrives.
func TestKeeperOutlivesTheSDK(t *testing.T) {
	t.Parallel()
	mcp := newMCP(t)
	var opened atomic.Int32
	cut := make(chan context.CancelFunc, 1)
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, nil)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodGet {
			ctx, cancel := context.WithCancel(req.Context())
			defer cancel()
			opened.Add(1)
			req = req.WithContext(ctx)
			w = &announced{w, func() { cut <- cancel }}
		}
		handler.ServeHTTP(w, req)
	}))
	changed := make(chan struct{}, 10)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} },
	})
	r := newRemote(t, server.URL, nil)
	session := connect(t, r, client, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	for range 10 {
		(<-cut)()
	}
	cancel := <-cut // the stream is open again
	mcp.AddTool(&sdk.Tool{Name: "new", InputSchema: map[string]any{"type": "object"}}, nil)
	<-changed
	if got, err := say(t.Context(), session, "still here"); err != nil || got != "still here" || opened.Load() != 11 {
		t.Errorf("got %q, %v after %d streams", got, err, opened.Load())
	}
	session.Close()
	cancel()
}

// announced says when the answer has begun.
type announced struct {
	http.ResponseWriter
	begun func()
}

func (a *announced) WriteHeader(status int) {
	a.ResponseWriter.WriteHeader(status)
	a.begun()
}

func (a *announced) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// A stream breaks and goes on at another one: the server is asked for what comes
// after the last event that was complete, and the SDK sees no id.
func TestKeeperResumes(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	var streams atomic.Int32
	server := newServer(t, func(w http.ResponseWriter, req *http.Request) {
		asked <- req.Header.Get("Last-Event-Id") + " " + req.Header.Get("Mcp-Session-Id") + " " + req.Header.Get("X-Key")
		w.Header().Set("Content-Type", "text/event-stream")
		switch n := streams.Add(1); n {
		case 1:
			io.WriteString(w, "id: a\n\nid: b\ndata: {\"n\":1}\n\nid: c\ndata: {\"n\"")
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			io.WriteString(w, "id: c\nretry: 3\ndata: {\"n\":2}\n\n")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		default:
			fmt.Fprintf(w, "data: {\"n\":%d}\n\n", n-1)
		}
	})
	r := newRemote(t, server.URL, func(o *Options) {
		o.Header = http.Header{"X-Key": {"k"}}
		o.Mend = func(data []byte) []byte { return append(data, ' ') }
	})
	req := newGet(t, server.URL)
	req.Header.Set("Mcp-Session-Id", "s")
	response, err := r.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	const want = "data: {\"n\":1} \n\ndata: {\"n\":2} \n\ndata: {\"n\":3} \n\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(response.Body, got); err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
	for _, want := range []string{" s k", "b s k", "b s k", "c s k"} {
		if got := <-asked; got != want {
			t.Errorf("the server was asked with %q, want %q", got, want)
		}
	}
	response.Body.Close()
	if n, err := response.Body.Read(got); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("closed: got %d bytes, %v", n, err)
	}
	if err := r.Explain(errors.New("x")); strings.Contains(err.Error(), server.URL) {
		t.Errorf("a broken stream is no failure: %v", err)
	}
}

// What the keeper does with each answer: to the first, and to one on a reconnect.
func TestKeeperAnswers(t *testing.T) {
	t.Parallel()
	const noSession = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`
	for _, test := range []struct {
		status  int
		session bool
		body    string
		first   int   // what the SDK gets; 200 is a stream
		later   error // how the stream ends; context.Canceled is: it doesn't
	}{
		{405, true, "", 405, context.Canceled},
		{405, false, "", 405, context.Canceled},
		{400, true, "no", 400, context.Canceled},
		{400, true, noSession, 404, io.EOF},
		{400, false, noSession, 400, context.Canceled},
		{404, false, "", 404, context.Canceled},
		{404, true, "", 404, io.EOF},
		{401, false, "", 401, io.EOF},
		{403, true, "", 403, io.EOF},
		{200, true, "<html>", 200, context.Canceled},
		{500, true, "", 200, context.Canceled},
		{429, true, "", 200, context.Canceled},
	} {
		t.Run(fmt.Sprint(test.status, test.session, test.body), func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{}, 1000)
			streams := 1
			server := newServer(t, func(w http.ResponseWriter, req *http.Request) {
				if req.URL.Path == "/later" && streams > 0 {
					streams--
					w.Header().Set("Content-Type", "text/event-stream")
					return
				}
				w.Header().Set("Content-Type", "text/html")
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
				asked <- struct{}{}
			})
			r := newRemote(t, server.URL, nil)
			get := func(path string) *http.Response {
				req := newGet(t, server.URL+path)
				if test.session {
					req.Header.Set("Mcp-Session-Id", "s")
				}
				response, err := r.Client().Do(req)
				if err != nil {
					t.Fatal(err)
				}
				return response
			}
			first := get("/first")
			if first.StatusCode != test.first {
				t.Errorf("first: the SDK gets %d, want %d", first.StatusCode, test.first)
			}
			if test.first == test.status {
				if body, _ := io.ReadAll(first.Body); string(body) != test.body {
					t.Errorf("first: the SDK gets %q", body)
				}
			}
			first.Body.Close()
			<-asked

			later := get("/later")
			if errors.Is(test.later, context.Canceled) {
				go func() { <-asked; later.Body.Close() }()
			}
			if _, err := later.Body.Read(make([]byte, 10)); !errors.Is(err, test.later) {
				t.Errorf("later: got %v, want %v", err, test.later)
			}
			later.Body.Close()
		})
	}
}

// The rest of a broken answer, which is the SDK's to ask for: what it can't act on
// must not end the session.
func TestResume(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]int{200: 200, 401: 401, 403: 403, 404: 404, 400: 200, 405: 200, 503: 0, 429: 0} {
		server := newServer(t, func(w http.ResponseWriter, req *http.Request) {
			if id := req.Header.Get("Last-Event-Id"); id != "7" {
				t.Errorf("asked for what comes after %q", id)
			}
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(status)
			io.WriteString(w, "id: 8\ndata: {}\n\n")
		})
		r := newRemote(t, server.URL, nil)
		req := newGet(t, server.URL)
		req.Header.Set("Last-Event-Id", "7")
		response, err := r.Client().Do(req)
		var failure *RequestError
		if err != nil {
			if want != 0 || !errors.As(err, &failure) {
				t.Errorf("%d: got error %v", status, err)
			}
			continue
		}
		got, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != want || (status == 200) != (string(got) == "id: 8\ndata: {}\n\n") && want == 200 {
			t.Errorf("%d: the SDK gets %d %q", status, response.StatusCode, got)
		}
	}
}

// A server that can't be reached just now gets a promise: the SDK would wait for it,
// and then end the session.
func TestKeeperPromises(t *testing.T) {
	t.Parallel()
	server := newServer(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {}\n\n")
	})
	r := newRemote(t, server.URL, nil)
	dial := r.transport.DialContext
	var dials atomic.Int32
	r.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if dials.Add(1) < 3 {
			return nil, errors.New("no route")
		}
		return dial(ctx, network, address)
	}
	response, err := r.Client().Do(newGet(t, server.URL))
	if err != nil || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("got %v, %v", response, err)
	}
	got := make([]byte, len("data: {}\n\n"))
	if _, err := io.ReadFull(response.Body, got); err != nil || string(got) != "data: {}\n\n" {
		t.Errorf("got %q, %v", got, err)
	}
	response.Body.Close()
}

func TestCloseEndsTheKeeper(t *testing.T) {
	t.Parallel()
	server := newServer(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-req.Context().Done()
	})
	r := newRemote(t, server.URL, nil)
	response, err := r.Client().Do(newGet(t, server.URL))
	if err != nil {
		t.Fatal(err)
	}
	go r.Close()
	if _, err := response.Body.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	response.Body.Close()
}

// Between two streams it waits ever longer, to half a minute; a stream that brought
// something, or lasted, begins anew; the server's own wish counts.
func TestKeeperWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pipes := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
		var times []time.Time
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			times = append(times, time.Now())
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			switch len(times) {
			case 13: // after 12 streams of nothing
				io.WriteString(w, "data: {}\n\n")
			case 15:
				io.WriteString(w, "retry: 9000\ndata: {}\n\n")
			case 17:
				time.Sleep(time.Minute)
			}
		})}
		go func() { _ = server.Serve(pipes) }()
		defer server.Close()
		r := newRemote(t, "http://127.0.0.1:1/", nil)
		r.minDelay, r.maxDelay = 200*time.Millisecond, 30*time.Second
		r.transport.DialContext = pipes.dial
		defer r.Close()
		response, err := r.Client().Do(newGet(t, r.url.String()))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = io.Copy(io.Discard, response.Body)
		}()
		time.Sleep(30 * time.Minute)
		r.Close()
		synctest.Wait()
		if len(times) < 20 {
			t.Fatalf("%d streams", len(times))
		}
		waits := map[int]time.Duration{ // after stream number …, counted from 1
			1: 200 * time.Millisecond, 2: 400 * time.Millisecond, 6: 6400 * time.Millisecond, 9: 30 * time.Second, 12: 30 * time.Second,
			13: 200 * time.Millisecond, 14: 400 * time.Millisecond, 15: 9 * time.Second, 16: 18 * time.Second, 17: time.Minute + 200*time.Millisecond,
		}
		for after, want := range waits {
			base := want
			var slept time.Duration
			if base > time.Minute {
				slept, base = time.Minute, base-time.Minute
			}
			if got := times[after].Sub(times[after-1]) - slept; got < base/2 || got > base*3/2 {
				t.Errorf("after stream %d it waited %v, want about %v", after, got, base)
			}
		}
	})
}

// pipeListener accepts connections in memory.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
