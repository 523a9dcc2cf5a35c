//go:build linux || darwin

package sandbox

import "time"

// watch looks at a run again and again, until it ends, and stops it where it has too much.
// Between two looks it can have anything that its limits leave it.
func (r *reduced) watch(limits Limits) {
	pause := time.NewTimer(lookEvery)
	defer pause.Stop()
	for {
		select {
		case <-r.group.ended:
			return
		case <-pause.C:
		}
		begun := time.Now()
		if why := r.look(limits); why != "" {
			r.stop(why)
			return
		}
		pause.Reset(max(lookEvery, 9*time.Since(begun))) // a tenth of a processor at most
	}
}

// count is how much there is of a group, and of a user.
type count struct {
	group  int   // tasks of the group
	user   int   // tasks of the user
	memory int64 // bytes of the group; what is shared, once for each that has it
	pids   []int // of the group
}

// look says what a group has too much of. A group is counted as a whole: a process can't
// leave it, and its parent may be gone.
func (g *group) look(limits Limits) Reason {
	c := census(g.id, -1)
	switch {
	case c.group > limits.Processes:
		return Processes
	case c.memory > limits.Memory && c.shared() > limits.Memory:
		return Memory
	}
	return ""
}
