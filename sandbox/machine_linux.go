package sandbox

import (
	"context"
	"math"
	"os"
	"time"

	"helve/sandbox/internal/cgroup"
)

// machine is what Linux has for a Sandbox.
type machine struct {
	cgroups cgroup.Mode
	users   chan int // those that are free, where the parent is root; else nil
	warm    warm
}

const (
	firstUser = 231072 // as subordinate users begin on most systems, of nobody on this one
	mostUsers = 64     // at once, of one process
)

// newUsers are user numbers of the host, one for each run: the limit of processes is
// counted for each user of the machine, and does not hold for root.
func newUsers() chan int {
	if os.Geteuid() != 0 {
		return nil
	}
	users := make(chan int, mostUsers)
	first := firstUser + os.Getpid()%1024*mostUsers // two parents share them seldom
	for i := range mostUsers {
		users <- first + i
	}
	return users
}

// open finds the level, by trying it.
func (s *Sandbox) open() error {
	if !s.options.NoCgroup {
		s.machine.cgroups = cgroup.Probe()
	}
	if s.machine.cgroups.Version == 0 {
		if err := canWatch(); err != nil {
			return err
		}
	}
	s.machine.users = newUsers()
	levels := []Level{s.options.Level}
	if s.options.Level == "" {
		levels = []Level{Strict, StrictNoProc}
	}
	var first error
	for _, l := range levels {
		s.level = l
		err := s.try()
		if err == nil {
			if l != Reduced { // which has nothing that could be made in advance
				s.machine.warm.fill(s)
			}
			return nil
		}
		if first == nil {
			first = err
		}
		if !procIsMissing(err) {
			break
		}
	}
	return first
}

// canWatch is for a machine without cgroups: the memory of all processes must be added up.
func canWatch() error {
	over, stop := context.WithCancel(context.Background())
	stop()
	if _, err := cgroup.Watch(over, os.Getpid(), math.MaxInt64, time.Hour); err != nil {
		return &UnavailableError{Stage: "watch the memory", Errno: errnoOf(err), Hint: "without a cgroup that this program may write, the kernel must tell the children of a process (CONFIG_PROC_CHILDREN)"}
	}
	return nil
}

func (s *Sandbox) shut() { s.machine.warm.shut() }
