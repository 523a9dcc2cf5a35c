package mcp

import (
	"context"
	"fmt"
	"net/http"

	"helve/mcp/internal/oauth"
)

// LoginNeededError says that a server wants a person to log in, which [Login] does. No
// retry helps.
type LoginNeededError = oauth.LoginNeededError

// StillValidError says that a login was forgotten here, while its tokens are good until
// they expire: the authorization server could not be told, or has no way to be.
type StillValidError = oauth.StillValidError

// Validity says how long a login is good.
type Validity = oauth.Validity

// ErrNoLogin is for a server that does not ask for a login.
var ErrNoLogin = oauth.ErrNoLogin

// Login lets a person log in to a server, by OAuth, and keeps the tokens in o.TokenDir,
// where every client of that server finds them. show lets the person open an address in
// a browser; Login waits 5 minutes for the browser to come back, to a port of this
// machine. For a server with client credentials it tries them, and nobody is asked.
//
// It always asks: who is logged in already may become another, or get the rights that
// a [LoginNeededError] names.
func Login(ctx context.Context, c Config, o Options, show func(ctx context.Context, url string) error) (Validity, error) {
	client, release, err := authClient(c, o)
	if err != nil {
		return Validity{}, err
	}
	defer release()
	h, err := authorizer(c, o, client, &oauth.Login{Show: show})
	if err != nil {
		return Validity{}, err
	}
	return h.LogIn(ctx)
}

// Logout forgets a login and tells the authorization server that its tokens are over.
// It reports whether there was one. After a [StillValidError] all is forgotten here.
func Logout(ctx context.Context, c Config, o Options) (was bool, err error) {
	client, release, err := authClient(c, o)
	if err != nil {
		return false, err
	}
	defer release()
	h, err := authorizer(c, o, client, nil)
	if err != nil {
		return false, err
	}
	return h.LogOut(ctx)
}

// authorizer gets the tokens for a server. Without a login it asks nobody.
func authorizer(c Config, o Options, client *http.Client, login *oauth.Login) (*oauth.Handler, error) {
	if c.URL == "" || c.Type == Stdio {
		return nil, fmt.Errorf("mcp server %s: it is a program, which has no login", c.Name)
	}
	config := oauth.Config{Server: c.Name, URL: c.URL}
	if c.OAuth != nil {
		config.ClientID, config.ClientSecret = c.OAuth.ClientID, c.OAuth.ClientSecret.Reveal()
		config.Scopes, config.Grant, config.CallbackPort = c.OAuth.Scopes, c.OAuth.Grant, c.OAuth.CallbackPort
	}
	return oauth.New(config, &oauth.Store{Dir: o.TokenDir}, client, login)
}

// authClient asks the authorization server, whichever the MCP server names.
func authClient(c Config, o Options) (client *http.Client, release func(), err error) {
	r, err := newRemote(c, o)
	if err != nil {
		return nil, nil, err
	}
	return r.AuthClient(), r.Close, nil
}
