//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/tool"
)

// Options say who a [Server] is. A zero field means the default.
type Options struct {
	Name, Version string       // what clients show; helve, and nothing
	Instructions  string       // what a client's model is told of the whole
	Log           *slog.Logger // slog.Default()
	MaxInline     int          // bytes of text in a result before the rest is a link; 64 KiB
}

// Server serves what [Server.Set] was given last. It is safe for concurrent use, and
// serves any number of clients over any number of transports.
type Server struct {
	log       *slog.Logger
	sdk       *sdk.Server
	maxInline int
	kept      *kept
	parked    parking
	seats     seats
	calls     atomic.Uint64 // for their IDs

	closing context.Context // ends with Close
	close   context.CancelCauseFunc

	content atomic.Pointer[Content]
	setting sync.Mutex
	served  served // guarded by setting
	hinted  map[string]struct{}
}

// New makes a server that serves nothing yet.
func New(o Options) *Server {
	if o.Name == "" {
		o.Name = "helve"
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.MaxInline <= 0 {
		o.MaxInline = 64 << 10
	}
	s := &Server{log: o.Log, maxInline: o.MaxInline, kept: newKept(), hinted: map[string]struct{}{}}
	s.closing, s.close = context.WithCancelCause(context.Background())
	s.content.Store(&Content{})
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: o.Name, Version: o.Version}, &sdk.ServerOptions{
		Instructions:       o.Instructions,
		Logger:             slog.New(quiet{o.Log.Handler()}),
		CompletionHandler:  s.complete,
		SubscribeHandler:   s.subscribe,
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
		SetCacheable:       keepPrivate,
		Capabilities: &sdk.ServerCapabilities{
			Logging: &sdk.LoggingCapabilities{},
			Tools:   &sdk.ToolCapabilities{ListChanged: true}, // there may be some later
			Prompts: &sdk.PromptCapabilities{ListChanged: true},
		},
	})
	s.sdk.AddReceivingMiddleware(s.contain, s.seated)
	s.offerKept()
	return s
}

// Close ends every connection and every call that waits for an answer, and returns
// when they have ended.
func (s *Server) Close() error {
	s.parked.close()
	s.close(errClosed)
	var errs []error
	for session := range s.sdk.Sessions() {
		errs = append(errs, session.Close())
	}
	s.parked.wait()
	return errors.Join(errs...)
}

// ResourceUpdated tells the clients that subscribed to uri that what is there has
// changed.
func (s *Server) ResourceUpdated(uri string) {
	_ = s.sdk.ResourceUpdated(context.Background(), &sdk.ResourceUpdatedNotificationParams{URI: uri}) // it never fails
}

// keepPrivate tells clients that what is served here is for them alone: whoever
// shares a cache with them may have no token.
func keepPrivate(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }

// contain keeps a panic of whoever answers a request from ending the process. Tools
// are contained before, by the executor.
func (s *Server) contain(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				result, err = nil, s.panicked(ctx, method, v)
			}
		}()
		return next(ctx, method, req)
	}
}

// panicked logs a panic and returns what the client is told of it.
func (s *Server) panicked(ctx context.Context, what string, v any) error {
	s.log.LogAttrs(ctx, slog.LevelError, "mcp: panic", slog.String("in", what),
		slog.String("cause", (&tool.PanicError{Value: v, Stack: debug.Stack()}).Error()))
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server failed unexpectedly"}
}

// quiet makes DEBUG of what the SDK logs: at INFO it tells of each session and each
// request, and at ERROR of what clients got wrong.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, _ slog.Level) bool {
	return q.Handler.Enabled(ctx, slog.LevelDebug)
}

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level, r.Message = slog.LevelDebug, "mcp: "+r.Message
	return q.Handler.Handle(ctx, r)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }
func (q quiet) WithGroup(name string) slog.Handler       { return quiet{q.Handler.WithGroup(name)} }

// invalid is the protocol's error for what a client got wrong.
func invalid(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}
