//lint:file-ignore SA1019 What 2026-07-28 deprecates, servers of every version still use.

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/internal/excerpt"
	"helve/tool"
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
	watch(context.Context) (context.Context, watch)
	stray() int
	close()
}

// watch knows what becomes of one call.
type watch interface {
	ran(error) bool        // whether a call that failed may have run
	release(cancel func()) // ends a call that was answered, when nothing of it is on its way any more
}

// open begins a session on a carrier, and closes that if it fails. Version is the
// protocol to begin with.
func (c *Client) open(ctx context.Context, on carrier, version string) (*session, error) {
	s := &session{client: c, carrier: on, gone: make(chan struct{}), calls: map[string]*waiting{}}
	s.life, s.end = context.WithCancel(c.life)
	context.AfterFunc(s.life, s.cutOff)
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
	go func() { // not one of c.running: it may still read what a server sent too much of
		_ = connected.Wait() // why it ended, the carrier knows
		s.close()
	}()
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
// to hear that the session is over.
const closeTimeout = time.Second

// close ends the calls, which the SDK would wait for, and the connection. Where that was
// lost, its calls first learn by themselves whether they were taken.
func (s *session) close() {
	s.shut.Do(func() {
		defer close(s.gone)
		wait(s.silence(), s.client.life.Done())
		s.end()
		said := make(chan struct{})
		go func() {
			defer close(said)
			_ = s.sdk.Close() // nobody is left whom its error would help
		}()
		wait(said, nil)
		s.carrier.close()
		wait(said, nil) // what it still reads of a server that sent too much is nobody's
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

// wait waits for one of two, and no longer than closeTimeout.
func wait(one, other <-chan struct{}) {
	timer := time.NewTimer(closeTimeout)
	defer timer.Stop()
	select {
	case <-one:
	case <-other:
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
