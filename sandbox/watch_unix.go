//go:build linux || darwin

package sandbox

import (
	"context"
	"time"
)

// count is how much there is of a group, and of a user.
type count struct {
	group  int   // tasks of the group
	user   int   // tasks of the user
	memory int64 // bytes of the group; what is shared, once for each that has it
	pids   []int // of the group
}

// watchGroup looks at a group again and again, and stops it where it has too much. It is
// for machines without a cgroup, and weaker: between two looks, anything can be had.
func watchGroup(ctx context.Context, g *group, limits Limits, stop func(Reason)) {
	pause := time.NewTimer(watchGroupEvery)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.ended:
			return
		case <-pause.C:
		}
		begun := time.Now()
		c := census(g.id, -1)
		switch {
		case c.group > limits.Processes:
			stop(Processes)
		case c.memory > limits.Memory && c.shared() > limits.Memory:
			stop(Memory)
		}
		pause.Reset(max(watchGroupEvery, 9*time.Since(begun))) // a tenth of a processor at most
	}
}
