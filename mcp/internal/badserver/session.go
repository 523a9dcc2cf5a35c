package badserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// session is one client's, over whichever transport.
type session struct {
	server  *Server
	out     func(raw)        // to the client, outside of any answer
	end     func(why string) // how this transport dies; it does not return
	program bool             // it is a process of its own

	mu      sync.Mutex
	running map[string]context.CancelFunc // by the id of the request
	asked   map[string]chan message       // by the id of our own request
	last    int
	calls   int             // guarded by the server's mutex
	mail    chan raw        // what out was given, over HTTP
	ctx     context.Context // of the stream, over the older HTTP
	listen  func(raw)       // where a modern client listens for news
	token   raw             // its request
}

func (s *Server) newSession(out func(raw), end func(string)) *session {
	return &session{server: s, out: out, end: end, running: map[string]context.CancelFunc{}, asked: map[string]chan message{}}
}

// begin takes note of a request, so that it can be canceled from now on, and returns
// what answers it. out takes all that belongs to the answer.
func (s *session) begin(ctx context.Context, m message, out func(raw)) (answer func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.running[string(m.ID)] = cancel
	s.mu.Unlock()
	return func() {
		defer cancel()
		s.answer(ctx, m, out)
		s.mu.Lock()
		delete(s.running, string(m.ID))
		s.mu.Unlock()
	}
}

// take handles what wants no answer: a notification, or the answer to what we asked.
func (s *session) take(m message) {
	if !m.isResponse() {
		s.notice(m)
		return
	}
	s.mu.Lock()
	waiting := s.asked[string(m.ID)]
	delete(s.asked, string(m.ID))
	s.mu.Unlock()
	if waiting != nil {
		waiting <- m
	}
}

// notice handles a notification.
func (s *session) notice(m message) {
	switch m.Method {
	case "notifications/initialized":
		s.started()
	case "notifications/cancelled":
		var p struct{ RequestID raw }
		_ = json.Unmarshal(m.Params, &p)
		s.mu.Lock()
		cancel := s.running[string(p.RequestID)]
		s.mu.Unlock()
		s.server.tell("canceled")
		if cancel != nil {
			cancel()
		}
	}
}

// started does what a server does when its client is ready.
func (s *session) started() {
	if s.server.fault.has("list-changed-burst") {
		for range 5 {
			s.server.add(&s.server.extra, 1)
			s.news("notifications/tools/list_changed")
		}
	}
	if s.server.fault.has("elicit-out-of-the-blue") {
		go func() {
			if m, err := s.ask(context.Background(), s.out, "elicitation/create", form("Out of the blue: your name?")); err == nil {
				s.server.tell("answered " + action(m))
			}
		}()
	}
}

// news tells the client of something by itself.
func (s *session) news(method string) {
	s.mu.Lock()
	listen, token := s.listen, s.token
	s.mu.Unlock()
	if listen != nil {
		listen(notification(method, map[string]any{"_meta": map[string]any{"io.modelcontextprotocol/subscriptionId": token}}))
		return
	}
	s.out(notification(method, map[string]any{}))
}

// answer handles a request.
func (s *session) answer(ctx context.Context, m message, out func(raw)) {
	reply := func(result, failure raw) {
		if m.Method == "initialize" || ctx.Err() == nil { // a canceled request has no answer
			for _, data := range s.server.fault.response(m, result, failure) {
				out(data)
			}
		}
	}
	f := s.server.fault
	switch m.Method {
	case "initialize":
		if f.has("hang") {
			<-ctx.Done()
			return
		}
		reply(s.hello(m), nil)
	case "server/discover":
		s.discover(ctx, reply)
	case "subscriptions/listen":
		s.subscribe(ctx, m, out)
	case "ping":
		reply(raw(`{}`), nil)
	case "tools/list":
		s.list(ctx, m, reply)
	case "tools/call":
		s.call(ctx, m, out, reply)
	default:
		reply(nil, failure(-32601, "method not found: "+m.Method))
	}
}

var about = map[string]any{"name": "badserver", "version": "1.0.0"}

var capabilities = map[string]any{"tools": map[string]any{"listChanged": true}, "logging": map[string]any{}}

// hello is the result of initialize: the version the client asked for, if it is one
// that has initialize.
func (s *session) hello(m message) raw {
	var p struct{ ProtocolVersion string }
	_ = json.Unmarshal(m.Params, &p)
	version := p.ProtocolVersion
	if version >= modern || version == "" {
		version = recent
	}
	return encode(map[string]any{"protocolVersion": version, "capabilities": capabilities, "serverInfo": about})
}

func (s *session) discover(ctx context.Context, reply func(result, failure raw)) {
	f := s.server.fault
	switch {
	case f.has("exit-on-discover"):
		s.end("unknown method server/discover")
	case f.has("hang-discover"):
		<-ctx.Done()
	case !f.has("discover"):
		reply(nil, failure(-32601, "method not found: server/discover"))
	default:
		reply(encode(map[string]any{
			"resultType": "complete", "supportedVersions": []string{modern, recent},
			"capabilities": capabilities, "serverInfo": about, "ttlMs": 0, "cacheScope": "private",
			"_meta": map[string]any{"io.modelcontextprotocol/serverInfo": about},
		}), nil)
	}
}

// subscribe is the long request that news travel on in the modern protocol.
func (s *session) subscribe(ctx context.Context, m message, out func(raw)) {
	out(notification("notifications/subscriptions/acknowledged", map[string]any{
		"_meta":         map[string]any{"io.modelcontextprotocol/subscriptionId": m.ID},
		"notifications": map[string]any{"toolsListChanged": true},
	}))
	s.mu.Lock()
	s.listen, s.token = out, m.ID
	s.mu.Unlock()
	s.started()
	<-ctx.Done()
	s.mu.Lock()
	s.listen = nil
	s.mu.Unlock()
}

// ask asks the client something, and waits for its answer.
func (s *session) ask(ctx context.Context, out func(raw), method string, params any) (message, error) {
	s.mu.Lock()
	s.last++
	id := encode(fmt.Sprintf("ask-%d", s.last))
	answer := make(chan message, 1)
	s.asked[string(id)] = answer
	s.mu.Unlock()
	out(encode(message{JSONRPC: "2.0", ID: id, Method: method, Params: encode(params)}))
	select {
	case m := <-answer:
		return m, nil
	case <-ctx.Done():
		return message{}, ctx.Err()
	case <-s.server.closed:
		return message{}, context.Canceled
	case <-time.After(time.Minute): // a client that never answers must not keep the test
		return message{}, context.DeadlineExceeded
	}
}

// form is the parameters of an elicitation.
func form(question string) map[string]any {
	return map[string]any{"mode": "form", "message": question, "requestedSchema": map[string]any{
		"type":       "object",
		"properties": json.RawMessage(`{"name":{"type":"string","title":"Your name"},"age":{"type":"integer"}}`), // in this order
		"required":   []string{"name"},
	}}
}

// action is what a person did, or the error that the client answered.
func action(m message) string {
	var result struct {
		Action  string
		Content map[string]any
	}
	if m.Error != nil {
		return "error " + string(m.Error)
	}
	_ = json.Unmarshal(m.Result, &result)
	if name, ok := result.Content["name"]; ok {
		return strings.TrimSpace(fmt.Sprint(result.Action, " ", name))
	}
	return result.Action
}
