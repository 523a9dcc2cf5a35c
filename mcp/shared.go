package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"helve/tool"
)

// client is what of a [Client] its source needs.
type client interface {
	Tools(ctx context.Context) ([]tool.Tool, error)
	Connect(ctx context.Context) error
	Status() Status
	Close() error
}

// shared is a server and its one client, for as long as a file that was loaded describes
// it just so: what changes elsewhere does not start it anew.
type shared struct {
	config  Config
	reached []string // where it is, as it is approved
	hidden  hidden
	client  client
	cache   cache
	log     *slog.Logger

	approved atomic.Pointer[map[string]Pin] // nil approves all

	life       context.Context // of what is done by the way
	end        context.CancelFunc
	refreshing sync.WaitGroup
	refreshed  sync.Once

	mu      sync.Mutex
	listing *Listing // the last that is known
	at      time.Time
	awaited bool // somebody has waited for the first list, to the end
}

// identity tells apart configurations, also by their secrets. Nobody sees it. A server of
// a workspace that pins tools is that workspace's alone, else another one's approval, or
// its indifference, would count here.
func identity(c *Config, o Options, pinnedIn string) [sha256.Size]byte {
	plain := func(m map[string]Secret) map[string]string {
		all := map[string]string{}
		for k, v := range m {
			all[k] = v.Reveal()
		}
		return all
	}
	oauth, secret := OAuth{}, ""
	if c.OAuth != nil {
		oauth, secret = *c.OAuth, c.OAuth.ClientSecret.Reveal()
	}
	described, _ := json.Marshal([]any{*c, plain(c.Env), plain(c.Headers), c.APIKey.Reveal(), oauth, secret, o.AllowPrivate, pinnedIn}) // all of it can be encoded
	return sha256.Sum256(described)
}

// start makes the client of a server. Nothing is connected before it is needed.
func (s *Servers) start(c configured, o Options) (*shared, error) {
	server := &shared{config: c.Config, reached: c.reached(), hidden: c.hidden, cache: s.cache, log: s.log}
	server.life, server.end = context.WithCancel(context.Background())
	if l, at, ok := s.cache.load(&c.Config); ok {
		server.listing, server.at = &l, at
		o.Known = &l
	}
	o.Listed = server.listed
	o.Redact = c.hidden.in
	o.Approve = server.approves
	o.Changed = func() { s.changedServer(server) }
	var err error
	server.client, err = s.newClient(c.Config, o)
	if err != nil {
		server.end()
		return nil, errors.New(c.hidden.in(err.Error()))
	}
	return server, nil
}

// currentFor is for how long a list is taken as it is. An older one is good too, but the
// arguments of a call are checked against it before the server is asked.
const currentFor = time.Hour

// refresh has a list read again, once, without anybody who waits for it. If the tools
// are others, who loaded them is told; why it failed is in the status.
func (s *shared) refresh() {
	s.refreshed.Do(func() {
		s.refreshing.Go(func() { _ = s.client.Connect(s.life) })
	})
}

func (s *shared) close() error {
	s.end()
	err := s.client.Close()
	s.refreshing.Wait()
	return err
}

// listed keeps what the server says of its tools, for now and for the next process.
func (s *shared) listed(l Listing) {
	s.mu.Lock()
	s.listing, s.at = &l, s.cache.now()
	s.mu.Unlock()
	var err error
	if s.cache.dir != "" && s.hidden.within(l) { // it is kept as it is or not at all: another text would be another tool
		err = errors.Join(errors.New("they hold a secret of its configuration"), s.cache.remove(&s.config))
	} else {
		err = s.cache.store(&s.config, l)
	}
	if err != nil {
		s.log.Warn("the tools of an mcp server can't be kept for the next time", "server", s.config.Name, "error", err)
	}
}

func (s *shared) known() (Listing, time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listing == nil {
		return Listing{}, time.Time{}, false
	}
	return *s.listing, s.at, true
}

func (s *shared) approves(name, fingerprint string) bool {
	approved := s.approved.Load()
	return approved == nil || fingerprint != "" && (*approved)[name].Fingerprint == fingerprint
}

// approve says what is approved from now on; nil is everything.
func (s *shared) approve(lock Lock) {
	if lock == nil {
		s.approved.Store(nil)
		return
	}
	pins := map[string]Pin{}
	if !lock.Moved(s.config.Name, Approval{Server: s.reached}) {
		pins = maps.Clone(lock[s.config.Name].Tools)
	}
	s.approved.Store(&pins)
}

// approval is what is approved by who approves all that the server listed.
func (s *shared) approval(l Listing) Approval {
	return Approval{Server: s.reached, Tools: s.config.pins(l)}
}

// held returns how the tools that are not approved differ from those that were.
func (s *shared) held(lock Lock) []Change {
	l, _, known := s.known()
	if lock == nil || !known {
		return nil
	}
	var held []Change
	for _, c := range lock.Changes(s.config.Name, s.approval(l)) {
		if c.Is.Fingerprint != "" {
			held = append(held, c)
		}
	}
	return held
}

// tools returns the server's tools. Those that are known from before need no connection.
// Else who asks first waits for one; who asks after that learns of it when it is there.
func (s *shared) tools(ctx context.Context, patience time.Duration) ([]tool.Tool, error) {
	_, _, known := s.known()
	if !known && s.wasAwaited() {
		return nil, errors.New(s.hidden.in(cmp.Or(s.client.Status().Err, "it is still being connected")))
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tools, err := s.client.Tools(ctx)
	s.mu.Lock()
	s.awaited = true
	s.mu.Unlock()
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		said := s.client.Status().Err
		if said != "" {
			said = ": " + said
		}
		err = fmt.Errorf("it has not answered within %v, and is still being connected%s", patience, said)
	}
	if err != nil {
		return nil, errors.New(s.hidden.in(err.Error()))
	}
	return tools, nil
}

func (s *shared) wasAwaited() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.awaited
}
