package httptool

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"helve/netpolicy"
	"helve/tool"
)

// clientCredentials gets a token and keeps it until it ends, or until a server
// refuses it. The library's own token source lives as long as one context; this
// one serves many calls, each with a deadline of its own.
type clientCredentials struct {
	config clientcredentials.Config
	client *http.Client
	where  *url.URL // of the server that gives out tokens

	turn  chan struct{} // holds one element while nobody gets a token
	token *oauth2.Token // owned by who took the turn
}

func newClientCredentials(a Auth, client *http.Client) *clientCredentials {
	where, err := url.Parse(a.TokenURL)
	if err != nil { // New has checked it
		where = &url.URL{}
	}
	c := &clientCredentials{
		config: clientcredentials.Config{ClientID: a.ClientID, ClientSecret: a.ClientSecret.Reveal(), TokenURL: a.TokenURL, Scopes: a.Scopes},
		client: client,
		where:  &url.URL{Scheme: where.Scheme, Host: where.Host},
		turn:   make(chan struct{}, 1),
	}
	c.turn <- struct{}{}
	return c
}

func (c *clientCredentials) authorize(ctx context.Context, request *http.Request) ([]string, error) {
	select {
	case <-c.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { c.turn <- struct{}{} }()
	if !c.token.Valid() {
		token, err := c.config.Token(context.WithValue(ctx, oauth2.HTTPClient, c.client))
		if err != nil {
			return nil, c.failure(ctx, err)
		}
		c.token = token
	}
	c.token.SetAuthHeader(request)
	return []string{c.token.AccessToken, c.config.ClientSecret}, nil
}

// renew forgets the token that request was refused with, unless another call has
// a newer one already.
func (c *clientCredentials) renew(request *http.Request) bool {
	select {
	case <-c.turn:
	case <-request.Context().Done():
		return false
	}
	defer func() { c.turn <- struct{}{} }()
	if c.token != nil && request.Header.Get("Authorization") == c.token.Type()+" "+c.token.AccessToken {
		c.token = nil
	}
	return true
}

// failure says why there is no token, without what the server wrote: it may
// repeat the secret.
func (c *clientCredentials) failure(ctx context.Context, err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return netpolicy.Error("no token", c.where, err)
	}
	status := refused.Response.StatusCode
	if retryableStatus(status) {
		return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("no token: %s answered %s", c.where.Host, statusText(status)), Retryable: true}
	}
	message := fmt.Sprintf("no token: %s answered %s", c.where.Host, statusText(status))
	if code := refused.ErrorCode; knownOAuthErrors[code] {
		message += " (" + code + ")"
	}
	return &tool.Error{Kind: tool.KindPermissionDenied, Message: message + ": client_id, client_secret or scopes of this tool are not accepted"}
}

// knownOAuthErrors are those of RFC 6749, section 5.2. Another text could hold
// anything.
var knownOAuthErrors = map[string]bool{
	"invalid_request": true, "invalid_client": true, "invalid_grant": true,
	"unauthorized_client": true, "unsupported_grant_type": true, "invalid_scope": true,
}
