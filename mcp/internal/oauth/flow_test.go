package oauth_test

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"

	"helve/mcp/internal/oauth"
)

func only(clients map[string]client) string {
	for id := range clients {
		if id != "robot" {
			return id
		}
	}
	return ""
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
