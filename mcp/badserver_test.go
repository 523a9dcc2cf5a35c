package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"helve/mcp"
	"helve/mcp/internal/badserver"
	"helve/tool"
)

// secret is in each configuration, and may be in no error.
const secret = "hush-hush-4711"

// server is a badserver and how it is reached. It is used by one test.
type server struct {
	t       *testing.T
	record  *badserver.Record
	config  mcp.Config
	options mcp.Options
	over    *badserver.Server // HTTP only
	web     *httptest.Server
	client  *mcp.Client
}

func newServer(t *testing.T) *server {
	t.Helper()
	record, err := badserver.NewRecord()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { record.Close() })
	return &server{
		t: t, record: record,
		config: mcp.Config{
			Name: "bad", ConnectTimeout: 10 * time.Second, ListTimeout: 10 * time.Second,
			IdleTimeout: 10 * time.Second, Timeout: 20 * time.Second,
		},
		options: mcp.Options{AllowPrivate: true, Dir: t.TempDir()},
	}
}

// overStdio returns this program as a server with that fault.
func overStdio(t *testing.T, fault string) *server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	s.config.Command = self
	s.config.Env = map[string]mcp.Secret{
		badserver.EnvFault: mcp.Secret(fault), badserver.EnvRecord: mcp.Secret(s.record.Addr()),
		"API_KEY": secret,
		"GORACE":  "atexit_sleep_ms=0", // else each program takes a second to end
	}
	return s
}

// overHTTP returns a server in this process.
func overHTTP(t *testing.T, fault string) *server {
	t.Helper()
	s := newServer(t)
	s.over = badserver.Handler(fault, s.record)
	s.web = httptest.NewServer(s.over)
	t.Cleanup(func() {
		s.over.Close()
		s.web.CloseClientConnections()
		s.web.Close()
	})
	s.config.URL, s.config.APIKey = s.web.URL, secret
	if strings.Contains(fault, "rest") {
		s.config.Type = mcp.REST
	}
	return s
}

// overs are the ways to the same server.
var overs = map[string]func(t *testing.T, fault string) *server{
	"stdio":         overStdio,
	"stdio, modern": func(t *testing.T, f string) *server { return overStdio(t, f+"+discover") },
	"HTTP":          overHTTP,
	"HTTP, modern":  func(t *testing.T, f string) *server { return overHTTP(t, f+"+discover") },
	"SSE":           func(t *testing.T, f string) *server { return overHTTP(t, f+"+legacy-sse") },
}

// open makes the client, and closes it at the end of the test: then no process may be
// left.
func (s *server) open() *mcp.Client {
	s.t.Helper()
	client, err := s.start()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(s.close)
	return client
}

// start makes the client, which the caller closes.
func (s *server) start() (*mcp.Client, error) {
	client, err := mcp.New(s.config, s.options)
	s.client = client
	return client, err
}

// close may be called twice.
func (s *server) close() {
	if s.client == nil {
		return
	}
	if err := s.client.Close(); err != nil {
		s.t.Errorf("close: %v", err)
	}
	s.client = nil
	if err := s.record.Gone(within(s.t)); err != nil {
		s.t.Errorf("after Close: %v", err)
	}
}

// within is a context for what happens soon, if it ever does.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// tools returns the tools by the names that models know. An error has the server's name
// and no secret.
func (s *server) tools() (map[string]tool.Tool, error) {
	s.t.Helper()
	list, err := s.client.Tools(within(s.t))
	if err != nil {
		s.checkError(err)
		return nil, err
	}
	byName := map[string]tool.Tool{}
	for _, t := range list {
		d := t.Definition()
		if err := d.Check(); err != nil {
			s.t.Errorf("no provider takes it: %v", err)
		}
		if byName[d.Name] != nil {
			s.t.Errorf("two tools are named %s", d.Name)
		}
		byName[d.Name] = t
	}
	return byName, nil
}

// call calls a tool by the server's own name. An error is a *tool.Error, has the
// server's name and no secret.
func (s *server) call(ctx context.Context, name string, arguments any) (tool.Result, error) {
	s.t.Helper()
	tools, err := s.tools()
	if err != nil {
		return tool.Result{}, err
	}
	one := tools["bad__"+name]
	if one == nil {
		return tool.Result{}, fmt.Errorf("no tool bad__%s in a list of %d", name, len(tools))
	}
	return s.run(ctx, one, arguments)
}

func (s *server) run(ctx context.Context, one tool.Tool, arguments any) (tool.Result, error) {
	s.t.Helper()
	data, err := json.Marshal(arguments)
	if err != nil {
		s.t.Fatal(err)
	}
	if arguments == nil {
		data = []byte(`{}`)
	}
	result, err := one.Call(ctx, tool.Call{ID: "call-1", Name: one.Definition().Name, Arguments: data})
	if err == nil {
		return result, nil
	}
	s.checkError(err)
	var e *tool.Error
	if !errors.As(err, &e) {
		s.t.Errorf("%T is no *tool.Error: %v", err, err)
	}
	return result, err
}

// works calls echo.
func (s *server) works() {
	s.t.Helper()
	result, err := s.call(within(s.t), "echo", map[string]any{"text": "still here"})
	if err != nil {
		s.t.Errorf("echo: %s", whole(err))
		return
	}
	if got := result.Text(); got != "still here" {
		s.t.Errorf("echo: %.300q", got)
	}
}

func (s *server) checkError(err error) {
	s.t.Helper()
	text := whole(err)
	if !strings.Contains(text, "bad") {
		s.t.Errorf("which server? %s", text)
	}
	if strings.Contains(text, secret) || strings.Contains(text, badserver.EnvRecord+"="+s.record.Addr()) {
		s.t.Errorf("a secret is in an error: %s", text)
	}
}

// whole is all that an error says to the model, and to the host's log.
func whole(err error) string {
	var e *tool.Error
	if errors.As(err, &e) && e.Err != nil {
		return fmt.Sprintf("%v (%v)", err, e.Err)
	}
	return err.Error()
}

// match wants each pattern in text.
func match(t *testing.T, text string, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile(p).MatchString(text) {
			t.Errorf("%s does not match %.600q", p, text)
		}
	}
}

// healthy is another server that is used all the while until the function that it
// returns is called: whatever one server does, the others keep working.
func healthy(t *testing.T) (stop func()) {
	t.Helper()
	s := overHTTP(t, "json")
	s.open()
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			s.works()
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond): // it shares the processor with what is tested
			}
		}
	}()
	stop = sync.OnceFunc(func() {
		close(done)
		<-stopped
		s.works()
	})
	t.Cleanup(stop) // of a test that failed before
	return stop
}
