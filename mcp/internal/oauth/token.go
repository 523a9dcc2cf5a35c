package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"helve/internal/excerpt"
)

const (
	tokenTimeout = 30 * time.Second // of one question to the token endpoint
	mostSaid     = 300              // bytes of what an authorization server says for people
)

// refusal is an answer of the token endpoint that is an OAuth error (RFC 6749, 5.2).
type refusal struct {
	status int
	code   string // such as invalid_grant
	said   string
}

func (r *refusal) Error() string {
	words := "the authorization server refuses"
	if r.code != "" {
		words += " (" + r.code + ")"
	} else {
		words += fmt.Sprintf(" with status %d", r.status)
	}
	if r.said != "" {
		words += ": " + r.said
	}
	return words
}

// final says that asking the same again can't help.
func (r *refusal) final() bool {
	switch r.code {
	case "", "server_error", "temporarily_unavailable", "slow_down":
		return false
	}
	return r.status < 500 && r.status != http.StatusTooManyRequests
}

// unknownClient says that the registration is of no use any more.
func (r *refusal) unknownClient() bool {
	return r.code == "invalid_client" || r.code == "unauthorized_client"
}

// ask asks the token endpoint of r's issuer. The library's clientcredentials sends any
// grant by its parameters; each names the audience too (RFC 8707).
func (h *Handler) ask(ctx context.Context, r *record, parameters url.Values) (*oauth2.Token, error) {
	if !secure(r.TokenEndpoint) {
		return nil, h.errorf("the token endpoint %q is not https", r.TokenEndpoint)
	}
	parameters.Set("resource", r.Resource)
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	endpoint := clientcredentials.Config{
		ClientID: r.ClientID, ClientSecret: r.ClientSecret, TokenURL: r.TokenEndpoint,
		AuthStyle: r.authStyle(), EndpointParams: parameters,
	}
	token, err := endpoint.Token(context.WithValue(ctx, oauth2.HTTPClient, h.client))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused):
		said := refused.ErrorDescription
		for _, secret := range []string{r.ClientSecret, parameters.Get("refresh_token"), parameters.Get("code"), parameters.Get("code_verifier")} {
			if secret != "" {
				said = strings.ReplaceAll(said, secret, "[secret]")
			}
		}
		return nil, h.errorf("%w", &refusal{refused.Response.StatusCode, excerpt.Of(refused.ErrorCode, 60), excerpt.Of(said, mostSaid)})
	case err != nil:
		return nil, h.errorf("its authorization server: %w", err)
	case !strings.EqualFold(token.Type(), "Bearer"):
		return nil, h.errorf("its authorization server gave a token of type %q: only Bearer is known", excerpt.Of(token.Type(), 60))
	}
	return token, nil
}

// take notes a token that was asked for with scopes.
func (r *record) take(token *oauth2.Token, scopes []string) {
	r.AccessToken, r.Expiry = token.AccessToken, token.Expiry
	if token.RefreshToken != "" {
		r.RefreshToken = token.RefreshToken
	}
	if granted, ok := token.Extra("scope").(string); ok {
		scopes = strings.Fields(granted)
	}
	if scopes != nil {
		r.Scopes = union(scopes)
	}
}

// renew gets a token in place of one that is over or was refused, without a person.
func (h *Handler) renew(ctx context.Context, refused string) error {
	if h.machine() {
		return h.renewMachine(ctx)
	}
	return h.refresh(ctx, refused)
}

// renewMachine asks for a token for the client itself. It is kept in memory alone: the
// secret that gets another is in the configuration.
func (h *Handler) renewMachine(ctx context.Context) error {
	s := h.server // Authorize has found it out before there was any token
	r := record{
		Resource: s.resource, Issuer: s.meta.Issuer, TokenEndpoint: s.meta.TokenEndpoint,
		ClientID: h.config.ClientID, ClientSecret: h.config.ClientSecret, Wanted: h.known.Wanted,
		AuthMethod: methodFor(s.meta, true),
	}
	parameters := url.Values{"grant_type": {ClientCredentials}}
	scopes := h.scopes(s)
	if len(scopes) > 0 {
		parameters.Set("scope", strings.Join(scopes, " "))
	}
	token, err := h.ask(ctx, &r, parameters)
	if err != nil {
		return err
	}
	r.take(token, scopes)
	r.RefreshToken = ""
	h.known = r
	return nil
}

// refresh gets new tokens for the refresh token, in one process at a time: where each
// refresh gives a new refresh token, a second use of the old one ends the login.
func (h *Handler) refresh(ctx context.Context, refused string) error {
	if err := h.refreshable(); err != nil {
		return err
	}
	release, err := h.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	r := h.known
	if r.valid() && r.AccessToken != refused {
		return nil // another process was first
	}
	if err := h.refreshable(); err != nil {
		return err // another process ended the login
	}
	// Who gives up now must not lose the answer: the old refresh token may be over.
	token, err := h.ask(context.WithoutCancel(ctx), &r, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {r.RefreshToken}})
	var no *refusal
	if errors.As(err, &no) && no.final() {
		r.AccessToken, r.RefreshToken, r.Ended = "", "", "the login is over: "+no.Error()
		if no.unknownClient() {
			r.forgetClient()
		}
		if err := h.save(r); err != nil {
			return err
		}
		return h.needed(r.Ended)
	}
	if err != nil {
		return err
	}
	r.take(token, nil)
	return h.save(r)
}

func (h *Handler) refreshable() error {
	switch {
	case h.known.RefreshToken != "":
		return nil
	case h.known.Ended != "":
		return h.needed(h.known.Ended)
	case h.known.AccessToken == "":
		return h.needed("nobody is logged in")
	}
	return h.needed("the login is over")
}
