package sandbox

import (
	"context"
	"sync"
)

// warm are launchers that await a run.
type warm struct {
	mu     sync.Mutex
	ready  []*launch
	coming int // on their way
	closed bool
	making sync.WaitGroup
}

// mostWarm leaves users for runs that have to start their own.
const mostWarm = mostUsers / 2

// take returns a launcher that waits; nil where none is there.
func (w *warm) take() *launch {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n := len(w.ready); n > 0; n = len(w.ready) {
		l := w.ready[n-1]
		w.ready = w.ready[:n-1]
		select {
		case <-l.ended: // something else ended it
			l.close()
		default:
			return l
		}
	}
	return nil
}

// fill has new ones made in the place of those that were taken. It is for when a run has
// ended: before, they would take its time.
func (w *warm) fill(s *Sandbox) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.closed && len(w.ready)+w.coming < min(s.options.Warm, mostWarm) {
		w.coming++
		w.making.Go(func() { w.make(s) })
	}
}

// make starts one. Why it fails, the next run is told when it starts its own.
func (w *warm) make(s *Sandbox) {
	ctx := context.Background()
	l, err := s.launch(ctx, nil)
	if err == nil {
		if err = l.await(ctx); err != nil {
			l.close()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.coming--
	switch {
	case err != nil:
		s.log.Warn("a sandbox could not be started in advance", "error", err)
	case w.closed:
		l.close()
	default:
		w.ready = append(w.ready, l)
	}
}

func (w *warm) shut() {
	w.mu.Lock()
	w.closed = true
	ready := w.ready
	w.ready = nil
	w.mu.Unlock()
	for _, l := range ready {
		l.close()
	}
	w.making.Wait()
}
