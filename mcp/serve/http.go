package serve

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/internal/yamlfile"
	"helve/tool"
)

// Secret is text that nothing prints; its Reveal method returns it.
type Secret = yamlfile.Secret

// HTTP says who may use a server over HTTP. The zero value lets in whoever reaches it,
// but no web page: give Tokens unless it listens on this machine alone.
type HTTP struct {
	Tokens  []Secret // bearer tokens, one of which a client must send; none is for everybody
	Origins []string // of web pages that may use it, such as https://app.example.com
	Hosts   []string // names it is reached by; on a loopback address only those of this machine

	SessionTimeout time.Duration // of a client that says nothing; 30 min
}

const (
	sessionTimeout = 30 * time.Minute
	mostBody       = 4 << 20 // bytes of a request
)

// Handler returns the handler of the server's one address, over which clients of every
// protocol version come (Streamable HTTP). Sessions, of which clients before
// 2026-07-28 have one each, are 1,000 at most: for one more, one of the caller with the
// most ends, which is a token or, without tokens, an address.
//
// It answers 401 to who has no token, 403 to a Host or Origin that may not, and 413 to
// a body of more than 4 MiB.
func (s *Server) Handler(h HTTP) (http.Handler, error) {
	doors, err := newDoors(h, s.log)
	if err != nil {
		return nil, err
	}
	if h.SessionTimeout <= 0 {
		h.SessionTimeout = sessionTimeout
	}
	server := func(*http.Request) *sdk.Server { return s.sdk }
	e := &endpoint{
		server: s,
		// The doors look at the Host before, and know the names that are allowed.
		stateless: sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{
			Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: mostBody, DisableLocalhostProtection: true,
		}),
		stateful: sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{
			SessionTimeout: h.SessionTimeout, EventStore: sdk.NewMemoryEventStore(nil), MaxRequestBodyBytes: mostBody, DisableLocalhostProtection: true,
		}),
	}
	var inner http.Handler = e
	if len(h.Tokens) > 0 {
		inner = requireToken(h.Tokens, inner)
	}
	return s.limit(s.containHTTP(doors.guard(inner))), nil
}

// endpoint sends each request to the handler of its era.
type endpoint struct {
	server              *Server
	stateless, stateful http.Handler
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	switch {
	case id == "" && r.Header.Get("MCP-Protocol-Version") >= multiRound:
		e.stateless.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, callerOf(r))))
	case r.Method != http.MethodPost:
		e.stateful.ServeHTTP(w, r)
	case id == "":
		e.server.begin(w, r, e.stateful)
	default:
		defer e.server.seats.use(id)()
		e.stateful.ServeHTTP(w, r)
	}
}

// requireToken lets in who sends a token, and says to the SDK who it is, so that no
// one goes on in another's session.
func requireToken(tokens []Secret, inner http.Handler) http.Handler {
	known := newTokens(tokens)
	checked := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		who, ok := known.owner(token)
		if !ok {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: who}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(inner)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := known.owner(bearer(r)); !ok {
			challenge := `Bearer realm="mcp"`
			if r.Header.Get("Authorization") != "" {
				challenge += `, error="invalid_token"`
			}
			w.Header().Set("WWW-Authenticate", challenge)
			http.Error(w, "a bearer token is needed: Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		checked.ServeHTTP(w, r)
	})
}

// bearer is the token of a request, or "".
func bearer(r *http.Request) string {
	fields := strings.Fields(r.Header.Get("Authorization"))
	if len(fields) != 2 || !strings.EqualFold(fields[0], "Bearer") {
		return ""
	}
	return fields[1]
}

// containHTTP keeps a panic from costing more than its request.
func (s *Server) containHTTP(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(v)
			}
			s.log.LogAttrs(r.Context(), slog.LevelError, "mcp: panic", slog.String("in", "HTTP"),
				slog.String("cause", (&tool.PanicError{Value: v, Stack: debug.Stack()}).Error()))
			http.Error(w, "the server failed unexpectedly", http.StatusInternalServerError)
		}()
		inner.ServeHTTP(w, r)
	})
}
