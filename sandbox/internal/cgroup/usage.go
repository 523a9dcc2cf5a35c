//go:build linux

package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Usage is what a group took.
type Usage struct {
	// Memory is the most that it had at a time, in bytes: what its processes share is in
	// it once, and so are files that they read and the tmpfs that they wrote. It is 0
	// where the kernel does not tell (version 2 before Linux 5.19).
	Memory int64

	OutOfMemory      bool // the kernel killed for want of memory
	TooManyProcesses bool // one could not be started
}

// Usage returns what the group took up to now. That the limit of memory was reached means
// nothing: files that are read and written do that, and the kernel takes the memory back.
// So it is not asked for (failcnt, memory.events max), but whether the kernel had to kill.
func (g *Group) Usage() (Usage, error) {
	peak, events := "memory.peak", "memory.events"
	if g.version == 1 {
		peak, events = "memory.max_usage_in_bytes", "memory.oom_control"
	}
	var u Usage
	text, err := os.ReadFile(filepath.Join(g.memory(), peak))
	if err == nil {
		u.Memory, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	}
	if err != nil && !os.IsNotExist(err) {
		return u, fmt.Errorf("control group: %w", err)
	}
	killed, err := counter(g.memory(), events, "oom_kill")
	if err != nil {
		return u, err
	}
	refused, err := g.refusals()
	u.OutOfMemory, u.TooManyProcesses = killed > 0, refused > 0
	return u, err
}

// refusals returns how many processes could not be started, until the group was killed.
func (g *Group) refusals() (int64, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.killed {
		return g.refused, nil
	}
	return counter(g.pids(), "pids.events", "max")
}

func (g *Group) keepRefused() error {
	n, err := g.refusals()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.killed, g.refused = true, n
	return err
}

// counter returns the number that follows the name, in a file of such lines.
func counter(dir, file, name string) (int64, error) {
	path := filepath.Join(dir, file)
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("control group: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if key, value, _ := strings.Cut(strings.TrimSpace(line), " "); key == name {
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return 0, fmt.Errorf("control group: %s: %w", path, err)
			}
			return n, nil
		}
	}
	return 0, fmt.Errorf("control group: %s has no %q", path, name)
}
