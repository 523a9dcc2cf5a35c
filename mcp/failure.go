package mcp

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"helve/mcp/internal/oauth"
	"helve/mcp/internal/remote"
)

// machinery is what the protocol's library puts before an error.
var machinery = regexp.MustCompile(`(?:connection closed: )?(?:calling|sending) "[A-Za-z/]+": |rejected by transport: |EOF; (the program ended)`)

// words are an error for people, who know which server it is about.
func words(server string, err error) string {
	text := strings.ReplaceAll(err.Error(), "mcp server "+server+": ", "")
	return machinery.ReplaceAllString(text, "$1")
}

// refusedKey is what to say before an error if the server did not take the key that the
// configuration has: a login would not help.
func (c Config) refusedKey(err error) string {
	switch {
	case !c.hasKey() || !needsAuth(err):
		return ""
	case c.APIKey != "":
		return "the server refused the key (mcp_api_key): "
	}
	return "the server refused the key (Authorization in headers): "
}

// nothingElse is the error of a server that speaks no kind of HTTP: why it does not speak
// the one, and the other, unless that is the same.
func nothingElse(server string, one, other error) error {
	both := fmt.Errorf("%w; and nothing else was found there: %w", one, other)
	if first := words(server, one); first == words(server, other) {
		return &reworded{first, both}
	}
	return both
}

// needsAuth says whether somebody must log in, or give another key, before it is worth
// to try again.
func needsAuth(err error) bool {
	var login *oauth.LoginNeededError
	var status *remote.StatusError
	return errors.As(err, &login) || errors.As(err, &status) && status.NeedsAuth()
}

// unreached says whether no protocol would have helped: nobody was there to speak it.
func unreached(err error) bool {
	var request *remote.RequestError
	var status *remote.StatusError
	return errors.As(err, &request) && request.NotRun && !errors.As(err, &status)
}

// elsewise says whether a server may speak something else than Streamable HTTP.
func elsewise(err error) bool {
	var status *remote.StatusError
	if !errors.As(err, &status) {
		return false
	}
	switch status.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}
