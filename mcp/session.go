//lint:file-ignore SA1019 What 2026-07-28 deprecates, servers of every version still use.

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/internal/excerpt"
	"helve/mcp/internal/mend"
	"helve/tool"
)

// What one list may cost.
const (
	maxPages     = 100
	maxTools     = 2000
	maxListBytes = 8 << 20
)

// session is a link that speaks the Model Context Protocol.
type session struct {
	client  *Client
	sdk     *sdk.ClientSession
	carrier carrier
	life    context.Context // of the calls
	end     context.CancelFunc
	gone    chan struct{}
	shut    sync.Once

	mu    sync.Mutex
	last  uint64
	calls map[string]*waiting // by their progress tokens
	quiet chan struct{}       // closed when the last call ended after close began; nil before
}

// carrier is what a session runs on.
type carrier interface {
	transport() sdk.Transport
	explain(error) error
	watch(context.Context) (context.Context, func(error) (ran bool))
	release(cancel func()) // of a call that was answered
	stray() int
	close()
}

// open begins a session on a carrier, and closes that if it fails. Version is the
// protocol to begin with.
func (c *Client) open(ctx context.Context, on carrier, version string) (*session, error) {
	s := &session{client: c, carrier: on, gone: make(chan struct{}), calls: map[string]*waiting{}}
	s.life, s.end = context.WithCancel(c.life)
	client := sdk.NewClient(implementation, s.options())
	var refused error
	client.AddSendingMiddleware(hurryDiscovery(&refused))
	// Not ctx: an SSE session ends with the context that it was made in.
	stop := context.AfterFunc(ctx, s.end)
	connected, err := client.Connect(s.life, on.transport(), &sdk.ClientSessionOptions{ProtocolVersion: version})
	if !stop() || err != nil {
		if connected != nil {
			go connected.Close()
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if needsAuth(refused) {
			err = refused
		}
		err = on.explain(err)
		on.close()
		s.end()
		return nil, err
	}
	s.sdk = connected
	c.running.Go(func() {
		_ = connected.Wait() // why it ended, the carrier knows
		s.close()
	})
	return s, nil
}

var implementation = &sdk.Implementation{Name: "helve", Version: "1"}

// discoveryTimeout is how long a server of an older protocol may ignore the newest
// one's first question.
const discoveryTimeout = 3 * time.Second

// hurryDiscovery lets the SDK go on to the older handshake where a server does not
// answer what it does not know. It keeps why the question was refused: a server of the
// newest protocol alone that wants a login says so there, and to the older handshake that
// it does not understand.
func hurryDiscovery(refused *error) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method != "server/discover" {
				return next(ctx, method, req)
			}
			ctx, stop := context.WithTimeout(ctx, discoveryTimeout)
			defer stop()
			result, err := next(ctx, method, req)
			*refused = err
			return result, err
		}
	}
}

// options tells the server what the host can do, and hands on what it says. A handler
// must not wait: the SDK runs one after the other.
func (s *session) options() *sdk.ClientOptions {
	c := s.client
	o := &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			select {
			case c.relist <- struct{}{}:
			default: // somebody said so already
			}
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			if w := s.waitingFor(r.Params.ProgressToken); w != nil {
				w.progress(tool.Progress{Done: r.Params.Progress, Total: r.Params.Total, Note: excerpt.Of(r.Params.Message, 1<<10)})
			}
		},
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { c.logged(r.Params) },
	}
	if c.options.Elicitation && c.config.Elicitation == Ask {
		o.Capabilities.Elicitation = &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}}
		o.ElicitationHandler = func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			if w := s.asking(ctx); w != nil {
				return elicit(ctx, w, c.config.Name, r.Params)
			}
			return &sdk.ElicitResult{Action: string(tool.Decline)}, nil
		}
	}
	if c.options.Sampling && c.config.Sampling == Ask {
		o.CreateMessageHandler = func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			if w := s.asking(ctx); w != nil {
				return sample(ctx, w, r.Params)
			}
			return nil, errors.New("nobody called a tool of this server")
		}
	}
	return o
}

// waitingFor returns the call that a progress token is of.
func (s *session) waitingFor(token any) *waiting {
	name, _ := token.(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[name]
}

// asking returns the call during which a server asks: in the newest protocol the one
// that ctx is of, before it the one that was sent last.
func (s *session) asking(ctx context.Context) *waiting {
	if w, ok := ctx.Value(waitingKey{}).(*waiting); ok {
		return w
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := s.last; n > 0 && len(s.calls) > 0; n-- {
		if w := s.calls[token(n)]; w != nil {
			return w
		}
	}
	return nil
}

type waitingKey struct{}

func token(n uint64) string { return fmt.Sprintf("helve-%d", n) }

// list reads all pages.
func (s *session) list(ctx context.Context) ([]json.RawMessage, error) {
	var all []json.RawMessage
	seen, size, cursor := map[string]bool{}, 0, ""
	for range maxPages {
		page, err := s.sdk.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			raw, err := rawTool(t)
			if err != nil {
				return nil, err
			}
			size += len(raw)
			if len(all) == maxTools || size > maxListBytes {
				s.client.log.Warn("mcp server has more tools than are read", "read", len(all), "most", maxTools, "most_bytes", maxListBytes)
				return all, nil
			}
			all = append(all, raw)
		}
		if cursor = page.NextCursor; cursor == "" {
			return all, nil
		}
		if seen[cursor] {
			s.client.log.Warn("mcp server lists its tools in a circle: the first round counts", "tools", len(all))
			return all, nil
		}
		seen[cursor] = true
	}
	s.client.log.Warn("mcp server lists its tools without an end: the first pages count", "pages", maxPages, "tools", len(all))
	return all, nil
}

// rawTool is a tool as the server wrote it.
func rawTool(t *sdk.Tool) (json.RawMessage, error) {
	if raw, ok := t.Meta[mend.RawTool].(string); ok {
		return json.RawMessage(raw), nil
	}
	return json.Marshal(t)
}

// enter notes a call, and returns its progress token; "" where the session is closing.
func (s *session) enter(w *waiting) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quiet != nil {
		return ""
	}
	s.last++
	progress := token(s.last)
	s.calls[progress] = w
	return progress
}

func (s *session) leave(progress string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, progress)
	if s.quiet != nil && len(s.calls) == 0 {
		close(s.quiet)
	}
}

// call sends a call and waits for its answer.
func (s *session) call(name string, w *waiting) (tool.Result, error) {
	progress := s.enter(w)
	if progress == "" {
		return tool.Result{}, &lost{ran: false, err: errLost}
	}
	defer s.leave(progress)
	meta := sdk.Meta{"progressToken": progress}
	s.trace(w.ctx, meta)
	ctx, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(w.ctx), waitingKey{}, w))
	defer context.AfterFunc(w.ctx, cancel)()
	defer context.AfterFunc(s.life, cancel)()
	ctx, ran := s.carrier.watch(ctx)
	result, err := s.sdk.CallTool(ctx, &sdk.CallToolParams{Meta: meta, Name: name, Arguments: w.call.Arguments})
	if err != nil {
		cancel()
		return tool.Result{}, s.failed(w, err, ran)
	}
	s.carrier.release(cancel)
	converted, err := convert(result)
	if said, failed := errors.AsType[*tool.Error](err); failed {
		said.Err = s.client.named(errToldSo)
	}
	return converted, err
}

// errToldSo is the cause of an error that is a tool's own result, for the log.
var errToldSo = errors.New("its tool says that it failed")

// failed says what the error of a call means.
func (s *session) failed(w *waiting, err error, ran func(error) bool) error {
	var said *jsonrpc.Error
	switch {
	case w.ctx.Err() != nil, needsAuth(err):
		return err
	case errors.Is(err, sdk.ErrSessionMissing), errors.Is(err, sdk.ErrConnectionClosed):
		return &lost{ran: false, err: err} // the SDK had not sent it, or the server did not know the session
	case errors.As(err, &said) && said.Code != codeRejected:
		return s.client.protocolError(said)
	}
	return &lost{ran: ran(err), err: err}
}

// codeRejected is the SDK's own, for what its transport did not send or got no answer to.
const codeRejected = -32005

// protocolError is what a server answers in place of a result.
func (c *Client) protocolError(e *jsonrpc.Error) error {
	kind := tool.KindExecution
	if e.Code == jsonrpc.CodeInvalidParams {
		kind = tool.KindInvalidParameters
	}
	text := excerpt.Of(strings.TrimSpace(e.Message), 8<<10)
	if text == "" {
		text = fmt.Sprintf("The server gave no reason (error %d).", e.Code)
	}
	return &tool.Error{Kind: kind, Message: text, Err: c.named(e)}
}

func (s *session) done() <-chan struct{} { return s.gone }

func (s *session) explain(err error) error { return s.carrier.explain(err) }

func (s *session) stray() int { return s.carrier.stray() }

func (s *session) about() (server, protocol string) {
	r := s.sdk.InitializeResult()
	if r == nil {
		return "", ""
	}
	if r.ServerInfo != nil {
		server = excerpt.Of(strings.TrimSpace(r.ServerInfo.Name+" "+r.ServerInfo.Version), 100)
	}
	return server, r.ProtocolVersion
}

// closeTimeout is how long calls have to learn what became of them, and then the server
// to say goodbye.
const closeTimeout = time.Second

// close ends the calls, which the SDK would wait for, and the connection. Where that was
// lost, its calls first learn by themselves whether they were taken.
func (s *session) close() {
	s.shut.Do(func() {
		defer close(s.gone)
		s.within(closeTimeout, s.silence())
		s.end()
		said := make(chan struct{})
		go func() {
			defer close(said)
			_ = s.sdk.Close() // nobody is left whom its error would help
		}()
		s.within(closeTimeout, said)
		s.carrier.close()
		<-said
	})
	<-s.gone
}

// silence lets no call begin any more, and returns what is closed when none runs.
func (s *session) silence() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = make(chan struct{})
	if len(s.calls) == 0 {
		close(s.quiet)
	}
	return s.quiet
}

// within waits for done, not longer than most, and not when the whole client ends.
func (s *session) within(most time.Duration, done <-chan struct{}) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-done:
	case <-s.client.life.Done():
	case <-timer.C:
	}
}

// logged logs what a server says.
func (c *Client) logged(p *sdk.LoggingMessageParams) {
	text, ok := p.Data.(string)
	if !ok {
		data, err := json.Marshal(p.Data)
		if err != nil {
			return
		}
		text = string(data)
	}
	c.log.Debug("mcp server says", "level", p.Level, "text", executor.RedactText(c.options.Redact(excerpt.Of(text, 4<<10))))
}
