package catalog

import (
	"context"
	"sync"
)

// news gathers what the sources that are [Changing] tell.
type news struct {
	came    chan struct{} // holds one while nobody has heard of it
	sources []Changing
	next    []<-chan struct{} // of each
}

// newNews begins to listen, so that nothing is missed from here on.
func newNews(sources []Source) *news {
	n := &news{came: make(chan struct{}, 1)}
	for _, s := range sources {
		if c, ok := s.(Changing); ok {
			n.sources, n.next = append(n.sources, c), append(n.next, c.Changed())
		}
	}
	return n
}

// follow passes on what comes until ctx ends. The function that it returns waits for
// that.
func (n *news) follow(ctx context.Context) (wait func()) {
	var following sync.WaitGroup
	for i, s := range n.sources {
		next := n.next[i]
		following.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-next:
				}
				next = s.Changed() // before the files are loaded, so that no change falls in between
				select {
				case n.came <- struct{}{}:
				default: // the last is not even heard of
				}
			}
		})
	}
	return following.Wait
}
