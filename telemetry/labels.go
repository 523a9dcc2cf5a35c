package telemetry

import "sync"

// mostLabels is how many values of one label are told apart.
const mostLabels = 100

// labels keeps bounded what a server says, where it becomes a label: each value is a
// series that a backend keeps. It is safe for concurrent use.
type labels struct {
	mu    sync.Mutex
	known map[string]bool
}

// of returns value, or [other] where there are too many others before it.
func (l *labels) of(value string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known[value] {
		return value
	}
	if len(l.known) == mostLabels {
		return other
	}
	if l.known == nil {
		l.known = map[string]bool{}
	}
	l.known[value] = true
	return value
}
