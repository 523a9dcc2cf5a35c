package mcp

import (
	"errors"
	"net/http"

	"helve/mcp/internal/oauth"
	"helve/mcp/internal/remote"
)

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
