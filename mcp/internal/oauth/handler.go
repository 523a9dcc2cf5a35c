package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"golang.org/x/oauth2"
)

// The grants that a [Config] may name.
const (
	AuthorizationCode = "authorization_code"
	ClientCredentials = "client_credentials"
)

// Config says which server tokens are for, and who asks for them.
type Config struct {
	Server string // its name, for words
	URL    string // of its MCP endpoint: https, or http on this machine

	// ClientID is that of a client somebody registered by hand. Where it is an https
	// URL it is that of a client ID metadata document. "" registers a client.
	ClientID     string
	ClientSecret string

	Scopes       []string // "" asks for those that the server names
	Grant        string   // "" is client_credentials with a secret and no CallbackPort, else authorization_code
	CallbackPort int      // of the redirect to this machine; 0 is any
}

// Login is the person who logs in.
type Login struct {
	// Show lets the person open url in a browser. It need not wait for what comes of it.
	Show func(ctx context.Context, url string) error

	Wait time.Duration // for the browser to come back; 0 is 5 minutes
}

// LoginNeededError says that a person must log in. No retry helps.
type LoginNeededError struct {
	Server string
	Scopes []string // the rights that the login lacks; nil where it is missing or over
	Reason string   // in a few words, what was wrong with the login
}

func (e *LoginNeededError) Error() string {
	return fmt.Sprintf("mcp server %s: %s: run \"helve mcp login %s\"", e.Server, e.Reason, e.Server)
}

// Handler gets the tokens for one server. It is safe for concurrent use, and several
// handlers may share a [Store], in one process or in many.
type Handler struct {
	config Config
	store  *Store
	client *http.Client
	login  *Login

	mu     sync.Mutex // one at a time asks for tokens, and the others use what came of it
	known  record
	server *server // as it was found out; nil before that

	forced   string // an access token that was asked for because the one before was refused
	forcedAt time.Time
}

var _ auth.OAuthHandler = (*Handler)(nil)

// New makes a handler. Without a store, or with one that has no folder, tokens are kept
// in memory. The client asks the authorization server too. A nil login is nobody.
func New(c Config, s *Store, client *http.Client, login *Login) (*Handler, error) {
	h := &Handler{config: c, store: s, client: client, login: login}
	if s != nil && s.Dir == "" {
		h.store = nil
	}
	switch {
	case !secure(c.URL):
		return nil, h.errorf("a login needs an https:// URL, or one of this machine")
	case c.Grant == "" && c.ClientSecret != "" && c.CallbackPort == 0:
		h.config.Grant = ClientCredentials
	case c.Grant == "":
		h.config.Grant = AuthorizationCode
	case c.Grant != AuthorizationCode && c.Grant != ClientCredentials:
		return nil, h.errorf("oauth: the grant %q is not known: write %s or %s", c.Grant, AuthorizationCode, ClientCredentials)
	}
	switch {
	case c.ClientSecret != "" && c.ClientID == "":
		return nil, h.errorf("oauth: a client secret needs its client ID")
	case h.machine() && c.ClientSecret == "":
		return nil, h.errorf("oauth: the grant %s needs a client ID and a client secret", ClientCredentials)
	case c.CallbackPort < 0 || c.CallbackPort > 65535:
		return nil, h.errorf("oauth: the callback port %d is none: write 1 to 65535", c.CallbackPort)
	}
	return h, nil
}

func (h *Handler) errorf(format string, args ...any) error {
	return fmt.Errorf("mcp server %s: %w", h.config.Server, fmt.Errorf(format, args...))
}

// machine says that no person is needed.
func (h *Handler) machine() bool { return h.config.Grant == ClientCredentials }

// unattended says that a person is needed and not there.
func (h *Handler) unattended() bool { return h.login == nil && !h.machine() }

// document says that the client ID is the URL of a client ID metadata document.
func (h *Handler) document() bool { return strings.HasPrefix(h.config.ClientID, "https://") }

// TokenSource returns what gives a token for a request. It is nil as long as there is
// none: the server says then whether it wants one.
func (h *Handler) TokenSource(ctx context.Context) (oauth2.TokenSource, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known.valid() {
		return source{h}, nil
	}
	if err := h.reload(); err != nil {
		return nil, err
	}
	if h.known.AccessToken == "" && h.known.RefreshToken == "" {
		return nil, nil
	}
	return source{h}, nil
}

// source is a handler as the SDK wants it: without a context.
type source struct{ h *Handler }

func (s source) Token() (*oauth2.Token, error) {
	h := s.h
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.known.valid() {
		err := h.renew(context.Background(), h.known.AccessToken) // which bounds its time itself
		var needed *LoginNeededError
		if errors.As(err, &needed) && h.login != nil {
			return nil, nil // the server refuses, and the person is asked
		}
		if err != nil {
			return nil, err
		}
	}
	return &oauth2.Token{AccessToken: h.known.AccessToken, TokenType: "Bearer", Expiry: h.known.Expiry}, nil
}

// Authorize gets a token after a request was refused: nil means that the request may be
// sent again.
func (h *Handler) Authorize(ctx context.Context, request *http.Request, response *http.Response) error {
	c, err := readChallenge(response)
	drain(response)
	if err != nil {
		return h.errorf("it answered %s: %w", response.Status, err)
	}
	if response.StatusCode == http.StatusForbidden && !c.moreScopes {
		return nil // no token helps; the answer to the second request says what is wrong
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.reload(); err != nil {
		return err
	}
	refused := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
	if h.known.valid() && h.known.AccessToken != refused {
		return nil // another request, or another process, has done it meanwhile
	}
	if c.moreScopes {
		return h.stepUp(ctx, c)
	}
	if err := h.refreshable(); err != nil && h.unattended() {
		return err
	}
	s, err := h.discover(ctx, c)
	if err != nil {
		return err
	}
	err = h.again(ctx, s, refused)
	var needed *LoginNeededError
	if h.login == nil || !errors.As(err, &needed) {
		return err
	}
	return h.logIn(ctx, s, h.scopes(s))
}

// again gets another token without a person, once for each that was refused.
func (h *Handler) again(ctx context.Context, s *server, refused string) error {
	if refused != "" && refused == h.forced && time.Since(h.forcedAt) < time.Minute {
		return h.needed("the server refuses the token it was just given")
	}
	if h.known.Issuer != "" && h.known.Issuer != s.meta.Issuer {
		return h.needed("the server has another authorization server now")
	}
	if err := h.renew(ctx, refused); err != nil {
		return err
	}
	if refused != "" {
		h.forced, h.forcedAt = h.known.AccessToken, time.Now()
	}
	return nil
}

// stepUp asks for rights that the token lacks. Where nobody is there they are noted, so
// that the next login asks for them.
func (h *Handler) stepUp(ctx context.Context, c challenge) error {
	lacking := slices.DeleteFunc(slices.Clone(c.scopes), func(scope string) bool { return slices.Contains(h.known.Scopes, scope) })
	switch {
	case len(c.scopes) == 0:
		return h.errorf("it refuses for lack of rights, and does not say which: name them as scopes in its oauth settings, and log in again")
	case len(lacking) == 0:
		return h.errorf("it asks for rights that the login has (%s): it and its authorization server do not agree", strings.Join(c.scopes, " "))
	}
	if h.unattended() {
		if err := h.update(ctx, func(r *record) { r.Wanted = union(r.Wanted, lacking) }); err != nil {
			return err
		}
		return &LoginNeededError{h.config.Server, lacking, "it asks for more rights (" + strings.Join(lacking, " ") + ")"}
	}
	s, err := h.discover(ctx, c)
	if err != nil {
		return err
	}
	h.known.Wanted = union(h.known.Wanted, lacking)
	if h.machine() {
		return h.again(ctx, s, h.known.AccessToken)
	}
	return h.logIn(ctx, s, h.scopes(s))
}

// needed says that a person must log in; in place of a machine nobody can.
func (h *Handler) needed(reason string) error {
	if h.machine() {
		return h.errorf("%s", reason)
	}
	return &LoginNeededError{Server: h.config.Server, Reason: reason}
}

// scopes are what a token is asked for with: what the configuration says, else what the
// server does and what the last token had; and what tokens were found to lack.
func (h *Handler) scopes(s *server) []string {
	if len(h.config.Scopes) > 0 {
		return union(h.config.Scopes, h.known.Wanted)
	}
	if h.known.Issuer != s.meta.Issuer {
		return union(s.scopes, h.known.Wanted)
	}
	return union(s.scopes, h.known.Scopes, h.known.Wanted)
}

// union is all scopes, once each, in an order that does not change.
func union(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// mostDrained is how much of a refusal is read, so that its connection is used again.
const mostDrained = 64 << 10

func drain(response *http.Response) {
	_, _ = io.CopyN(io.Discard, response.Body, mostDrained)
	response.Body.Close()
}
