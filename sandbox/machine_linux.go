package sandbox

import (
	"os"

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

func (s *Sandbox) shut() { s.machine.warm.shut() }
