//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// Group is a control group. Its methods may be called at the same time, except for Remove,
// which is the last.
type Group struct {
	version int
	dirs    []string   // one, or those of memory and pids
	locks   []*os.File // the directories, open and locked

	mu      sync.Mutex
	killed  bool
	refused int64 // processes too many, when it was killed
}

// New makes a group. The caller calls [Group.Remove]. The error of a Mode without control
// groups is its Reason.
func (m Mode) New() (*Group, error) {
	if m.Version == 0 {
		return nil, fmt.Errorf("no control groups: %s", m.Reason)
	}
	// A name may be taken by a group that was left behind, or by a process of another
	// container with the same id; and a sweep elsewhere may take the new group for one
	// that was left behind, until it is locked.
	for range 1000 {
		name := fmt.Sprintf("%s%d-%d", prefix, os.Getpid(), m.made.Add(1))
		g, err := m.claim(name)
		if err == nil {
			return g, nil
		}
		if !errors.Is(err, errTaken) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("control group: all names are taken in %s", m.bases[0])
}

var errTaken = errors.New("taken by another process")

func (m Mode) claim(name string) (*Group, error) {
	g := &Group{version: m.Version}
	for _, base := range m.bases {
		dir := filepath.Join(base, name)
		lock, err := makeLocked(dir)
		if err != nil {
			g.Remove()
			return nil, err
		}
		g.dirs, g.locks = append(g.dirs, dir), append(g.locks, lock)
	}
	return g, nil
}

func makeLocked(dir string) (*os.File, error) {
	switch err := os.Mkdir(dir, 0o755); {
	case errors.Is(err, os.ErrExist):
		return nil, errTaken
	case err != nil:
		return nil, fmt.Errorf("control group: %w", err)
	}
	f, err := os.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("control group: %w", err), unix.Rmdir(dir))
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil {
		if _, err := os.Lstat(dir); err == nil {
			return f, nil
		}
	}
	f.Close() // a sweep has it, or had it
	return nil, errTaken
}

func (g *Group) memory() string { return g.dirs[0] }
func (g *Group) pids() string   { return g.dirs[len(g.dirs)-1] }

// Limit sets the most that the group may have: bytes of memory, and processes with their
// threads. Where memory runs out, the kernel kills: in version 2 the whole group, in
// version 1 one process, so that the caller has to look at [Group.Usage]. A process too
// many can't be started.
func (g *Group) Limit(memory int64, processes int) error {
	if memory <= 0 || processes <= 0 {
		return fmt.Errorf("control group: limits must be more than 0: %d bytes, %d processes", memory, processes)
	}
	bytes := strconv.FormatInt(memory, 10)
	if g.version == 2 {
		return errors.Join(
			write(g.memory(), "memory.max", bytes),
			writeIfThere(g.memory(), "memory.swap.max", "0"),
			writeIfThere(g.memory(), "memory.oom.group", "1"),
			write(g.pids(), "pids.max", strconv.Itoa(processes)),
		)
	}
	return errors.Join(
		write(g.memory(), "memory.limit_in_bytes", bytes),
		writeIfThere(g.memory(), "memory.memsw.limit_in_bytes", bytes), // with swap; the limit without has to be there first
		write(g.pids(), "pids.max", strconv.Itoa(processes)),
	)
}

// Add moves a process into the group. What it has started before stays where it is, and
// what memory it has stays counted there: the process waits until it was added.
func (g *Group) Add(pid int) error {
	for _, dir := range g.dirs {
		if err := write(dir, "cgroup.procs", strconv.Itoa(pid)); err != nil {
			return err
		}
	}
	return nil
}

// FD returns the descriptor for [syscall.SysProcAttr], with UseCgroupFD: a process that is
// started with it is in the group from its first instruction. It is valid until Remove.
// There is none in version 1.
func (g *Group) FD() (int, bool) {
	if g.version != 2 || len(g.locks) == 0 {
		return -1, false
	}
	return int(g.locks[0].Fd()), true
}

// Remove removes the group, which must have no process any more, as after [Group.Kill]. It
// waits for the kernel to see that, two seconds at most. A group that could not be removed
// is left to the next [Probe].
func (g *Group) Remove() error {
	var errs []error
	for _, dir := range g.dirs {
		errs = append(errs, remove(dir))
	}
	for _, lock := range g.locks {
		lock.Close()
	}
	g.locks = nil
	return errors.Join(errs...)
}

func remove(dir string) error {
	return retry(func() error {
		err := unix.Rmdir(dir)
		if err == nil || errors.Is(err, unix.ENOENT) {
			return nil
		}
		return &os.PathError{Op: "remove control group", Path: dir, Err: err}
	})
}

// write does not create: the files of a group are there or are not.
func write(dir, file, value string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("control group: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteString(value); err != nil {
		return fmt.Errorf("control group: %q: %w", value, err)
	}
	return nil
}

// writeIfThere is for what not every kernel has.
func writeIfThere(dir, file, value string) error {
	if err := write(dir, file, value); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
