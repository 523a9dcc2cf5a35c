package oauth_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// world is an authorization server that does what the standards ask of it, and an MCP
// server that takes its tokens.
type world struct {
	auth, mcp *httptest.Server

	mu        sync.Mutex
	clients   map[string]client
	codes     map[string]grant
	access    map[string]grant
	refresh   map[string]grant
	used      map[string]string // a refresh token that was used → its login
	asked     []string          // what the authorization server was asked, one word each
	resources []string          // the audiences it was asked for

	// Changed before, or under the lock.
	lifetime   int      // seconds of an access token
	scopes     []string // that the MCP server needs
	metadata   func(*oauthex.AuthServerMeta)
	resource   func(*oauthex.ProtectedResourceMetadata)
	refuses    string // the OAuth error of each token request
	says       func(url.Values) string
	answering  func() // is called before a token request is answered
	noRevoking bool
}

type client struct {
	secret    string
	redirects []string
}

type grant struct {
	client, redirect, challenge, login string
	scopes                             []string
	expires                            time.Time
}

func newWorld() *world {
	w := &world{
		clients: map[string]client{"robot": {secret: "r0b0t-s3cret"}},
		codes:   map[string]grant{}, access: map[string]grant{}, refresh: map[string]grant{}, used: map[string]string{},
		lifetime: 3600,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", w.describe)
	mux.HandleFunc("POST /register", w.register)
	mux.HandleFunc("GET /authorize", w.authorize)
	mux.HandleFunc("POST /token", w.token)
	mux.HandleFunc("POST /revoke", w.revoke)
	w.auth = httptest.NewServer(mux)

	server := sdk.NewServer(&sdk.Implementation{Name: "notes", Version: "1"}, nil)
	type in struct {
		Text string `json:"text"`
	}
	sdk.AddTool(server, &sdk.Tool{Name: "echo"}, func(_ context.Context, _ *sdk.CallToolRequest, i in) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: i.Text}}}, nil, nil
	})
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true})
	pages := http.NewServeMux()
	pages.HandleFunc("GET /.well-known/oauth-protected-resource/mcp", func(rw http.ResponseWriter, r *http.Request) {
		m := &oauthex.ProtectedResourceMetadata{Resource: w.url(), AuthorizationServers: []string{w.auth.URL}}
		if w.resource != nil {
			w.resource(m)
		}
		auth.ProtectedResourceMetadataHandler(m).ServeHTTP(rw, r)
	})
	pages.HandleFunc("/mcp", func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		o := &auth.RequireBearerTokenOptions{Scopes: w.scopes, ResourceMetadataURL: w.mcp.URL + "/.well-known/oauth-protected-resource/mcp"}
		w.mu.Unlock()
		auth.RequireBearerToken(w.verify, o)(handler).ServeHTTP(rw, r)
	})
	w.mcp = httptest.NewServer(pages)
	return w
}

func (w *world) close() {
	w.mcp.Close()
	w.auth.Close()
}

func (w *world) url() string { return w.mcp.URL + "/mcp" }

func (w *world) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g, ok := w.access[token]
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{Scopes: g.scopes, Expiration: g.expires, UserID: "somebody"}, nil
}

func (w *world) describe(rw http.ResponseWriter, _ *http.Request) {
	m := &oauthex.AuthServerMeta{
		Issuer: w.auth.URL, AuthorizationEndpoint: w.auth.URL + "/authorize", TokenEndpoint: w.auth.URL + "/token",
		RegistrationEndpoint: w.auth.URL + "/register", RevocationEndpoint: w.auth.URL + "/revoke",
		CodeChallengeMethodsSupported:              []string{"S256"},
		TokenEndpointAuthMethodsSupported:          []string{"none", "client_secret_basic"},
		AuthorizationResponseIssParameterSupported: true,
	}
	if w.metadata != nil {
		w.metadata(m)
	}
	answer(rw, http.StatusOK, m)
}

func (w *world) register(rw http.ResponseWriter, r *http.Request) {
	var wish oauthex.ClientRegistrationMetadata
	if json.NewDecoder(r.Body).Decode(&wish) != nil || len(wish.RedirectURIs) == 0 {
		answer(rw, http.StatusBadRequest, map[string]string{"error": "invalid_redirect_uri"})
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, "register")
	id := "client-" + rand.Text()
	w.clients[id] = client{redirects: wish.RedirectURIs}
	answer(rw, http.StatusCreated, &oauthex.ClientRegistrationResponse{ClientID: id, ClientRegistrationMetadata: oauthex.ClientRegistrationMetadata{TokenEndpointAuthMethod: "none"}})
}

// authorize is the page of the login, where the person says yes at once.
func (w *world) authorize(rw http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, "authorize")
	c, ok := w.clients[q.Get("client_id")]
	redirect := q.Get("redirect_uri")
	if !ok || !slices.Contains(c.redirects, redirect) || q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" {
		http.Error(rw, "this client, or its redirect, is not known", http.StatusBadRequest)
		return
	}
	w.resources = append(w.resources, q.Get("resource"))
	code := rand.Text()
	w.codes[code] = grant{client: q.Get("client_id"), redirect: redirect, challenge: q.Get("code_challenge"), scopes: strings.Fields(q.Get("scope")), login: rand.Text()}
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {w.auth.URL}}
	http.Redirect(rw, r, redirect+"?"+back.Encode(), http.StatusFound)
}

func (w *world) token(rw http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil {
		answer(rw, http.StatusBadRequest, map[string]string{"error": "invalid_request"})
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.answering != nil {
		w.answering()
	}
	kind := r.PostForm.Get("grant_type")
	w.asked = append(w.asked, kind)
	w.resources = append(w.resources, r.PostForm.Get("resource"))
	g, code := grant{}, w.refuses
	if code == "" {
		g, code = w.granted(r)
	}
	if code != "" {
		said := ""
		if w.says != nil {
			said = w.says(r.PostForm)
		}
		answer(rw, http.StatusBadRequest, map[string]string{"error": code, "error_description": said})
		return
	}
	g.expires = time.Now().Add(time.Duration(w.lifetime) * time.Second)
	given := map[string]any{"access_token": "access-" + rand.Text(), "token_type": "Bearer", "expires_in": w.lifetime}
	w.access[given["access_token"].(string)] = g
	if kind != "client_credentials" {
		given["refresh_token"] = "refresh-" + rand.Text()
		w.refresh[given["refresh_token"].(string)] = g
	}
	answer(rw, http.StatusOK, given)
}

// granted checks a request for a token, and returns the code of an OAuth error.
func (w *world) granted(r *http.Request) (g grant, code string) {
	form := r.PostForm
	id, secret := form.Get("client_id"), form.Get("client_secret")
	if name, password, ok := r.BasicAuth(); ok {
		id, secret = name, password
	}
	c, ok := w.clients[id]
	if !ok || c.secret != secret {
		return g, "invalid_client"
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		g, ok := w.codes[form.Get("code")]
		delete(w.codes, form.Get("code"))
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if !ok || g.client != id || g.redirect != form.Get("redirect_uri") || g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			return g, "invalid_grant"
		}
		return g, ""
	case "refresh_token":
		old := form.Get("refresh_token")
		if login, again := w.used[old]; again { // somebody has stolen it: the login is over
			w.asked = append(w.asked, "stolen")
			w.end(login)
		}
		g, ok := w.refresh[old]
		if !ok || g.client != id {
			return g, "invalid_grant"
		}
		delete(w.refresh, old)
		w.used[old] = g.login
		return g, ""
	case "client_credentials":
		if c.secret == "" {
			return g, "unauthorized_client"
		}
		return grant{client: id, scopes: strings.Fields(form.Get("scope"))}, ""
	}
	return g, "unsupported_grant_type"
}

// end ends a login; "" ends all.
func (w *world) end(login string) {
	for _, tokens := range []map[string]grant{w.access, w.refresh} {
		for token, g := range tokens {
			if login == "" || g.login == login {
				delete(tokens, token)
			}
		}
	}
}

func (w *world) revoke(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, "revoke")
	if w.noRevoking {
		http.Error(rw, "no", http.StatusServiceUnavailable)
		return
	}
	token := r.PostFormValue("token")
	if _, ok := w.clients[r.PostFormValue("client_id")]; !ok {
		answer(rw, http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
		return
	}
	delete(w.access, token)
	delete(w.refresh, token)
}

// count is how often the authorization server was asked for something.
func (w *world) count(what string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.asked {
		if a == what {
			n++
		}
	}
	return n
}

func (w *world) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

func answer(rw http.ResponseWriter, status int, v any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(v)
}
