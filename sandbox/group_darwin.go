package sandbox

import (
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// awaitExit waits until a child has ended, and leaves it to be reaped. Where it can't wait,
// it returns at once: the group is killed then.
func awaitExit(pid int) {
	queue, err := unix.Kqueue()
	if err != nil {
		return
	}
	defer unix.Close(queue)
	exit := []unix.Kevent_t{{Ident: uint64(pid), Filter: unix.EVFILT_PROC, Flags: unix.EV_ADD | unix.EV_ONESHOT, Fflags: unix.NOTE_EXIT}}
	for {
		if _, err := unix.Kevent(queue, exit, make([]unix.Kevent_t, 1), nil); err != unix.EINTR {
			return
		}
	}
}

// lookEvery is how often a group is looked at.
const lookEvery = 200 * time.Millisecond

// census counts the processes of the machine: those of a group with their memory, and those
// of a user. Only ps may ask for the memory of others.
func census(group, user int) (c count) {
	out, err := exec.Command("/bin/ps", "-axo", "pid=,pgid=,uid=,rss=,stat=").Output()
	if err != nil {
		return c
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 5 || strings.HasPrefix(fields[4], "Z") {
			continue
		}
		if fields[1] == strconv.Itoa(group) {
			kib, _ := strconv.ParseInt(fields[3], 10, 64)
			c.group++
			c.memory += kib << 10
		}
		if fields[2] == strconv.Itoa(user) {
			c.user++
		}
	}
	return c
}

// shared is a group's memory. What its processes share can't be told from the rest.
func (c count) shared() int64 { return c.memory }
