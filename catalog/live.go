package catalog

import (
	"context"
	"log/slog"
	"sync"
)

// Live is a workspace that is loaded again whenever its files change; [Watch] makes
// one. It is safe for concurrent use.
type Live struct {
	options Options
	log     *slog.Logger
	changed func(*Catalog)

	done chan struct{} // the watching has ended
	stop context.CancelFunc
	once sync.Once

	mu      sync.Mutex
	current *Catalog
	users   map[*Catalog]int // how often each is in use; as the current one, once
	held    map[*made]int    // by how many of these
	closing sync.WaitGroup   // tools that nobody uses any more and that end their calls
}

// Catalog returns the workspace as it was loaded last. It is for a look: who calls its
// tools for longer takes it by [Live.Use].
func (l *Live) Catalog() *Catalog {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current
}

// Use returns the workspace as it was loaded last, and a function that gives it back.
// Until then its tools are not closed, however the files change. To give back twice
// does nothing.
func (l *Live) Use() (c *Catalog, done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c = l.current
	l.take(c)
	return c, sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.give(c)
	})
}

// Close ends the watching, gives the last catalog back, and waits for the tools that
// nobody uses any more.
func (l *Live) Close() {
	l.once.Do(func() {
		l.stop()
		<-l.done
		l.mu.Lock()
		l.give(l.current)
		l.mu.Unlock()
	})
	l.closing.Wait()
}

// become puts c in the place of the current catalog.
func (l *Live) become(c *Catalog) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.current
	l.current = c
	l.take(c)
	if before != nil {
		l.give(before)
	}
}

// take and give count the users of a catalog. What is made of a file ends with the last
// catalog that holds it. The caller has the lock.
func (l *Live) take(c *Catalog) {
	if l.users[c]++; l.users[c] > 1 {
		return
	}
	for m := range c.holds {
		l.held[m]++
	}
}

func (l *Live) give(c *Catalog) {
	if l.users[c]--; l.users[c] > 0 {
		return
	}
	delete(l.users, c)
	for m := range c.holds {
		if l.held[m]--; l.held[m] > 0 {
			continue
		}
		delete(l.held, m)
		l.closing.Go(func() {
			if err := m.close(); err != nil {
				l.log.Warn("closing a tool", "error", err)
			}
		})
	}
}
