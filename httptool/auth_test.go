package httptool

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"helve/internal/secret"
	"helve/tool"
)

// credentials answers with what a request shows.
func credentials(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if user != "" {
		fmt.Fprintf(w, "user=%d password=%d ", len(user), len(password))
	}
	for _, name := range []string{"Authorization", "X-Api-Key", "X-Key"} {
		if value := r.Header.Get(name); value != "" {
			scheme, rest, _ := strings.Cut(value, " ")
			fmt.Fprintf(w, "%s=%s:%d ", name, scheme, len(rest))
		}
	}
	fmt.Fprintf(w, "query=%s", r.URL.RawQuery)
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	url := serve(t, credentials)
	for _, test := range []struct {
		auth Auth
		want string
	}{
		{Auth{}, "query="},
		{Auth{AuthMethod: "none"}, "query="},
		{Auth{AuthMethod: "api_key", APIKey: "k1"}, "X-Api-Key=k1:0 query="},
		{Auth{AuthMethod: "api_key", APIKey: "k1", APIKeyIn: "header", APIKeyName: "x-key"}, "X-Key=k1:0 query="},
		{Auth{AuthMethod: "api_key", APIKey: "a b", APIKeyIn: "query"}, "query=api_key=a+b"},
		{Auth{AuthMethod: "api_key", APIKey: "k1", APIKeyIn: "query", APIKeyName: "appid"}, "query=appid=k1"},
		{Auth{AuthMethod: "bearer", Token: "tok"}, "Authorization=Bearer:3 query="},
		{Auth{AuthMethod: "basic", Username: "me", Password: "pass"}, "user=2 password=4 Authorization=Basic:12 query="},
	} {
		if got := mustInvoke(t, makeTool(t, Config{APIURL: url, Auth: test.auth}), `{}`).Text(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.auth.AuthMethod, got, test.want)
		}
	}
}

// A server that repeats what it got doesn't show a model the key.
func TestSecretsDoNotComeBack(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/refused" {
			w.WriteHeader(http.StatusForbidden)
		}
		_, password, _ := r.BasicAuth()
		fmt.Fprintf(w, `{"you":%q,"password":%q,"headers":%q,"x":%q}`, r.URL.RequestURI(), password, r.Header.Get("Authorization"), r.Header.Get("X-Token"))
	})
	for name, c := range map[string]Config{
		"query":   {Auth: Auth{AuthMethod: "api_key", APIKey: "very+secret", APIKeyIn: "query"}},
		"bearer":  {Auth: Auth{AuthMethod: "bearer", Token: "very+secret"}},
		"basic":   {Auth: Auth{AuthMethod: "basic", Username: "me", Password: "very+secret"}},
		"written": {Headers: map[string]string{"X-Token": "Token very+secret"}},
		"in URL":  {Query: map[string]string{"key": "very+secret"}},
	} {
		for _, path := range []string{"/ok", "/refused"} {
			c.APIURL = url + path
			result, err := invoke(t, makeTool(t, c), `{}`)
			all := result.Text()
			if err != nil {
				all = fmt.Sprint(err, tool.AsError(err).Detail)
			}
			all += string(result.Artifact.(Answer).Body)
			for _, secret := range []string{"very+secret", "very%2Bsecret", "bWU6dmVyeStzZWNyZXQ="} {
				if strings.Contains(all, secret) {
					t.Errorf("%s: the key shows: %s", name, all)
				}
			}
			if !strings.Contains(all, "[secret]") {
				t.Errorf("%s: the server showed nothing: %s", name, all)
			}
		}
	}
}

// tokenServer gives out tokens t1, t2, … and an API that takes only the last, on
// two ports.
type tokenServer struct {
	tokens, api *httptest.Server
	given       atomic.Int64 // tokens so far
	revoked     atomic.Int64 // up to this one
	calls       atomic.Int64
	refuse      atomic.Pointer[http.HandlerFunc]
}

func newTokenServer(t *testing.T) *tokenServer {
	t.Helper()
	s := &tokenServer{}
	s.tokens = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse := s.refuse.Load(); refuse != nil {
			(*refuse)(w, r)
			return
		}
		id, secret, ok := r.BasicAuth()
		if !ok || id != "me" || secret != "very-secret" || r.PostFormValue("grant_type") != "client_credentials" || r.PostFormValue("scope") != "read write" {
			answer(http.StatusUnauthorized, "application/json", `{"error":"invalid_client","error_description":"very-secret"}`)(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"bearer","expires_in":3600}`, s.given.Add(1))
	}))
	t.Cleanup(s.tokens.Close)
	s.api = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		var n int64
		if _, err := fmt.Sscanf(r.Header.Get("Authorization"), "Bearer token-%d", &n); err != nil || n <= s.revoked.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, "number %d", n)
	}))
	t.Cleanup(s.api.Close)
	return s
}

func (s *tokenServer) config() Config {
	return Config{APIURL: s.api.URL, Auth: Auth{
		AuthMethod: "oauth2_client_credentials", TokenURL: s.tokens.URL + "/token", ClientID: "me", ClientSecret: "very-secret", Scopes: []string{"read", "write"},
	}}
}

func TestClientCredentials(t *testing.T) {
	t.Parallel()
	s := newTokenServer(t)
	made := makeTool(t, s.config())
	for range 3 {
		if got := mustInvoke(t, made, `{}`).Text(); got != "number 1" {
			t.Errorf("got %q", got)
		}
	}
	// A token that is refused is fetched anew, once.
	s.revoked.Store(1)
	if got := mustInvoke(t, made, `{}`).Text(); got != "number 2" {
		t.Errorf("got %q", got)
	}
	s.revoked.Store(1000)
	before := s.calls.Load()
	_, err := invoke(t, made, `{}`)
	wantError(t, err, tool.KindPermissionDenied, false, "api: 127.0.0.1 answered 401 Unauthorized")
	if n := s.calls.Load() - before; n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}
}

func TestClientCredentialsAreFetchedOnce(t *testing.T) {
	t.Parallel()
	s := newTokenServer(t)
	made := makeTool(t, s.config())
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if result, err := invoke(t, made, `{}`); err != nil || result.Text() != "number 1" {
				t.Errorf("got %q, %v", result.Text(), err)
			}
		})
	}
	wait.Wait()
	if n := s.given.Load(); n != 1 {
		t.Errorf("%d tokens", n)
	}
}

func TestClientCredentialsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		kind    tool.Kind
		retry   bool
		want    string
	}{
		{"wrong secret", answer(401, "application/json", `{"error":"invalid_client","error_description":"very-secret"}`), tool.KindPermissionDenied, false, "answered 401 Unauthorized (invalid_client): client_id"},
		{"an error with a secret for a name", answer(400, "application/json", `{"error":"very-secret"}`), tool.KindPermissionDenied, false, "answered 400 Bad Request: client_id"},
		{"broken", answer(500, "text/plain", "very-secret"), tool.KindUnavailable, true, "answered 500"},
		{"no token in it", answer(200, "application/json", `{}`), tool.KindUnavailable, true, "no token"},
		{"a page", answer(200, "text/html", "<p>Log in"), tool.KindUnavailable, true, "no token"},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/token", http.StatusTemporaryRedirect)
		}, tool.KindPermissionDenied, false, "is not allowed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newTokenServer(t)
			s.refuse.Store(&test.handler)
			_, err := invoke(t, makeTool(t, s.config()), `{}`)
			e := wantError(t, err, test.kind, test.retry, test.want)
			if all := fmt.Sprint(e, e.Detail, e.Err); strings.Contains(all, "very-secret") {
				t.Errorf("the secret shows: %s", all)
			}
			if s.calls.Load() != 0 {
				t.Error("the API was asked without a token")
			}
		})
	}
}

func TestLooksSecret(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Authorization": true, "X-Api-Key": true, "apikey": true, "key": true, "access_token": true, "X-Auth-Token": true, "Cookie": true, "app.secret": true,
		"keywords": false, "q": false, "author": false, "Accept": false, "monkey": false, "tokens_max": false, "Content-Type": false,
	} {
		if got := secret.IsNamed(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
