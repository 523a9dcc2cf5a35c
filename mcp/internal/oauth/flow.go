package oauth

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"helve/netpolicy"
)

// ErrNoLogin is for a server that lets everybody in, or knows nothing of OAuth.
var ErrNoLogin = errors.New("it does not ask for a login")

// Validity says how long a login is good.
type Validity struct {
	Expires time.Time // of the access token; zero is not known
	Renewed bool      // without a person, when it has expired
}

// LogIn lets the person log in, or tries the client credentials. It does so also where
// somebody is logged in already: to become another, or to have more rights.
func (h *Handler) LogIn(ctx context.Context) (Validity, error) {
	c, refused, err := h.probe(ctx)
	if err != nil {
		return Validity{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.reload(); err != nil {
		return Validity{}, err
	}
	s, err := h.discover(ctx, c)
	if err != nil {
		return Validity{}, err
	}
	switch {
	case !refused && !s.published:
		err = h.errorf("%w", ErrNoLogin)
	case h.machine():
		err = h.renew(ctx, "")
	case h.login == nil:
		err = h.needed("nobody is there to log in")
	default:
		err = h.logIn(ctx, s, h.scopes(s))
	}
	if err != nil {
		return Validity{}, err
	}
	return Validity{h.known.Expiry, h.machine() || h.known.RefreshToken != ""}, nil
}

// probe sends the most harmless request without a token, to be refused and told why.
func (h *Handler) probe(ctx context.Context) (c challenge, refused bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.config.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return c, false, h.errorf("%w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := h.client.Do(request)
	if err != nil {
		return c, false, h.errorf("%w", netpolicy.WithoutURL(err)) // its query may hold a key
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		return c, false, nil
	}
	c, err = readChallenge(response)
	if err != nil {
		return c, true, h.errorf("it answered %s: %w", response.Status, err)
	}
	return c, true, nil
}

// logIn is the flow with a person. A registration that the server has forgotten is
// made anew, once.
func (h *Handler) logIn(ctx context.Context, s *server, scopes []string) error {
	if slices.Contains(s.meta.ScopesSupported, "offline_access") {
		scopes = union(scopes, []string{"offline_access"}) // else there is no refresh token
	}
	reused := h.canReuse(s)
	err := h.flow(ctx, s, scopes)
	var no *refusal
	if reused && errors.As(err, &no) && no.unknownClient() {
		h.known.forgetClient()
		err = h.flow(ctx, s, scopes)
	}
	return err
}

// canReuse says whether the client that was registered is good for another login.
func (h *Handler) canReuse(s *server) bool {
	r := h.known
	return r.Registered && r.Issuer == s.meta.Issuer && (r.SecretExpiry.IsZero() || time.Now().Before(r.SecretExpiry))
}

// flow is the authorization code grant with PKCE. What was known stays until it
// succeeds.
func (h *Handler) flow(ctx context.Context, s *server, scopes []string) error {
	back, err := h.listen(s)
	if err != nil {
		return err
	}
	defer back.close()
	r, err := h.registered(ctx, s, back.url())
	if err != nil {
		return err
	}
	verifier := oauth2.GenerateVerifier()
	back.state = rand.Text()
	authorization := oauth2.Config{
		ClientID: r.ClientID, RedirectURL: r.RedirectURI, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: s.meta.AuthorizationEndpoint},
	}
	address := authorization.AuthCodeURL(back.state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", s.resource))
	back.check = func(q url.Values) error { return checkIssuer(q.Get("iss"), s.meta) }
	back.serve()
	if err := h.login.Show(ctx, address); err != nil {
		return h.errorf("the address to log in can't be shown: %w", err)
	}
	code, err := back.wait(ctx, h.login.Wait)
	if err != nil {
		return h.errorf("%w", err)
	}
	token, err := h.ask(ctx, &r, url.Values{
		"grant_type":    {AuthorizationCode},
		"code":          {code},
		"code_verifier": {verifier},
		"redirect_uri":  {r.RedirectURI},
	})
	if err != nil {
		return err
	}
	r.take(token, scopes)
	return h.update(ctx, func(stored *record) { *stored = r })
}

// checkIssuer refuses an answer of another authorization server than was asked (RFC
// 9207), also one that it never said it would name itself in.
func checkIssuer(iss string, meta *oauthex.AuthServerMeta) error {
	switch {
	case meta.AuthorizationResponseIssParameterSupported && iss == "":
		return errors.New("the answer to the login does not say which server it is from")
	case iss != "" && iss != meta.Issuer:
		return errors.New("the answer to the login is from another server than was asked")
	case iss != "" && !meta.AuthorizationResponseIssParameterSupported:
		return errors.New("the answer to the login names its server, which the server does not do by its own metadata")
	}
	return nil
}

// registered returns the client to log in with: that of the configuration, the one
// registered before if its redirect is the same, or a new one (RFC 7591).
func (h *Handler) registered(ctx context.Context, s *server, redirect string) (record, error) {
	r := record{
		Resource: s.resource, Issuer: s.meta.Issuer,
		TokenEndpoint: s.meta.TokenEndpoint, RevocationEndpoint: s.meta.RevocationEndpoint,
		RedirectURI: redirect, Wanted: h.known.Wanted,
	}
	switch {
	case h.document() && s.meta.ClientIDMetadataDocumentSupported:
		r.ClientID, r.AuthMethod = h.config.ClientID, "none"
		return r, nil
	case h.config.ClientID != "" && !h.document():
		r.ClientID, r.ClientSecret = h.config.ClientID, h.config.ClientSecret
		r.AuthMethod = methodFor(s.meta, r.ClientSecret != "")
		return r, nil
	case h.canReuse(s) && h.known.RedirectURI == redirect:
		known := h.known
		r.Registered, r.ClientID, r.ClientSecret = true, known.ClientID, known.ClientSecret
		r.SecretExpiry, r.AuthMethod = known.SecretExpiry, known.AuthMethod
		return r, nil
	case s.meta.RegistrationEndpoint == "":
		return r, h.errorf("its authorization server registers no clients: register one there by hand, with the redirect http://127.0.0.1:PORT%s, and set client_id and callback_port", callbackPath)
	}
	return h.register(ctx, s, r)
}

func (h *Handler) register(ctx context.Context, s *server, r record) (record, error) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	wish := &oauthex.ClientRegistrationMetadata{
		ClientName:      "helve",
		ApplicationType: "native",
		RedirectURIs:    []string{r.RedirectURI},
		GrantTypes:      []string{AuthorizationCode, "refresh_token"},
		ResponseTypes:   []string{"code"},
	}
	if slices.Contains(s.meta.TokenEndpointAuthMethodsSupported, "none") {
		wish.TokenEndpointAuthMethod = "none" // a program on somebody's machine can't keep a secret from them
	}
	given, err := oauthex.RegisterClient(ctx, s.meta.RegistrationEndpoint, wish, h.client)
	var refused *oauthex.ClientRegistrationError
	var unreachable *url.Error
	switch {
	case errors.As(err, &refused):
		return r, h.errorf("its authorization server does not register helve: %s", short(refused.ErrorCode+" "+refused.ErrorDescription))
	case errors.As(err, &unreachable):
		return r, h.errorf("its authorization server: %w", err)
	case err != nil: // which quotes the answer, that could hold a secret
		return r, h.errorf("its authorization server does not register helve, or answers what is no registration: register a client there by hand, and set client_id and callback_port")
	}
	r.Registered, r.ClientID, r.ClientSecret = true, given.ClientID, given.ClientSecret
	r.SecretExpiry, r.AuthMethod = given.ClientSecretExpiresAt, given.TokenEndpointAuthMethod
	return r, nil
}

// methodFor is how a client that the configuration names shows who it is.
func methodFor(meta *oauthex.AuthServerMeta, secret bool) string {
	switch {
	case !secret:
		return "none"
	case slices.Contains(meta.TokenEndpointAuthMethodsSupported, "client_secret_post"):
		return "client_secret_post"
	}
	return "client_secret_basic"
}

func (r *record) authStyle() oauth2.AuthStyle {
	if r.AuthMethod == "client_secret_post" || r.AuthMethod == "none" || r.ClientSecret == "" {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}
