//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Kill ends every process of the group and waits until they are gone, two seconds at most.
// A parent has to wait for its children still. No process can be started in the group
// afterwards.
func (g *Group) Kill() error {
	// What can't be started from here on was not refused for the limit: Usage must not say so.
	errs := []error{g.keepRefused()}
	for _, dir := range g.dirs {
		errs = append(errs, kill(dir))
	}
	return errors.Join(errs...)
}

func kill(dir string) error {
	// Nothing can be started any more: what is killed below has no successors.
	if err := writeIfThere(dir, "pids.max", "0"); err != nil {
		return err
	}
	err := write(dir, "cgroup.kill", "1") // version 2, Linux 5.14
	atOnce := err == nil
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return retry(func() error {
		pids, err := processes(dir)
		if err != nil || len(pids) == 0 {
			return err
		}
		if !atOnce {
			err = signal(dir, pids)
		}
		return errors.Join(fmt.Errorf("%d processes in control group %s can't be killed", len(pids), dir), err)
	})
}

// signal kills those of the processes that are still in the group. By descriptors: an id
// may belong to another process by now, but what has a descriptor and is in the group
// still is the one that was there.
func signal(dir string, pids []int) error {
	handles := map[int]int{}
	defer func() {
		for _, fd := range handles {
			unix.Close(fd)
		}
	}()
	for _, pid := range pids {
		if pid == 0 {
			return fmt.Errorf("control group %s has a process that can't be seen from here", dir)
		}
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			handles[pid] = fd
		} else if !errors.Is(err, unix.ESRCH) && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("process %d of control group %s: %w", pid, dir, err)
		}
	}
	there, err := processes(dir)
	if err != nil {
		return err
	}
	for pid, fd := range handles {
		if !slices.Contains(there, pid) {
			continue
		}
		err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
		if err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("kill process %d of control group %s: %w", pid, dir, err)
		}
	}
	return nil
}

// processes returns the ids of those in the group, without those that ended and wait for
// their parent. A group that is gone has none.
func processes(dir string) ([]int, error) {
	text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ENODEV) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("control group: %w", err)
	}
	var pids []int
	for line := range strings.Lines(string(text)) {
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("control group: %s/cgroup.procs: %w", dir, err)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// retry repeats do until it succeeds, two seconds at most: a process with much memory, or
// on a busy machine, takes its time to end.
func retry(do func() error) error {
	const longest = 5 * time.Millisecond
	nap := 100 * time.Microsecond
	for waited := time.Duration(0); ; waited += nap {
		err := do()
		if err == nil || waited > 2*time.Second {
			return err
		}
		nap = min(2*nap, longest)
		time.Sleep(nap)
	}
}
