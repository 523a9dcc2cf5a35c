package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"
)

// StillValidError says that a login was forgotten here, while its tokens are good until
// they expire: the authorization server could not be told, or has no way to be.
type StillValidError struct {
	Server string
	Err    error
}

func (e *StillValidError) Error() string {
	return fmt.Sprintf("mcp server %s: its tokens are good until they expire: %v", e.Server, e.Err)
}

func (e *StillValidError) Unwrap() error { return e.Err }

// LogOut forgets the login and the client that was registered for it, and tells the
// authorization server that the tokens are over (RFC 7009). It reports whether there
// was a login. After a [StillValidError] all is forgotten here.
func (h *Handler) LogOut(ctx context.Context) (was bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	unlock, err := h.store.lock(ctx, h.config.URL)
	if err != nil {
		return false, h.errorf("%w", err)
	}
	defer unlock()
	unreadable := h.reload()
	r := h.known
	h.known = record{}
	if h.store != nil {
		if err := h.store.delete(h.config.URL); err != nil {
			return false, h.errorf("its login can't be deleted: %w", err)
		}
	}
	switch {
	case unreadable != nil:
		return true, &StillValidError{h.config.Server, unreadable}
	case r.AccessToken == "" && r.RefreshToken == "":
		return false, nil
	}
	if err := h.revoke(ctx, &r); err != nil {
		return true, &StillValidError{h.config.Server, err}
	}
	return true, nil
}

// revoke tells of both tokens: not every server ends the one with the other.
func (h *Handler) revoke(ctx context.Context, r *record) error {
	if !secure(r.RevocationEndpoint) {
		return errors.New("its authorization server has no revocation endpoint")
	}
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	var errs []error
	for _, t := range []struct{ kind, token string }{{"refresh_token", r.RefreshToken}, {"access_token", r.AccessToken}} {
		if t.token != "" {
			errs = append(errs, h.revokeOne(ctx, r, t.kind, t.token))
		}
	}
	return errors.Join(errs...)
}

func (h *Handler) revokeOne(ctx context.Context, r *record, kind, token string) error {
	form := url.Values{"token": {token}, "token_type_hint": {kind}}
	inHeader := r.authStyle() == oauth2.AuthStyleInHeader
	if !inHeader {
		form.Set("client_id", r.ClientID)
		if r.ClientSecret != "" {
			form.Set("client_secret", r.ClientSecret)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.RevocationEndpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if inHeader {
		request.SetBasicAuth(url.QueryEscape(r.ClientID), url.QueryEscape(r.ClientSecret))
	}
	response, err := h.client.Do(request)
	if err != nil {
		return err
	}
	drain(response)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("its authorization server answers the revocation of the %s with %s", strings.ReplaceAll(kind, "_", " "), response.Status)
	}
	return nil
}
