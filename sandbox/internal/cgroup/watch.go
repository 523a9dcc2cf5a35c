//go:build linux

package cgroup

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Seen is what [Watch] saw of a tree of processes.
type Seen struct {
	Memory    int64 // bytes: the most at a time
	Processes int   // the most at a time, without their threads
	Over      bool  // the memory was over the limit
}

// Watch adds up the memory of the process pid and of all that descend from it, again and
// again, and returns as soon as it is more than limit. It returns, too, when ctx ends, and
// when pid is gone. The error is for a kernel without /proc/PID/task/TID/children.
//
// It is for machines without control groups, and it is weaker: between two looks the tree
// can grow, what was swapped out doesn't count, and neither do files in a tmpfs or memory
// that is shared and not mapped. Only those descendants are seen that have pid still above
// them, which are all where pid is the first of a pid namespace.
//
// A look that costs little comes first: the sum of resident memory (/proc/PID/statm). It
// counts a page once for each process that has it, and so is never too small. Only where it
// is over the limit does Watch have the kernel walk the pages (/proc/PID/smaps_rollup, Pss):
// of a page that n processes have, an nth part counts for each. A process that doesn't let
// its pages be seen counts whole. Such walks take a fifth of Watch's time at most.
//
// The caller must not wait for pid (wait4) before Watch has returned: the id could come to
// be another process's.
func Watch(ctx context.Context, pid int, limit int64, every time.Duration) (Seen, error) {
	if _, err := os.Stat("/proc/thread-self/children"); err != nil {
		return Seen{}, fmt.Errorf("watch memory: the kernel does not tell a process's children: %w", err)
	}
	var seen Seen
	t := newTree()
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		start := time.Now()
		if !t.walk(pid) {
			return seen, nil
		}
		memory := t.memory(statm)
		pause := every
		if memory > limit {
			memory = t.memory(proportional)
			pause = max(every, 4*time.Since(start))
		}
		seen.Memory = max(seen.Memory, memory)
		seen.Processes = max(seen.Processes, len(t.pids))
		if memory > limit {
			seen.Over = true
			return seen, nil
		}
		timer.Reset(pause)
		select {
		case <-ctx.Done():
			return seen, nil
		case <-timer.C:
		}
	}
}
