package oauth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/oauth2"
)

// Store keeps logins in a folder: a file for each server, which its owner alone can
// read. Processes may share it.
type Store struct{ Dir string }

// record is a login as its file holds it.
type record struct {
	URL      string `json:"url"`
	Resource string `json:"resource"`
	Issuer   string `json:"issuer"`

	TokenEndpoint      string `json:"token_endpoint"`
	RevocationEndpoint string `json:"revocation_endpoint,omitempty"`

	ClientID     string    `json:"client_id"`
	ClientSecret string    `json:"client_secret,omitempty"`
	SecretExpiry time.Time `json:"client_secret_expiry,omitzero"`
	AuthMethod   string    `json:"token_endpoint_auth_method,omitempty"`
	Registered   bool      `json:"registered"` // by us; else the configuration names the client
	RedirectURI  string    `json:"redirect_uri,omitempty"`
	Scopes       []string  `json:"scopes,omitempty"`
	Wanted       []string  `json:"wanted_scopes,omitempty"` // that the server asked for and a login lacked
	AccessToken  string    `json:"access_token,omitempty"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expiry       time.Time `json:"expiry,omitzero"` // of the access token; zero is not known
	Ended        string    `json:"ended,omitempty"` // why there are no tokens any more
}

// Format keeps the secrets out of whatever prints a record.
func (r record) Format(f fmt.State, _ rune) { io.WriteString(f, "[login of "+r.URL+"]") }

func (r *record) valid() bool {
	return (&oauth2.Token{AccessToken: r.AccessToken, Expiry: r.Expiry}).Valid()
}

func (r *record) forgetClient() {
	r.ClientID, r.ClientSecret, r.RedirectURI, r.Registered = "", "", "", false
}

const mostFile = 1 << 20 // bytes of a login's file

func (s *Store) file(url string) string {
	sum := sha256.Sum256([]byte(url))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:16])+".json")
}

// load returns the login of a server; none is the zero record.
func (s *Store) load(url string) (record, error) {
	var r record
	f, err := os.Open(s.file(url))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	defer f.Close()
	if err := checkPrivate(f); err != nil {
		return r, err
	}
	data, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	if err != nil {
		return r, err
	}
	if len(data) > mostFile {
		return r, fmt.Errorf("%s has more than %d bytes: delete it and log in again", f.Name(), mostFile)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&r); err != nil || r.URL != url {
		return record{}, fmt.Errorf("%s is not the login of this server: delete it and log in again", f.Name()) // the error could quote a token
	}
	return r, nil
}

// save replaces the login of a server: a reader sees the old one or the new one, whole.
func (s *Store) save(r record) (err error) {
	if err := s.makeDir(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(struct{ record }{r}, "", "  ")
	if err != nil {
		return err
	}
	name := s.file(r.URL)
	f, err := os.CreateTemp(s.Dir, filepath.Base(name)+".*.new") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync() // a rotated refresh token that is lost ends the login
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func (s *Store) delete(url string) error {
	err := os.Remove(s.file(url))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *Store) makeDir() error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	dir, err := os.Open(s.Dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	return checkPrivate(dir)
}

// lockTry is how often a lock that another process holds is tried again.
const lockTry = 20 * time.Millisecond

// lock keeps other processes, and other handlers, from the login of a server. It waits
// no longer than a holder may need.
func (s *Store) lock(ctx context.Context, url string) (unlock func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	if err := s.makeDir(); err != nil {
		return nil, err
	}
	name := s.file(url) + ".lock" // it stays: who deletes a lock deletes that of another
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*tokenTimeout)
	defer cancel()
	for {
		ours, err := tryLock(f)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if ours {
			return func() { f.Close() }, nil // which ends the lock
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("another process holds %s: %w", name, context.Cause(ctx))
		case <-time.After(lockTry):
		}
	}
}
