package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"helve/catalog"
	"helve/internal/excerpt"
	"helve/mcp/internal/rawjson"
)

// patience is how long a load waits for a server of which nothing is known.
const patience = 10 * time.Second

// SourceOptions are what a host gives the servers of its workspaces.
type SourceOptions struct {
	Options // of each client; those that a source sets itself are not read

	// CacheDir is where the lists of servers are kept, so that a server is started by
	// the first call of one of its tools; "" keeps none.
	CacheDir string

	// Offline starts no server before a call, also where nothing is known of its tools.
	Offline bool
}

// Source finds the servers of a workspace: one in each file of tools/mcp/*.yaml, in
// helve's own form with document 004's keys, and any number in tools/mcp/*.json,
// .mcp.json and mcp.json, in the form that other programs share.
//
// A server that is described alike over several loads and in several files is connected
// once. With mcp.pin in helve.yaml, only the tools that [LockFile] approves are given out.
func Source(o SourceOptions) *Servers {
	return &Servers{
		options: o, log: cmp.Or(o.Log, slog.Default()), cache: cache{o.CacheDir, time.Now}, patience: patience,
		newClient: func(c Config, o Options) (client, error) { return New(c, o) },
		shared:    map[[sha256.Size]byte]*use{}, leases: map[*lease]bool{}, versions: map[string]uint64{}, changed: make(chan struct{}),
	}
}

// Servers is a [catalog.Source], and knows the servers of what was loaded. It is safe for
// concurrent use.
type Servers struct {
	options   SourceOptions
	log       *slog.Logger
	cache     cache
	patience  time.Duration
	newClient func(Config, Options) (client, error)

	mu       sync.Mutex
	shared   map[[sha256.Size]byte]*use
	leases   map[*lease]bool
	versions map[string]uint64 // of files, by workspace and path
	changed  chan struct{}     // closed with the next change
}

// use counts who uses a server.
type use struct {
	server *shared
	count  int
}

// Kind makes Servers a [catalog.Source].
func (*Servers) Kind() string { return "mcp" }

// Patterns makes Servers a [catalog.Source].
func (*Servers) Patterns() []string {
	return []string{"tools/mcp/*.yaml", "tools/mcp/*.yml", "tools/mcp/*.json", ".mcp.json", "mcp.json", LockFile}
}

// File makes Servers a [catalog.Described].
func (*Servers) File() any { return serverFile{} }

// Version makes Servers a [catalog.Changing]: it is another when a server of the file has
// other tools, or others of them are approved.
func (s *Servers) Version(f *catalog.File) uint64 {
	s.mu.Lock()
	version := s.versions[versionKey(f)]
	s.mu.Unlock()
	if !pinned(f) {
		return version
	}
	data, err := readRegular(filepath.Join(f.Dir, LockFile), mostLock)
	digest := sha256.Sum256(fmt.Appendf(data, "%v %d", err, version))
	return binary.LittleEndian.Uint64(digest[:])
}

func versionKey(f *catalog.File) string { return f.Dir + "\x00" + f.Path }

func pinned(f *catalog.File) bool { return f.Settings != nil && f.Settings.MCP.Pin }

// Changed makes Servers a [catalog.Changing].
func (s *Servers) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// changedServer tells that a server's tools are others.
func (s *Servers) changedServer(server *shared) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.leases {
		if l.server == server {
			s.versions[l.file]++
		}
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// Load makes Servers a [catalog.Source]. The servers of a file are asked at once.
func (s *Servers) Load(ctx context.Context, f *catalog.File) ([]catalog.Found, error) {
	if f.Data == nil {
		return nil, errors.New("this is a folder")
	}
	if f.Path == LockFile {
		_, err := approvals(f) // its file is read for each server
		return nil, err
	}
	servers, whole, err := describedIn(f)
	lock, lockErr := approvals(f)
	if lockErr != nil {
		lock = Lock{} // what can't be read approves nothing; the file itself has the error
	}
	found, errs := make([][]catalog.Found, len(servers)), make([]error, len(servers))
	var asking sync.WaitGroup
	for i, c := range servers {
		asking.Go(func() { found[i], errs[i] = s.load(ctx, f, c, lock) })
	}
	asking.Wait()
	all := slices.Concat(found...)
	if whole && len(all) == 0 {
		all = append(all, catalog.Found{}) // the file counts, also if no server is in it any more
	}
	return all, errors.Join(append([]error{err}, errs...)...)
}

// describedIn returns the servers of a file. It is whole if no part of it could not be read.
func describedIn(f *catalog.File) (servers []configured, whole bool, err error) {
	if path.Ext(f.Path) == ".json" {
		servers, err = readJSON(f)
		return servers, onlyWarnings(err), err
	}
	c, err := readYAML(f)
	if err != nil {
		return nil, false, err
	}
	return []configured{c}, true, nil
}

func onlyWarnings(err error) bool {
	return !slices.ContainsFunc(joined(err), func(err error) bool {
		problem, ok := errors.AsType[*catalog.Problem](err)
		return !ok || !problem.Warning
	})
}

// joined returns the errors that were joined to err, or err itself.
func joined(err error) []error {
	if err == nil {
		return nil
	}
	several, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, one := range several.Unwrap() {
		all = append(all, joined(one)...)
	}
	return all
}

// approvals returns what is approved; nil is everything.
func approvals(f *catalog.File) (Lock, error) {
	if !pinned(f) {
		return nil, nil
	}
	return ReadLock(f.Dir)
}

// load returns the tools of one server, and that it is to be closed.
func (s *Servers) load(ctx context.Context, f *catalog.File, c configured, lock Lock) ([]catalog.Found, error) {
	o := s.options.Options
	o.AllowPrivate = o.AllowPrivate || f.Settings != nil && f.Settings.Network.AllowPrivate
	o.Dir = cmp.Or(o.Dir, f.Dir)
	l, err := s.lease(f, c, o, lock)
	if err != nil {
		p := l.problem(err)
		p.Undefined = c.Name
		return nil, p
	}
	found := []catalog.Found{l.found()}
	if c.Disabled {
		return found, nil
	}
	l.server.approve(lock)
	if _, _, known := l.server.known(); !known && s.options.Offline {
		found[0].Missing = toolPrefix(c.Name)
		return found, nil
	}
	if _, at, known := l.server.known(); known && !s.options.Offline && s.cache.now().Sub(at) > currentFor {
		l.server.refresh()
	}
	wait := s.patience
	if limits := cmp.Or(c.ConnectTimeout, defaultConnect) + cmp.Or(c.ListTimeout, defaultList); limits < wait {
		wait = limits
	}
	tools, err := l.server.tools(ctx, wait)
	if err != nil {
		found[0].Missing = toolPrefix(c.Name)
		return found, l.problem(err)
	}
	for _, t := range tools {
		one := l.found()
		one.Tool, one.Closer = t, nil
		found = append(found, one)
	}
	return found, errors.Join(l.down(), l.heldBack(), l.leftOut(), l.unmatched())
}

// lease is one use of a server by a file that was loaded.
type lease struct {
	configured
	of     *Servers
	place  string // the file, below the workspace
	file   string // as versions has it
	key    [sha256.Size]byte
	server *shared // nil for one that is disabled
	lock   Lock    // nil where nothing needs approval
	once   sync.Once
}

// lease takes a server into use. What it returns is to be closed, if there is no error.
func (s *Servers) lease(f *catalog.File, c configured, o Options, lock Lock) (*lease, error) {
	pinnedIn := ""
	if lock != nil {
		pinnedIn = f.Dir
	}
	l := &lease{configured: c, of: s, place: f.Path, file: versionKey(f), key: identity(&c.Config, o, pinnedIn), lock: lock}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !c.Disabled {
		u := s.shared[l.key]
		if u == nil {
			server, err := s.start(c, o)
			if err != nil {
				return l, err
			}
			u = &use{server: server}
			s.shared[l.key] = u
		}
		u.count++
		l.server = u.server
	}
	s.leases[l] = true
	return l, nil
}

// Close gives the server back. The last one ends the connection.
func (l *lease) Close() error {
	var last *shared
	l.once.Do(func() { last = l.of.giveBack(l) })
	if last == nil {
		return nil
	}
	return last.close()
}

func (s *Servers) giveBack(l *lease) (last *shared) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.leases, l)
	u := s.shared[l.key]
	if l.server == nil || u == nil {
		return nil
	}
	if u.count--; u.count > 0 {
		return nil
	}
	delete(s.shared, l.key)
	return u.server
}

func (l *lease) found() catalog.Found {
	return catalog.Found{Line: l.line, Group: "the mcp server " + l.Name, Closer: l}
}

func (l *lease) problem(err error) *catalog.Problem {
	message := about(l.Name) + strings.TrimPrefix(err.Error(), about(l.Name))
	p := &catalog.Problem{File: l.place, Line: l.line, Message: message}
	if l.server != nil && !l.hasKey() && l.server.client.Status().State == NeedsAuth {
		p.Hint = "log in: helve mcp login " + l.Name
	}
	return p
}

// down warns of a server that can't be reached, and whose tools are known from before.
func (l *lease) down() error {
	status := l.server.client.Status()
	switch status.State {
	case Failed, Degraded, NeedsAuth:
	default:
		return nil
	}
	p := l.problem(errors.New(l.hidden.in(cmp.Or(status.Err, "it can't be reached"))))
	p.Warning = true
	p.Message += "; its tools are those it had before"
	return p
}

// mostNamed is how many tools a message names.
const mostNamed = 5

// first joins the first of what is to be named.
func first(all []string, between string) string {
	if more := len(all) - mostNamed; more > 0 {
		all = append(slices.Clone(all[:mostNamed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, between)
}

// leftOut warns of the tools that can't be used.
func (l *lease) leftOut() error {
	left := l.server.client.Status().LeftOut
	if len(left) == 0 {
		return nil
	}
	what := "a tool is"
	if len(left) > 1 {
		what = fmt.Sprintf("%d tools are", len(left))
	}
	p := l.problem(fmt.Errorf("%s left out: %s", what, l.hidden.in(first(left, "; "))))
	p.Warning = true
	return p
}

// unmatched warns of what is allowed and is not there.
func (l *lease) unmatched() error {
	patterns := l.server.client.Status().Unmatched
	if len(patterns) == 0 {
		return nil
	}
	var names []string
	listing, _, _ := l.server.known()
	for _, raw := range listing.Tools {
		if fields := rawjson.Object(raw); rawjson.Text(fields["name"]) != "" {
			names = append(names, excerpt.Of(rawjson.Text(fields["name"]), mostName))
		}
	}
	var all []error
	for _, pattern := range patterns {
		p := l.problem(fmt.Errorf("%q allows none of its tools", pattern))
		p.Hint = l.hidden.in(cmp.Or(meant(pattern, names...), "it has "+first(names, ", ")))
		p.Warning = true
		all = append(all, p)
	}
	return errors.Join(all...)
}

// heldBack tells of the tools that are not approved.
func (l *lease) heldBack() error {
	held := l.server.held(l.lock)
	if len(held) == 0 {
		return nil
	}
	named := make([]string, len(held))
	for i, c := range held {
		named[i] = c.String()
	}
	what := "a tool is"
	if len(held) > 1 {
		what = fmt.Sprintf("%d tools are", len(held))
	}
	if now := (Approval{Server: l.server.reached}); l.lock.Moved(l.Name, now) {
		what = fmt.Sprintf("another server was approved by this name, %s, and this is %s; %s", l.lock[l.Name].Server, now.Server, what)
	}
	return &catalog.Problem{
		File: l.place, Line: l.line,
		Message: fmt.Sprintf("mcp server %s: %s not approved and held back: %s", l.Name, what, first(named, ", ")),
		Hint:    "look at it and approve it: helve mcp pin " + l.Name,
	}
}
