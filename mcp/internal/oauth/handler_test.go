package oauth_test

import (
	"net/http"
	"testing"
	"time"

	"helve/mcp/internal/oauth"
)

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

// TestARefusalThatIsLate is of a request that left before another got a new token.
func TestARefusalThatIsLate(t *testing.T) {
	t.Parallel()
	w, store := start(t), newStore(t)
	logIn(t, newHandler(t, w, store, browser(t)))
	request, _ := http.NewRequest(http.MethodPost, w.url(), nil)
	request.Header.Set("Authorization", "Bearer of-before")
	for _, challenge := range []string{"Bearer", `Bearer scope="notes:write"`} {
		for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
			if err := newHandler(t, w, store, nil).Authorize(t.Context(), request, refusal(status, challenge)); err != nil {
				t.Errorf("%d %s: %v", status, challenge, err)
			}
		}
	}
	if n := w.count("refresh_token"); n != 0 {
		t.Errorf("refreshed %d times, and the token was new", n)
	}
}
