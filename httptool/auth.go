package httptool

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"helve/internal/nearest"
)

// authorizer shows a server who asks.
type authorizer interface {
	// authorize puts the credentials into request, and returns what of them must
	// never be seen in an answer.
	authorize(ctx context.Context, request *http.Request) (secrets []string, err error)

	// renew gets fresh credentials after the server refused request, and reports
	// whether there are any.
	renew(request *http.Request) bool
}

var authMethods = []string{"none", "api_key", "bearer", "basic", "oauth2_client_credentials"}

// authKeys are the keys that belong to each method, the required ones first.
var authKeys = map[string]struct{ required, optional []string }{
	"none":                      {},
	"api_key":                   {[]string{"api_key"}, []string{"api_key_in", "api_key_name"}},
	"bearer":                    {[]string{"token"}, nil},
	"basic":                     {[]string{"username"}, []string{"password"}},
	"oauth2_client_credentials": {[]string{"token_url", "client_id", "client_secret"}, []string{"scopes"}},
}

// given are the keys of a that are set.
func (a Auth) given() []string {
	var keys []string
	for _, k := range []struct {
		name string
		set  bool
	}{
		{"api_key", a.APIKey != ""}, {"api_key_in", a.APIKeyIn != ""}, {"api_key_name", a.APIKeyName != ""},
		{"token", a.Token != ""}, {"username", a.Username != ""}, {"password", a.Password != ""},
		{"token_url", a.TokenURL != ""}, {"client_id", a.ClientID != ""}, {"client_secret", a.ClientSecret != ""}, {"scopes", len(a.Scopes) > 0},
	} {
		if k.set {
			keys = append(keys, k.name)
		}
	}
	return keys
}

// check finds a method that is none, and keys that are missing or belong to
// another method: a key that nobody sends is a mistake.
func (a Auth) check(wrong *problems) {
	method := a.AuthMethod
	if method == "" {
		method = "none"
	}
	keys, ok := authKeys[method]
	if !ok {
		help := ""
		if near := nearest.Names(method, authMethods, 1); len(near) > 0 {
			help = "did you mean " + near[0] + "? "
		}
		wrong.add("/auth_method", "%q is no method: %sthere are %s", method, help, strings.Join(authMethods, ", "))
		return
	}
	given := a.given()
	for _, key := range given {
		if !slices.Contains(keys.required, key) && !slices.Contains(keys.optional, key) {
			wrong.add("/"+key, "it is not used with auth_method: %s%s", method, methodOf(key))
		}
	}
	for _, key := range keys.required {
		if !slices.Contains(given, key) {
			wrong.add("/auth_method", "%s needs %s", method, key)
		}
	}
	a.checkAPIKey(wrong)
	a.checkTokenURL(wrong)
}

func methodOf(key string) string {
	for _, method := range authMethods {
		if keys := authKeys[method]; slices.Contains(keys.required, key) || slices.Contains(keys.optional, key) {
			return ": write auth_method: " + method
		}
	}
	return ""
}

func (a Auth) checkAPIKey(wrong *problems) {
	switch a.APIKeyIn {
	case "", "header":
		if a.APIKeyName != "" && !httpguts.ValidHeaderFieldName(a.APIKeyName) {
			wrong.add("/api_key_name", "%q is no name for a header", a.APIKeyName)
		}
		if !httpguts.ValidHeaderFieldValue(a.APIKey.Reveal()) {
			wrong.add("/api_key", "it holds a character that no header may, such as the end of a line")
		}
	case "query":
	default:
		wrong.add("/api_key_in", "%q is no place: there are header and query", a.APIKeyIn)
	}
	if !httpguts.ValidHeaderFieldValue(a.Token.Reveal()) {
		wrong.add("/token", "it holds a character that no header may, such as the end of a line")
	}
}

func (a Auth) checkTokenURL(wrong *problems) {
	if a.TokenURL == "" {
		return
	}
	if t, err := parseTarget(a.TokenURL); err != nil {
		wrong.add("/token_url", "%v", err)
	} else if t.path.hasArguments() {
		wrong.add("/token_url", "arguments have no place here")
	}
}

// fixed is the authorizer of credentials that never change.
type fixed struct{ auth Auth }

func (f fixed) renew(*http.Request) bool { return false }

func (f fixed) authorize(_ context.Context, request *http.Request) ([]string, error) {
	a := f.auth
	switch {
	case a.AuthMethod == "bearer":
		request.Header.Set("Authorization", "Bearer "+a.Token.Reveal())
	case a.AuthMethod == "basic":
		request.SetBasicAuth(a.Username, a.Password.Reveal())
	case a.AuthMethod == "api_key" && a.APIKeyIn == "query":
		query := request.URL.Query()
		query.Set(orDefault(a.APIKeyName, "api_key"), a.APIKey.Reveal())
		request.URL.RawQuery = query.Encode()
	case a.AuthMethod == "api_key":
		request.Header.Set(orDefault(a.APIKeyName, "X-API-Key"), a.APIKey.Reveal())
	}
	return f.secrets(), nil
}

func (f fixed) secrets() []string {
	a := f.auth
	return []string{
		a.APIKey.Reveal(), a.Token.Reveal(), a.Password.Reveal(), a.ClientSecret.Reveal(),
		base64.StdEncoding.EncodeToString([]byte(a.Username + ":" + a.Password.Reveal())),
	}
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
