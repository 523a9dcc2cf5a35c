package oauth_test

import (
	"errors"
	"strings"
	"testing"

	"helve/mcp/internal/oauth"
)

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
