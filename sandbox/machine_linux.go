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
	users   chan int // those that are free; nil where programs run as the parent's own
	warm    warm

	leastABI int // of Landlock
}

// open finds the level, by trying it.
func (s *Sandbox) open() error {
	s.machine.leastABI = max(s.machine.leastABI, leastABI)
	if !s.options.NoCgroup {
		s.machine.cgroups = cgroup.Probe()
	}
	if s.machine.cgroups.Version == 0 {
		if err := canWatch(); err != nil {
			return err
		}
	}
	var err error
	if s.machine.users, err = newUsers(); err != nil {
		return err
	}
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
