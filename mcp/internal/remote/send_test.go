package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

func TestRedirects(t *testing.T) {
	t.Parallel()
	elsewhere := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("another origin was asked: %s %v", r.Method, r.Header)
	})
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		var status, left int
		switch n, _ := fmt.Sscanf(r.URL.Path, "/%d/%d", &status, &left); {
		case n == 2 && left == 0:
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"method":%q,"body":%q,"key":%q}`, r.Method, body, r.Header.Get("X-Key"))
		case n == 2:
			http.Redirect(w, r, fmt.Sprintf("/%d/%d", status, left-1), status)
		case n == 1:
			http.Redirect(w, r, elsewhere.URL+"/mcp?code=s3cret", status)
		}
	})
	r := newRemote(t, server.URL, func(o *Options) { o.Header = http.Header{"X-Key": {"k"}} })
	for _, test := range []struct{ path, want string }{
		{"/307/0", `{"method":"POST","body":` + fmt.Sprintf("%q", call) + `,"key":"k"}`},
		{"/307/1", `{"method":"POST","body":` + fmt.Sprintf("%q", call) + `,"key":"k"}`},
		{"/308/5", `{"method":"POST","body":` + fmt.Sprintf("%q", call) + `,"key":"k"}`},
		{"/308/6", "more than 5 times"},
		{"/301/1", "in a way that loses the message"},
		{"/302/1", "in a way that loses the message"},
		{"/303/1", "in a way that loses the message"},
		{"/301/", "another origin, " + elsewhere.URL + "/mcp, which is not followed"},
		{"/307/", "another origin, " + elsewhere.URL + "/mcp, which is not followed"},
		{"/308/", "another origin, " + elsewhere.URL + "/mcp, which is not followed"},
	} {
		ctx, outcome := Watch(t.Context())
		response, err := r.Client().Do(newPost(t, server.URL+test.path, call).WithContext(ctx))
		if err != nil {
			explained := r.Explain(err).Error()
			if !strings.Contains(explained, test.want) || strings.Contains(explained, "s3cret") || !outcome.NotRun() {
				t.Errorf("%s: got %q, not run %v", test.path, explained, outcome.NotRun())
			}
			continue
		}
		got, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(got) != test.want || outcome.NotRun() {
			t.Errorf("%s: got %s, %v", test.path, got, err)
		}
	}
	if _, err := r.Client().Do(newGet(t, server.URL+"/302/")); err == nil || !strings.Contains(err.Error(), "another origin") {
		t.Errorf("GET: got error %v", err)
	}
}

// An older server names its endpoint itself.
func TestOtherOriginIsNotAsked(t *testing.T) {
	t.Parallel()
	elsewhere := newServer(t, func(w http.ResponseWriter, r *http.Request) { t.Error("another origin was asked") })
	r := newRemote(t, "http://127.0.0.1:1/sse", func(o *Options) { o.Header = http.Header{"Authorization": {"Bearer k"}} })
	for _, client := range []*http.Client{r.Client(), r.SSEClient()} {
		_, err := client.Do(newPost(t, elsewhere.URL, call))
		var failure *RequestError
		if !errors.As(err, &failure) || !failure.NotRun || !strings.Contains(err.Error(), "another origin") {
			t.Errorf("got error %v", err)
		}
	}
}

// rawServer answers each connection with serve, which returns when it is done.
func rawServer(t *testing.T, serve func(number int32, c net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := int32(1); ; n++ {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			serve(n, c)
			c.Close()
		}
	}()
	t.Cleanup(func() { listener.Close(); <-ended })
	return "http://" + listener.Addr().String()
}

func readRequest(t *testing.T, c net.Conn) {
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, req.Body)
}

func TestNotRun(t *testing.T) {
	t.Parallel()
	refusing := "http://" + closedPort(t)
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	t.Cleanup(tls.Close)
	dies := rawServer(t, func(_ int32, c net.Conn) { readRequest(t, c) })
	cut := rawServer(t, func(_ int32, c net.Conn) {
		readRequest(t, c)
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	})
	for _, test := range []struct {
		name, url string
		notRun    bool
		want      string
	}{
		{"refused", refusing, true, "connection refused"},
		{"no such name", "http://no-such-name.invalid/", true, "no-such-name.invalid"},
		{"TLS", strings.Replace(tls.URL, "127.0.0.1", "localhost", 1), true, "certificate"},
		{"dies after the request", dies, false, "EOF"},
		{"dies in the answer", cut, false, "the connection was lost before the answer was whole"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRemote(t, test.url, nil)
			ctx, outcome := Watch(t.Context())
			_, err := r.Client().Do(newPost(t, test.url, call).WithContext(ctx))
			var failure *RequestError
			if !errors.As(err, &failure) || failure.NotRun != test.notRun || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got error %v", err)
			}
			if outcome.NotRun() != test.notRun || outcome.Err() != error(failure) {
				t.Errorf("outcome: not run %v, %v", outcome.NotRun(), outcome.Err())
			}
		})
	}
}

func closedPort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestGivingUpBeforeTheConnectionIsNotRun(t *testing.T) {
	t.Parallel()
	r := newRemote(t, "http://127.0.0.1:1/", nil)
	r.transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithCancel(t.Context())
	ctx, outcome := Watch(ctx)
	cancel()
	if _, err := r.Client().Do(newPost(t, r.url.String(), call).WithContext(ctx)); !errors.Is(err, context.Canceled) || !outcome.NotRun() {
		t.Errorf("got error %v, not run %v", err, outcome.NotRun())
	}
}

// A connection goes stale: the server takes the second request on it and closes. A
// call may have run; what only looks is asked again.
func TestStaleConnection(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]bool{"tools/call": false, "initialize": false, "server/discover": true, "tools/list": true} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			server := rawServer(t, func(number int32, c net.Conn) {
				in := bufio.NewReader(c)
				for {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					if requests.Add(1) == 2 {
						return
					}
					io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
				}
			})
			r := newRemote(t, server, nil)
			ask := func() error {
				response, err := r.Client().Do(newPost(t, server, `{"jsonrpc":"2.0","id":7,"method":"`+method+`"}`))
				if err == nil {
					response.Body.Close()
				}
				return err
			}
			if err := ask(); err != nil {
				t.Fatal(err)
			}
			err := ask()
			var failure *RequestError
			if (err == nil) != want || errors.As(err, &failure) && failure.NotRun {
				t.Errorf("got error %v", err)
			}
			if n := requests.Load(); n != 2 && !want || n != 3 && want {
				t.Errorf("%d requests", n)
			}
			r.Close()
		})
	}
}
