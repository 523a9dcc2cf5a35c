package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type echoInput struct {
	Text  string `json:"text"`
	Steps int    `json:"steps,omitempty"`
}

// newMCP is a server with one tool, which echoes and reports its progress. Its
// sessions are closed at the end: a client that lost one does not say goodbye.
func newMCP(t testing.TB) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1"}, nil)
	t.Cleanup(func() {
		for session := range server.Sessions() {
			session.Close()
		}
	})
	sdk.AddTool(server, &sdk.Tool{Name: "echo"}, func(ctx context.Context, req *sdk.CallToolRequest, in echoInput) (*sdk.CallToolResult, any, error) {
		for i := range in.Steps {
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1)})
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Text}}}, nil, nil
	})
	return server
}

func serve(t testing.TB, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func connect(t testing.TB, r *Remote, client *sdk.Client, o *sdk.ClientSessionOptions) *sdk.ClientSession {
	t.Helper()
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: r.url.String(), HTTPClient: r.Client(), MaxEventSize: maxBody}, o)
	if err != nil {
		t.Fatal(r.Explain(err))
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func say(ctx context.Context, session *sdk.ClientSession, text string) (string, error) {
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: echoInput{Text: text}})
	if err != nil {
		return "", err
	}
	if len(result.Content) != 1 {
		return "", fmt.Errorf("%d blocks", len(result.Content))
	}
	return result.Content[0].(*sdk.TextContent).Text, nil
}

// The SDK's own client and server, in both eras and in every way they answer.
func TestSDK(t *testing.T) {
	t.Parallel()
	for _, stateless := range []bool{false, true} {
		for _, asJSON := range []bool{false, true} {
			for _, version := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
				t.Run(fmt.Sprintf("stateless=%v json=%v %s", stateless, asJSON, version), func(t *testing.T) {
					t.Parallel()
					mcp := newMCP(t)
					server := serve(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, &sdk.StreamableHTTPOptions{Stateless: stateless, JSONResponse: asJSON}))
					var mended atomic.Int32
					r := newRemote(t, server.URL, func(o *Options) {
						o.Mend = func(data []byte) []byte {
							if !json.Valid(data) {
								t.Errorf("not a message: %s", data)
							}
							mended.Add(1)
							return data
						}
					})
					var steps []float64
					arrived := make(chan float64, 100)
					client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
						ProgressNotificationHandler: func(_ context.Context, n *sdk.ProgressNotificationClientRequest) { arrived <- n.Params.Progress },
					})
					session := connect(t, r, client, &sdk.ClientSessionOptions{ProtocolVersion: version})
					if tools, err := session.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 1 {
						t.Fatalf("got %v, %v", tools, err)
					}
					const n = 20
					params := &sdk.CallToolParams{Name: "echo", Arguments: echoInput{Text: "北京", Steps: n}}
					params.SetProgressToken("p")
					ctx, outcome := Watch(t.Context())
					result, err := session.CallTool(ctx, params)
					if err != nil || result.Content[0].(*sdk.TextContent).Text != "北京" || outcome.NotRun() || outcome.Err() != nil {
						t.Fatalf("got %v, %v; %v", result, r.Explain(err), outcome.Err())
					}
					if asJSON {
						return // progress has no way then, but the stream of a session
					}
					for range n {
						steps = append(steps, <-arrived)
					}
					if !slices.IsSorted(steps) {
						t.Errorf("progress came as %v", steps)
					}
					if mended.Load() < n {
						t.Errorf("%d messages were mended", mended.Load())
					}
				})
			}
		}
	}
}

// The older SSE: the endpoint comes through, and the answers are mended.
func TestSDKOverSSE(t *testing.T) {
	t.Parallel()
	mcp := newMCP(t)
	ended := make(chan struct{}, 1)
	handler := sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return mcp }, nil)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("X-Key") != "k" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if req.Method == http.MethodGet {
			ctx, cancel := context.WithCancel(req.Context())
			defer cancel()
			go func() {
				select {
				case <-ended:
					cancel()
				case <-ctx.Done():
				}
			}()
			req = req.WithContext(ctx)
		}
		handler.ServeHTTP(w, req)
	}))
	r := newRemote(t, server.URL, func(o *Options) {
		o.Header = http.Header{"X-Key": {"k"}}
		o.Mend = func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), "secret", "mended")) }
	})
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.SSEClientTransport{Endpoint: server.URL, HTTPClient: r.SSEClient()}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(r.Explain(err))
	}
	if got, err := say(t.Context(), session, "secret"); err != nil || got != "mended" {
		t.Errorf("got %q, %v", got, err)
	}
	ended <- struct{}{} // the server closes the stream: nobody asks for it again
	if err := session.Wait(); err != nil {
		t.Errorf("the session ended with %v", err)
	}

	r = newRemote(t, server.URL, nil)
	_, err = client.Connect(t.Context(), &sdk.SSEClientTransport{Endpoint: server.URL, HTTPClient: r.SSEClient()}, nil)
	var status *StatusError
	if !errors.As(r.Explain(err), &status) || !status.NeedsAuth() {
		t.Errorf("without a key: %v", r.Explain(err))
	}
}

// front stands before a server and answers in its place where it wants to.
type front struct {
	next   http.Handler
	answer atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

func (f *front) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if answer := f.answer.Load(); answer != nil && (*answer)(w, req) {
		return
	}
	f.next.ServeHTTP(w, req)
}

func (f *front) set(answer func(http.ResponseWriter, *http.Request) bool) { f.answer.Store(&answer) }

// What a call failed of is found in the error that the SDK returns, and one refused
// call leaves the session alive.
func TestSDKCallFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request)
		want   string
		notRun bool
		typed  bool // the SDK keeps the error
		dies   bool // the SDK ends the session
	}{
		{"too large", status(http.StatusRequestEntityTooLarge), "413", false, true, false},
		{"too many", status(http.StatusTooManyRequests), "429", true, true, false},
		{"a gateway", status(http.StatusBadGateway), "502", false, true, false},
		{"method", status(http.StatusMethodNotAllowed), "405", true, true, false},
		{"login", status(http.StatusUnauthorized), "401", true, false, true},
		{"session", status(http.StatusNotFound), "404", true, false, true},
		{"session in 400", func(w http.ResponseWriter, req *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`)
		}, "No valid session ID", true, false, true},
		{"web page", body("text/html", "<title>Sign in</title>"), `a web page, "Sign in"`, false, true, false},
		{"no JSON", body("application/json", "{"), "something else than JSON", false, true, false},
		{"taken, no answer", status(http.StatusAccepted), "without the answer", false, true, false},
		{"connection lost", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF", false, true, false},
		{"stream lost", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "the connection was lost before the answer was whole", false, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			mcp := newMCP(t)
			f := &front{next: sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, nil)}
			r := newRemote(t, serve(t, f).URL, nil)
			session := connect(t, r, sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil), nil)
			f.set(func(w http.ResponseWriter, req *http.Request) bool {
				if req.Method == http.MethodPost {
					test.answer(w, req)
				}
				return req.Method == http.MethodPost
			})
			ctx, outcome := Watch(t.Context())
			_, err := say(ctx, session, "x")
			if err == nil || outcome.NotRun() != test.notRun {
				t.Fatalf("got error %v, not run %v", err, outcome.NotRun())
			}
			if errors.Is(err, sdk.ErrSessionMissing) != strings.HasPrefix(test.name, "session") {
				t.Errorf("got error %v", err)
			}
			var failure *RequestError
			if errors.As(err, &failure) != test.typed || !errors.As(outcome.Err(), &failure) {
				t.Errorf("got error %v, outcome %v", err, outcome.Err())
			}
			if text := outcome.Err().Error(); !strings.Contains(text, test.want) {
				t.Errorf("the outcome is %s", text)
			}
			// Where the SDK lost the failure and ends the session, Explain may already tell of
			// how that end went.
			if text := r.Explain(err).Error(); !strings.Contains(text, test.want) && (test.typed || !test.dies) {
				t.Errorf("explained as %s", text)
			}
			f.set(func(http.ResponseWriter, *http.Request) bool { return false })
			ctx, outcome = Watch(t.Context())
			if _, err := say(ctx, session, "x"); (err != nil) != test.dies {
				t.Errorf("the next call: %v", err)
			} else if test.dies && !outcome.NotRun() {
				t.Error("a call of a session that is closed may have run")
			}
		})
	}
}

func status(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func body(contentType, text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		fmt.Fprint(w, text)
	}
}

// An answer's stream breaks, and the server refuses to go on with it: that call is
// lost, and the session is not.
func TestSDKResumes(t *testing.T) {
	t.Parallel()
	mcp := newMCP(t)
	f := &front{next: sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, nil)}
	r := newRemote(t, serve(t, f).URL, nil)
	session := connect(t, r, sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil), &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	f.set(func(w http.ResponseWriter, req *http.Request) bool {
		switch {
		case req.Method == http.MethodPost:
			body("text/event-stream", "id: 1\nretry: 1\n\n")(w, req)
		case req.Header.Get("Last-Event-Id") != "":
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			return false
		}
		return true
	})
	ctx, outcome := Watch(t.Context())
	_, err := say(ctx, session, "x")
	if err == nil || outcome.NotRun() || !strings.Contains(r.Explain(err).Error(), "405 Method Not Allowed") {
		t.Errorf("got %v, not run %v", r.Explain(err), outcome.NotRun())
	}
	f.set(func(http.ResponseWriter, *http.Request) bool { return false })
	if got, err := say(t.Context(), session, "x"); err != nil || got != "x" {
		t.Errorf("the next call: got %q, %v", got, err)
	}
}

// A login page before the one request that a server doesn't know: the SDK goes on
// with the older handshake.
func TestSDKGoesOnAfterAWebPage(t *testing.T) {
	t.Parallel()
	mcp := newMCP(t)
	f := &front{next: sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, nil)}
	f.set(func(w http.ResponseWriter, req *http.Request) bool {
		found := req.Header.Get("Mcp-Method") == "server/discover"
		if found {
			body("text/html", "<title>Sign in</title>")(w, req)
		}
		return found
	})
	r := newRemote(t, serve(t, f).URL, nil)
	session := connect(t, r, sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil), nil)
	if v := session.InitializeResult().ProtocolVersion; v != "2025-11-25" {
		t.Errorf("it speaks %s", v)
	}
}

func TestHTTP2(t *testing.T) {
	t.Parallel()
	mcp := newMCP(t)
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, nil)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.ProtoMajor != 2 {
			t.Errorf("%s came by %s", req.Method, req.Proto)
		}
		handler.ServeHTTP(w, req)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	r := newRemote(t, server.URL, nil)
	r.transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	changed := make(chan struct{}, 10)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} },
	})
	session := connect(t, r, client, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	ctx, outcome := Watch(t.Context())
	if got, err := say(ctx, session, "x"); err != nil || got != "x" || outcome.NotRun() {
		t.Errorf("got %q, %v", got, err)
	}
	sdk.AddTool(mcp, &sdk.Tool{Name: "new"}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, any, error) {
		return nil, nil, nil
	})
	<-changed // by the server's own stream
}
