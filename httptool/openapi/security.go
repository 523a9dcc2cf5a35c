package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"helve/httptool"
)

// security makes credentials of a document's security schemes.
type security struct {
	doc      *openapi3.T
	schemes  openapi3.SecuritySchemes
	prefix   string            // of the variables' names
	purposes map[string]string // the schemes of the variables
	used     []Variable        // those of the tools that were made
}

func newSecurity(doc *openapi3.T) *security {
	s := &security{doc: doc, purposes: map[string]string{}}
	if doc.Components != nil {
		s.schemes = doc.Components.SecuritySchemes
	}
	if doc.Info != nil {
		s.prefix = prefix(doc.Info.Title)
	}
	return s
}

// prefix is the beginning of a title, without the API at its end.
func prefix(title string) string {
	words := strings.Fields(title)
	if n := len(words); n > 1 && strings.EqualFold(words[n-1], "API") {
		words = words[:n-1]
	}
	return strings.Join(words[:min(len(words), 3)], " ")
}

// of returns the credentials of the first way to be allowed that a tool can go.
func (s *security) of(op operation, server string) (httptool.Auth, error) {
	requirements := s.doc.Security
	if op.Security != nil {
		requirements = *op.Security
	}
	open := len(requirements) == 0
	var reasons []string
	for _, r := range requirements {
		if len(r) == 0 {
			open = true
			continue
		}
		auth, err := s.auth(r, server)
		if err == nil {
			return auth, nil
		}
		reasons = append(reasons, err.Error())
	}
	if open {
		return httptool.Auth{}, nil
	}
	return httptool.Auth{}, errors.New(strings.Join(reasons, "; "))
}

func (s *security) auth(r openapi3.SecurityRequirement, server string) (httptool.Auth, error) {
	names := slices.Sorted(maps.Keys(r))
	if len(names) > 1 {
		return httptool.Auth{}, fmt.Errorf("it wants %s at once, and a tool has one auth_method", strings.Join(names, " and "))
	}
	name := names[0]
	ref := s.schemes[name]
	if ref == nil || ref.Value == nil {
		return httptool.Auth{}, fmt.Errorf("its security scheme %.50q is not in the document", name)
	}
	scheme := ref.Value
	switch scheme.Type {
	case "apiKey":
		if scheme.In != "header" && scheme.In != "query" {
			return httptool.Auth{}, fmt.Errorf("its key goes into a %.20s, which a tool can't send", scheme.In)
		}
		return httptool.Auth{AuthMethod: "api_key", APIKey: s.variable(name, "API_KEY"), APIKeyIn: scheme.In, APIKeyName: scheme.Name}, nil
	case "http":
		return s.http(name, scheme)
	case "oauth2":
		if scheme.Flows != nil && scheme.Flows.ClientCredentials != nil {
			return s.clientCredentials(name, scheme.Flows.ClientCredentials.TokenURL, r[name], server)
		}
		return s.bearer(name), nil
	case "openIdConnect":
		return s.bearer(name), nil
	}
	return httptool.Auth{}, fmt.Errorf("its security scheme %.50q is of the type %.20q, which a tool can't use", name, scheme.Type)
}

func (s *security) http(name string, scheme *openapi3.SecurityScheme) (httptool.Auth, error) {
	switch strings.ToLower(scheme.Scheme) {
	case "bearer":
		return s.bearer(name), nil
	case "basic":
		return httptool.Auth{AuthMethod: "basic", Username: string(s.variable(name, "USERNAME")), Password: s.variable(name, "PASSWORD")}, nil
	}
	return httptool.Auth{}, fmt.Errorf("its HTTP authentication is %.20q, and a tool has basic and bearer", scheme.Scheme)
}

func (s *security) bearer(name string) httptool.Auth {
	return httptool.Auth{AuthMethod: "bearer", Token: s.variable(name, "TOKEN")}
}

func (s *security) clientCredentials(name, tokenURL string, scopes []string, server string) (httptool.Auth, error) {
	base, err := url.Parse(server)
	if err != nil {
		return httptool.Auth{}, err
	}
	u, err := base.Parse(tokenURL)
	if err != nil {
		return httptool.Auth{}, fmt.Errorf("its tokenUrl %.100q is no URL", tokenURL)
	}
	return httptool.Auth{
		AuthMethod: "oauth2_client_credentials", TokenURL: u.String(), Scopes: scopes,
		ClientID: string(s.variable(name, "CLIENT_ID")), ClientSecret: s.variable(name, "CLIENT_SECRET"),
	}, nil
}

// variable is what a file says in place of a secret. Where several schemes want
// the same kind of secret, their names tell them apart.
func (s *security) variable(scheme, kind string) httptool.Secret {
	name := variableName(s.prefix, kind)
	if s.likeIt(scheme) > 1 {
		name = variableName(s.prefix, scheme, kind)
	}
	s.purposes[name] = scheme
	return httptool.Secret("${" + name + "}")
}

// likeIt counts the schemes that want the same kind of secret.
func (s *security) likeIt(scheme string) int {
	n := 0
	for _, ref := range s.schemes {
		if ref != nil && ref.Value != nil && kindOf(ref.Value) == kindOf(s.schemes[scheme].Value) {
			n++
		}
	}
	return n
}

func kindOf(scheme *openapi3.SecurityScheme) string {
	switch {
	case scheme.Type == "apiKey" && scheme.In == "cookie":
		return "cookie"
	case scheme.Type == "apiKey":
		return "key"
	case scheme.Type == "http" && strings.EqualFold(scheme.Scheme, "basic"):
		return "password"
	case scheme.Type == "oauth2" && scheme.Flows != nil && scheme.Flows.ClientCredentials != nil:
		return "client"
	}
	return "token"
}

// use notes the variables of a tool that was made, and the servers they go to.
func (s *security) use(c httptool.Config) {
	host := hostOf(c.APIURL)
	if c.TokenURL != "" {
		host = hostOf(c.TokenURL)
	}
	for _, value := range []string{c.APIKey.Reveal(), c.Token.Reveal(), c.Username, c.Password.Reveal(), c.ClientID, c.ClientSecret.Reveal()} {
		name, ok := strings.CutPrefix(value, "${")
		if name = strings.TrimSuffix(name, "}"); !ok || slices.ContainsFunc(s.used, func(v Variable) bool { return v.Name == name && v.Host == host }) {
			continue
		}
		s.used = append(s.used, Variable{Name: name, Scheme: s.purposes[name], Host: host})
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

func (s *security) variables() []Variable {
	slices.SortFunc(s.used, func(a, b Variable) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Host, b.Host)) })
	return s.used
}
