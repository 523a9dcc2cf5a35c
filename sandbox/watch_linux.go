package sandbox

import (
	"context"
	"time"

	"helve/sandbox/internal/cgroup"
)

const (
	addEvery = 20 * time.Millisecond // where no cgroup counts the memory
	askEvery = 50 * time.Millisecond // where one does
)

// watch stops a run that has too much memory, until ctx ends.
func (l *launch) watch(ctx context.Context, limit int64) {
	if l.group == nil {
		seen, err := cgroup.Watch(ctx, l.process.Pid, limit, addEvery)
		switch {
		case err != nil:
			l.box.log.Warn("the memory of a sandbox is limited for each of its processes alone", "error", err)
		case seen.Over:
			l.stop(Memory)
		}
		return
	}
	// Of version 1, the kernel kills one process of many, and the rest would go on without.
	timer := time.NewTicker(askEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if used, err := l.group.Usage(); err == nil && used.OutOfMemory {
			l.stop(Memory)
			return
		}
	}
}
