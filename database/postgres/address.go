package postgres

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// connectTimeout is how long a server may take to answer, unless the address
// says so itself.
const connectTimeout = 10 * time.Second

// errAddress shows nothing of the address: of one that can't be parsed nobody can
// say where the password is.
var errAddress = errors.New("the address is not valid: write postgres://user:password@host:5432/database, with %-codes for special characters of the password, such as %40 for @")

// parse reads an address.
func parse(address string) (*pgx.ConnConfig, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || torn(address) {
		return nil, errAddress
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		if mayShow(u, err.Error()) {
			return nil, fmt.Errorf("%w (%v)", errAddress, err)
		}
		return nil, errAddress
	}
	if !u.Query().Has("connect_timeout") {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "helve" // in the server's list of connections
	}
	return config, nil
}

// torn reports whether a password with a special character was taken for the end
// of the host: in postgres://user:p@ss/word@host the host would be ss, and errors
// would show it.
func torn(address string) bool {
	_, rest, _ := strings.Cut(address, "//")
	end := strings.IndexAny(rest, "/?#")
	return end >= 0 && strings.Contains(rest[end:], "@")
}

// mayShow reports whether a text has none of the secrets in the address.
func mayShow(u *url.URL, text string) bool {
	password, _ := u.User.Password()
	query := u.Query()
	secrets := append([]string{password}, query["password"]...)
	for _, secret := range append(secrets, query["sslpassword"]...) {
		if secret == "" {
			continue
		}
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			if strings.Contains(text, form) {
				return false
			}
		}
	}
	return true
}
