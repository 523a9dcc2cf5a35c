package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"helve/mcp/internal/oauth"
)

func TestWhatTheBrowserBringsBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		back       func(q, back url.Values) // of the login's address, and what it brings
		page, want string
	}{
		"no":         {func(_, b url.Values) { b.Del("code"); b.Set("error", "access_denied") }, "The login failed", "refused (access_denied)"},
		"an error":   {func(_, b url.Values) { b.Set("error", "server_error"); b.Set("error_description", "<b>down</b>") }, "&lt;b&gt;down", "server_error: <b>down</b>"},
		"no code":    {func(_, b url.Values) { b.Del("code") }, "without a code", "without a code"},
		"no issuer":  {func(_, b url.Values) { b.Del("iss") }, "which server", "which server it is from"},
		"other":      {func(_, b url.Values) { b.Set("iss", "https://example.com") }, "another server", "another server"},
		"bad code":   {func(_, b url.Values) { b.Set("code", "guessed") }, "You can close this window", "invalid_grant"},
		"a stranger": {func(_, b url.Values) { b.Set("state", "guessed") }, "not the answer", "nobody came back"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, client := start(t), newClient(t)
			var page string
			login := &oauth.Login{Wait: 100 * time.Millisecond, Show: func(ctx context.Context, address string) (err error) {
				u, err := url.Parse(address)
				if err != nil {
					return err
				}
				q := u.Query()
				back := url.Values{"state": {q.Get("state")}, "code": {"code"}, "iss": {w.auth.URL}}
				test.back(q, back)
				page, err = get(ctx, client, q.Get("redirect_uri")+"?"+back.Encode())
				return err
			}}
			_, err := newHandler(t, w, nil, login).LogIn(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			if !strings.Contains(page, test.page) {
				t.Errorf("the page says %q, want %q", page, test.page)
			}
		})
	}
}

func TestTheCallbackIsNoMoreThanThat(t *testing.T) {
	t.Parallel()
	w, client := start(t), newClient(t)
	login := &oauth.Login{Show: func(ctx context.Context, address string) error {
		u, _ := url.Parse(address)
		redirect, _ := url.Parse(u.Query().Get("redirect_uri"))
		if redirect.Hostname() != "127.0.0.1" || redirect.Path != "/callback" {
			t.Errorf("the redirect is %s", redirect)
		}
		response, err := client.Get("http://" + redirect.Host + "/")
		if err != nil {
			return err
		}
		response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("/ answers %s", response.Status)
		}
		if _, err := get(ctx, client, address); err != nil { // the login
			return err
		}
		second, err := get(ctx, client, redirect.String()+"?code=x&iss="+url.QueryEscape(w.auth.URL)+"&state="+u.Query().Get("state"))
		if err == nil && !strings.Contains(second, "answered already") {
			t.Errorf("a second answer gets %q", second)
		}
		return nil
	}}
	logIn(t, newHandler(t, w, nil, login))
}

func TestALoginIsGivenUp(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	login := &oauth.Login{Show: func(context.Context, string) error { cancel(); return nil }}
	if _, err := newHandler(t, w, nil, login).LogIn(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
}
