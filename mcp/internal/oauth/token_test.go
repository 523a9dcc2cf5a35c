package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"helve/mcp/internal/oauth"
)

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

// TestAnAnswerIsNotLost gives up a call while its refresh is on the way: the server has
// ended the old refresh token by then.
func TestAnAnswerIsNotLost(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	logIn(t, newHandler(t, w, store, browser(t)))
	w.change(func() { clear(w.access) })
	h := newHandler(t, w, store, nil)
	ctx, cancel := context.WithCancel(t.Context())
	w.answering = cancel
	request, _ := http.NewRequest(http.MethodPost, w.url(), nil)
	request.Header.Set("Authorization", "Bearer "+mustToken(t, h))
	if err := h.Authorize(ctx, request, refusal(http.StatusUnauthorized, "Bearer")); err != nil {
		t.Error(err)
	}
	if ctx.Err() == nil {
		t.Fatal("nothing was given up")
	}
	mustCall(t, w, newHandler(t, w, store, nil))
	if n := w.count("stolen"); n != 0 {
		t.Error("the old refresh token was sent again")
	}
}

func TestRefusalsThatPass(t *testing.T) {
	t.Parallel()
	for code, ends := range map[string]bool{
		"invalid_grant": true, "invalid_client": true, "unauthorized_client": true, "invalid_scope": true,
		"server_error": false, "temporarily_unavailable": false, "slow_down": false,
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w, store := start(t), newStore(t)
			w.lifetime = 5
			logIn(t, newHandler(t, w, store, browser(t)))
			w.change(func() { w.refuses = code })
			h := newHandler(t, w, store, nil)
			for range 2 {
				var needed *oauth.LoginNeededError
				if err := call(t, w, h); err == nil || errors.As(err, &needed) != ends {
					t.Errorf("got error %v, and it ends the login: want %v", err, ends)
				}
			}
			if ends && w.count("refresh_token") != 1 {
				t.Error("it was asked again")
			}
		})
	}
}
