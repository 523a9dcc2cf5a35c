package stdio

import (
	"fmt"
	"strings"
	"time"
)

// maxLines is how many lines of standard error are in an error.
const maxLines = 20

// Explain returns err with the server's name, why the connection ended if that was what
// the server sent, how the process ended if it did so by itself, and the last lines of its
// standard error, without what looks like a secret. If the connection broke it waits for
// the process to end, which takes moments. It returns nil for nil; errors.Is and errors.As
// see err.
func (p *Process) Explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("mcp server %s: %w%s%s%s", p.command.Name, err, p.cause(err), p.ending(), p.lastWords())
}

// cause says why the connection ended, unless err does.
func (p *Process) cause(err error) string {
	select {
	case <-p.hung:
	default:
		return ""
	}
	if p.why == nil || strings.Contains(err.Error(), p.why.Error()) { // the SDK does not wrap it
		return ""
	}
	return ": " + p.why.Error()
}

// ending says how the process ended, unless it did as it was told.
func (p *Process) ending() string {
	select {
	case <-p.hung:
		p.awaitDone(grace)
	default:
	}
	select {
	case <-p.done:
	default:
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if status := p.cmd.ProcessState; !p.killed && !(p.asked.Load() && status.Success()) {
		return "; the program ended: " + status.String()
	}
	return ""
}

func (p *Process) awaitDone(most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	}
}

func (p *Process) lastWords() string {
	last := p.stderr.Last(maxLines)
	if last == "" {
		return ""
	}
	return "; its standard error ends with:\n" + last
}
