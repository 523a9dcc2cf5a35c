package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	freshFor      = 30 * 24 * time.Hour // a list that is older says little
	mostCached    = 32 << 20            // bytes of a file; a longer list is not kept
	cachedVersion = 1
)

// cache keeps what servers listed, a file for each, so that a server is started when a
// tool of it is called and not before. It holds no value of the environment.
type cache struct {
	dir string // "" keeps nothing
	now func() time.Time
}

// cached is what a file of the cache holds.
type cached struct {
	Version int       `json:"version"`
	At      time.Time `json:"at"` // when the server was asked
	Listing
}

// path is of the file for a server that is reached as c says. With another key a server
// on the network may show other tools, and none with one that it refuses; what the values
// of a program's environment are does not count. The name is a digest, of which nobody
// learns a key.
func (k cache) path(c *Config) string {
	var headers []string
	for _, name := range sorted(c.Headers) {
		headers = append(headers, name, c.Headers[name].Reveal())
	}
	described, _ := json.Marshal([]any{ // strings can always be encoded
		cachedVersion, c.Command, c.Args, c.Dir, c.URL, c.Type, c.Protocol, headers, sorted(c.Env), c.APIKey.Reveal(), c.APIKeyHeader,
	})
	digest := sha256.Sum256(described)
	return filepath.Join(k.dir, hex.EncodeToString(digest[:])+".json")
}

// load returns what the server listed when it was asked last, and when. A file that is
// bad, or old, is as good as none: the next list takes its place.
func (k cache) load(c *Config) (Listing, time.Time, bool) {
	if k.dir == "" {
		return Listing{}, time.Time{}, false
	}
	data, err := readRegular(k.path(c), mostCached)
	var kept cached
	if err != nil || json.Unmarshal(data, &kept) != nil || kept.Version != cachedVersion {
		return Listing{}, time.Time{}, false
	}
	if age := k.now().Sub(kept.At); age < 0 || age > freshFor {
		return Listing{}, time.Time{}, false
	}
	return kept.Listing, kept.At, true
}

// store keeps what a server listed. It is written beside and then moved, so that nobody
// reads half of it.
func (k cache) store(c *Config, l Listing) error {
	if k.dir == "" {
		return nil
	}
	data, err := json.Marshal(cached{cachedVersion, k.now(), l})
	if err != nil {
		return err
	}
	if len(data) > mostCached {
		return fmt.Errorf("the list is %d bytes long, and at most %d are kept", len(data), mostCached)
	}
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return err
	}
	return replaceFile(k.path(c), data, 0o600)
}

// remove forgets what a server listed.
func (k cache) remove(c *Config) error {
	if k.dir == "" {
		return nil
	}
	if err := os.Remove(k.path(c)); !errors.Is(err, fs.ErrNotExist) {
		return withoutPath(err)
	}
	return nil
}

// replaceFile writes a file beside its place and moves it there.
func replaceFile(path string, data []byte, mode fs.FileMode) error {
	beside, err := os.CreateTemp(filepath.Dir(path), ".helve-*")
	if err != nil {
		return err
	}
	_, err = beside.Write(data)
	err = errors.Join(err, beside.Chmod(mode), beside.Close())
	if err == nil {
		err = os.Rename(beside.Name(), path)
	}
	if err != nil {
		_ = os.Remove(beside.Name()) // the first error says what is wrong
	}
	return err
}

// readRegular reads a file of at most so many bytes, and nothing that would block.
func readRegular(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("this is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("the file is longer than %d bytes", most)
	}
	return data, withoutPath(err)
}

// withoutPath leaves out of an error what its reader knows.
func withoutPath(err error) error {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		return inner.Err
	}
	return err
}
