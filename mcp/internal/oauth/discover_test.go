package oauth_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"helve/mcp/internal/oauth"
)

func TestAnotherAuthorizationServerGetsNothingOfTheFirst(t *testing.T) {
	t.Parallel()
	w, store, other := start(t), newStore(t), start(t)
	logIn(t, newHandler(t, w, store, browser(t)))
	w.change(func() { clear(w.access) })
	w.resource = func(m *oauthex.ProtectedResourceMetadata) { m.AuthorizationServers = []string{other.auth.URL} }
	mustNeedLogin(t, call(t, w, newHandler(t, w, store, nil)))
	if len(other.asked) != 0 || w.count("refresh_token") != 0 {
		t.Errorf("asked: %v and %v", w.asked, other.asked)
	}
	logIn(t, newHandler(t, w, store, browser(t)))
	if other.count("register") != 1 {
		t.Error("the client of the first server was shown to the second")
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	const good = "https://example.com/mcp"
	for want, c := range map[string]oauth.Config{
		"needs an https:// URL":              {URL: "http://example.com/mcp"},
		"one of this machine":                {URL: "http://10.0.0.1/mcp"},
		`the grant "implicit" is not known`:  {URL: good, Grant: "implicit"},
		"needs a client ID and a client sec": {URL: good, Grant: oauth.ClientCredentials, ClientID: "a"},
		"a client secret needs its client":   {URL: good, ClientSecret: "s"},
		"the callback port 65536 is none":    {URL: good, CallbackPort: 65536},
	} {
		if _, err := oauth.New(c, nil, http.DefaultClient, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got error %v, want %q", c, err, want)
		}
	}
}

func TestWhatAServerSaysOfItself(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*world)
		want   string
	}{
		"no PKCE": {func(w *world) { w.metadata = func(m *oauthex.AuthServerMeta) { m.CodeChallengeMethodsSupported = nil } }, "PKCE"},
		"plain PKCE": {func(w *world) {
			w.metadata = func(m *oauthex.AuthServerMeta) { m.CodeChallengeMethodsSupported = []string{"plain"} }
		}, "S256"},
		"other issuer": {func(w *world) { w.metadata = func(m *oauthex.AuthServerMeta) { m.Issuer = "https://example.com" } }, "does not match issuer"},
		"http token": {func(w *world) {
			w.metadata = func(m *oauthex.AuthServerMeta) { m.TokenEndpoint = "http://example.com/token" }
		}, "HTTPS"},
		"http revoke": {func(w *world) {
			w.metadata = func(m *oauthex.AuthServerMeta) { m.RevocationEndpoint = "http://example.com/revoke" }
		}, "not https"},
		"no clients": {func(w *world) { w.metadata = func(m *oauthex.AuthServerMeta) { m.RegistrationEndpoint = "" } }, "set client_id and callback_port"},
		"other resource": {func(w *world) {
			w.resource = func(m *oauthex.ProtectedResourceMetadata) { m.Resource = "https://example.com/mcp" }
		}, "https://example.com/mcp"},
		"no issuer": {func(w *world) {
			w.resource = func(m *oauthex.ProtectedResourceMetadata) { m.AuthorizationServers = nil }
		}, "no authorization server"},
		"iss is missing": {func(w *world) {
			w.metadata = func(m *oauthex.AuthServerMeta) { m.AuthorizationResponseIssParameterSupported = false }
		}, "does not do by its own metadata"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t)
			test.change(w)
			_, err := newHandler(t, w, nil, browser(t)).LogIn(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "mcp server notes: ") {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

func TestAServerWithoutALogin(t *testing.T) {
	t.Parallel()
	w := start(t)
	h, err := oauth.New(oauth.Config{Server: "open", URL: w.mcp.URL + "/nothing"}, nil, newClient(t), browser(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.LogIn(t.Context()); !errors.Is(err, oauth.ErrNoLogin) {
		t.Errorf("got error %v", err)
	}
}
