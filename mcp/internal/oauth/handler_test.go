package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"helve/mcp/internal/oauth"
)

func start(t *testing.T) *world {
	t.Helper()
	w := newWorld()
	t.Cleanup(w.close)
	return w
}

func newClient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func newStore(t *testing.T) *oauth.Store {
	t.Helper()
	return &oauth.Store{Dir: filepath.Join(t.TempDir(), "tokens")}
}

// browser is a person who says yes: it follows the address to the end.
func browser(t *testing.T) *oauth.Login {
	t.Helper()
	client := newClient(t)
	return &oauth.Login{Show: func(ctx context.Context, url string) error {
		_, err := get(ctx, client, url)
		return err
	}}
}

func get(ctx context.Context, client *http.Client, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func newHandler(t *testing.T, w *world, s *oauth.Store, login *oauth.Login, changes ...func(*oauth.Config)) *oauth.Handler {
	t.Helper()
	c := oauth.Config{Server: "notes", URL: w.url()}
	for _, change := range changes {
		change(&c)
	}
	h, err := oauth.New(c, s, newClient(t), login)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func logIn(t *testing.T, h *oauth.Handler) {
	t.Helper()
	if _, err := h.LogIn(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// call makes a connection of its own and calls the tool.
func call(t *testing.T, w *world, h auth.OAuthHandler) error {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.url(), OAuthHandler: h, HTTPClient: newClient(t), DisableStandaloneSSE: true, MaxRetries: -1}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hello"}})
	if err != nil {
		return err
	}
	if text := result.Content[0].(*sdk.TextContent).Text; text != "hello" {
		return fmt.Errorf("the tool answered %q", text)
	}
	return nil
}

func mustCall(t *testing.T, w *world, h auth.OAuthHandler) {
	t.Helper()
	if err := call(t, w, h); err != nil {
		t.Fatal(err)
	}
}

func mustNeedLogin(t *testing.T, err error) *oauth.LoginNeededError {
	t.Helper()
	var needed *oauth.LoginNeededError
	if !errors.As(err, &needed) {
		t.Fatalf("got %v, want a LoginNeededError", err)
	}
	if !strings.Contains(err.Error(), `run "helve mcp login notes"`) {
		t.Errorf("the error does not say what to do: %v", err)
	}
	return needed
}

// TestALogin is the life of a login: made, used, over, refreshed, used by another
// process, and ended by the server.
func TestALogin(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	w.lifetime = 5 // which the library takes for over
	port := freePort(t)
	onPort := func(c *oauth.Config) { c.CallbackPort = port }
	h := newHandler(t, w, store, browser(t), onPort)
	validity, err := h.LogIn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if left := time.Until(validity.Expires); left <= 0 || left > 5*time.Second || !validity.Renewed {
		t.Errorf("it expires in %s and is renewed: %v", left, validity.Renewed)
	}
	w.change(func() { w.lifetime = 3600 })
	mustCall(t, w, h)
	if n := w.count("refresh_token"); n != 1 {
		t.Errorf("refreshed %d times, want 1", n)
	}

	later := newHandler(t, w, store, nil)
	mustCall(t, w, later)
	if n := w.count("refresh_token"); n != 1 {
		t.Errorf("after a restart: refreshed %d times, want still 1", n)
	}
	w.change(func() { clear(w.access) }) // it was revoked, and its expiry says nothing of it
	mustCall(t, w, later)
	if n := w.count("refresh_token"); n != 2 {
		t.Errorf("after a refusal: refreshed %d times, want 2", n)
	}

	w.change(func() { w.end("") })
	mustNeedLogin(t, call(t, w, newHandler(t, w, store, nil)))
	asked := w.count("refresh_token")
	mustNeedLogin(t, call(t, w, later))
	mustNeedLogin(t, call(t, w, newHandler(t, w, store, nil)))
	if n := w.count("refresh_token"); n != asked {
		t.Errorf("a refresh token that was refused was sent again")
	}
	if n := w.count("authorize"); n != 1 {
		t.Errorf("somebody was asked to log in %d times", n)
	}
	for _, r := range w.resources {
		if r != w.url() {
			t.Errorf("a token was asked for the audience %q", r)
		}
	}

	logIn(t, newHandler(t, w, store, browser(t), onPort))
	mustCall(t, w, later) // which sees that somebody has logged in
	if n := w.count("register"); n != 1 {
		t.Errorf("%d clients were registered, want 1", n)
	}
}

func TestNobodyIsAskedWithoutALogin(t *testing.T) {
	t.Parallel()
	w := start(t)
	mustNeedLogin(t, call(t, w, newHandler(t, w, newStore(t), nil)))
	if len(w.asked) != 0 {
		t.Errorf("the authorization server was asked %v", w.asked)
	}
}

func TestAPersonIsAskedWhenTheServerRefuses(t *testing.T) {
	t.Parallel()
	w := start(t)
	h := newHandler(t, w, nil, browser(t))
	mustCall(t, w, h)
	w.change(func() { w.end("") })
	mustCall(t, w, h)
	if n := w.count("authorize"); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}
}

func TestARefreshThatCannotBeMadeNowKeepsTheLogin(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	w.lifetime = 5
	logIn(t, newHandler(t, w, store, browser(t)))
	w.change(func() { w.refuses, w.lifetime = "temporarily_unavailable", 3600 })
	h := newHandler(t, w, store, nil)
	err := call(t, w, h)
	var needed *oauth.LoginNeededError
	if err == nil || errors.As(err, &needed) {
		t.Fatalf("got %v", err)
	}
	w.change(func() { w.refuses = "" })
	mustCall(t, w, h)
}

func only(clients map[string]client) string {
	for id := range clients {
		if id != "robot" {
			return id
		}
	}
	return ""
}

func TestOneRefreshForAllCalls(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	w.lifetime = 5
	logIn(t, newHandler(t, w, store, browser(t)))
	w.change(func() { w.lifetime = 3600 })
	handlers := []*oauth.Handler{newHandler(t, w, store, nil), newHandler(t, w, store, nil)}
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			source, err := handlers[i%2].TokenSource(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := source.Token(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := w.count("refresh_token"); n != 1 {
		t.Errorf("refreshed %d times, want 1", n)
	}
}

func TestTheRedirectAndTheRegistration(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	onPort := func(c *oauth.Config) { c.CallbackPort = port }

	logIn(t, newHandler(t, w, store, browser(t), onPort)) // at any other port
	if n := w.count("register"); n != 1 {
		t.Fatalf("%d clients were registered", n)
	}
	mustCall(t, w, newHandler(t, w, store, nil, onPort)) // a login is good whatever its redirect was
	taken.Close()
	logIn(t, newHandler(t, w, store, browser(t), onPort))
	logIn(t, newHandler(t, w, store, browser(t), onPort))
	if n := w.count("register"); n != 2 {
		t.Errorf("%d clients were registered, want one for each redirect: 2", n)
	}

	byHand := func(c *oauth.Config) { c.CallbackPort, c.ClientID = port, "by-hand" }
	w.change(func() {
		w.clients["by-hand"] = client{redirects: []string{"http://127.0.0.1:" + strconv.Itoa(port) + "/callback"}}
	})
	mustNeedLogin(t, call(t, w, newHandler(t, w, store, nil, byHand))) // the login is another client's
	logIn(t, newHandler(t, w, store, browser(t), byHand))
	mustCall(t, w, newHandler(t, w, store, nil, byHand))
	if taken, err = net.Listen("tcp4", "127.0.0.1:"+strconv.Itoa(port)); err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := newHandler(t, w, store, browser(t), byHand).LogIn(t.Context()); err == nil || !strings.Contains(err.Error(), "callback port") {
		t.Errorf("got error %v", err)
	}
}

func TestAClientThatIsForgottenIsRegisteredAnew(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	w.lifetime = 5
	port := freePort(t)
	onPort := func(c *oauth.Config) { c.CallbackPort = port }
	logIn(t, newHandler(t, w, store, browser(t), onPort))
	w.change(func() { delete(w.clients, only(w.clients)) })
	mustNeedLogin(t, call(t, w, newHandler(t, w, store, nil)))
	logIn(t, newHandler(t, w, store, browser(t), onPort))
	if n := w.count("register"); n != 2 {
		t.Errorf("%d clients were registered, want 2", n)
	}

	w.change(func() { w.refuses = "invalid_client" })
	_, err := newHandler(t, w, store, browser(t), onPort).LogIn(t.Context())
	if err == nil || !strings.Contains(err.Error(), "invalid_client") {
		t.Errorf("got error %v", err)
	}
	if n := w.count("register"); n != 3 {
		t.Errorf("%d clients were registered, want 3: the registration is dropped once", n)
	}
}

func TestMoreRights(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	w.scopes = []string{"notes:read"}
	logIn(t, newHandler(t, w, store, browser(t)))
	h := newHandler(t, w, store, nil)
	mustCall(t, w, h)
	w.change(func() { w.scopes = []string{"notes:read", "notes:write"} })
	needed := mustNeedLogin(t, call(t, w, h))
	if !slices.Equal(needed.Scopes, []string{"notes:write"}) || !strings.Contains(needed.Error(), "notes:write") {
		t.Errorf("it lacks %v: %v", needed.Scopes, needed)
	}
	w.change(func() { w.scopes = []string{"notes:read"} }) // what an answer to nobody says
	logIn(t, newHandler(t, w, store, browser(t)))
	w.change(func() { w.scopes = []string{"notes:read", "notes:write"} })
	mustCall(t, w, newHandler(t, w, store, nil))
	w.change(func() { w.scopes = nil })
	logIn(t, newHandler(t, w, store, browser(t))) // and does not forget what it needs
	w.change(func() { w.scopes = []string{"notes:read", "notes:write"} })
	mustCall(t, w, newHandler(t, w, store, nil))

	person := newHandler(t, w, store, browser(t))
	w.change(func() { w.scopes = []string{"notes:read", "notes:write", "notes:delete"} })
	mustCall(t, w, person)
}

func TestClientCredentials(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	robot := func(c *oauth.Config) { c.ClientID, c.ClientSecret = "robot", "r0b0t-s3cret" }
	h := newHandler(t, w, store, nil, robot)
	mustCall(t, w, h)
	mustCall(t, w, h)
	if n := w.count("client_credentials"); n != 1 {
		t.Errorf("asked %d times, want 1", n)
	}
	w.change(func() { w.end("") })
	mustCall(t, w, h)
	if n := w.count("client_credentials"); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}
	if files, _ := os.ReadDir(store.Dir); len(files) != 0 {
		t.Errorf("the store holds %v", files)
	}

	w.change(func() { w.lifetime = 5 })
	short := newHandler(t, w, nil, nil, robot)
	mustCall(t, w, short)
	mustCall(t, w, short) // which has asked again before it was refused

	_, err := newHandler(t, w, nil, nil, robot, func(c *oauth.Config) { c.ClientSecret = "wr0ng-s3cret" }).LogIn(t.Context())
	if err == nil || !strings.Contains(err.Error(), "invalid_client") || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("got error %v", err)
	}
	w.change(func() { w.lifetime = 3600 })
	if _, err := h.LogIn(t.Context()); err != nil {
		t.Error(err)
	}

	other := start(t)
	other.change(func() { other.clients = map[string]client{"robot": {secret: "r0b0t-s3cret"}} })
	w.resource = func(m *oauthex.ProtectedResourceMetadata) { m.AuthorizationServers = []string{other.auth.URL} }
	w.change(func() { w.end("") })
	if err := call(t, w, h); err == nil || !strings.Contains(err.Error(), "another authorization server") || len(other.asked) != 0 {
		t.Errorf("got error %v; the other was asked %v", err, other.asked)
	}
}

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

// TestAServerThatRefusesEachToken is no loop.
func TestAServerThatRefusesEachToken(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	logIn(t, newHandler(t, w, store, browser(t)))
	h := newHandler(t, w, store, nil)
	source, err := h.TokenSource(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		token, err := source.Token()
		if err != nil {
			t.Fatal(err)
		}
		request, _ := http.NewRequest(http.MethodPost, w.url(), nil)
		request.Header.Set("Authorization", "Bearer "+token.AccessToken)
		err = h.Authorize(t.Context(), request, refusal(http.StatusUnauthorized, ""))
		if w.count("refresh_token") == 1 && err != nil {
			mustNeedLogin(t, err)
		}
	}
	if n := w.count("refresh_token"); n != 1 {
		t.Errorf("refreshed %d times, want 1", n)
	}
}

func refusal(status int, challenge string) *http.Response {
	r := &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader("no"))}
	if challenge != "" {
		r.Header.Set("WWW-Authenticate", challenge)
	}
	return r
}

func TestNoSecretInAnError(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	w.lifetime = 5
	logIn(t, newHandler(t, w, store, browser(t)))
	var secrets []string
	w.change(func() {
		for token := range w.refresh {
			secrets = append(secrets, token)
		}
		w.refuses = "invalid_grant"
		w.says = func(form url.Values) string {
			secrets = append(secrets, form.Get("code"), form.Get("code_verifier"))
			return fmt.Sprint("bad: ", form)
		}
	})
	errs := []error{call(t, w, newHandler(t, w, store, nil))}
	_, err := newHandler(t, w, store, browser(t)).LogIn(t.Context())
	errs = append(errs, err)
	for _, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "invalid_grant") {
			t.Fatalf("got error %v", err)
		}
		for _, secret := range secrets {
			if secret != "" && strings.Contains(err.Error(), secret) {
				t.Errorf("a secret is in %v", err)
			}
		}
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

func TestLogOut(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	h := newHandler(t, w, store, browser(t))
	if was, err := h.LogOut(t.Context()); was || err != nil {
		t.Errorf("before a login: %v, %v", was, err)
	}
	logIn(t, h)
	if was, err := newHandler(t, w, store, nil).LogOut(t.Context()); !was || err != nil {
		t.Errorf("got %v, %v", was, err)
	}
	if len(w.access)+len(w.refresh) != 0 {
		t.Errorf("still good: %v, %v", w.access, w.refresh)
	}
	mustNeedLogin(t, call(t, w, newHandler(t, w, store, nil)))

	logIn(t, h)
	w.change(func() { w.noRevoking = true })
	var still *oauth.StillValidError
	if was, err := h.LogOut(t.Context()); !was || !errors.As(err, &still) || !strings.Contains(err.Error(), "503") {
		t.Errorf("got %v, %v", was, err)
	}
	mustNeedLogin(t, call(t, w, newHandler(t, w, store, nil)))
}
