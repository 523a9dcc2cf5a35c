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

	"golang.org/x/sys/unix"
)

// hostGroup is where a process moves that is alone in its group of version 2.
const hostGroup = "helve-host"

// remedy is for people whose process is not alone in its group.
const remedy = "start it in a group of its own, as by systemd-run --user --scope -p Delegate=yes"

// controllers are those that groups need.
var controllers = []string{"memory", "pids"}

// delegate returns a directory of version 2 in which groups with controllers can be made:
// own, the group of this process, or the one above it, where that is not above top.
//
// A group can't both have processes and pass controllers on, the hierarchy's root alone
// excepted (Documentation/admin-guide/cgroup-v2.rst, "No Internal Process Constraint").
func delegate(own, top string) (string, error) {
	if missing := lacks(own, "cgroup.controllers"); missing != "" {
		return "", fmt.Errorf("cgroup v2 has no controller for %s at %s: it is in cgroup v1, or not passed on", missing, own)
	}
	if filepath.Base(own) == hostGroup && own != top {
		return beside(own) // this process, or its parent, was here before
	}
	err := enable(own)
	if err == nil {
		return own, nil
	}
	if errors.Is(err, unix.EBUSY) && alone(own) {
		return own, moveDown(own)
	}
	if own == top {
		return "", fmt.Errorf("%w (%s)", err, remedy)
	}
	if base, err := beside(own); err == nil {
		return base, nil
	}
	return "", fmt.Errorf("%w (%s)", err, remedy)
}

// beside returns the group above own if processes can be moved between groups below it:
// the kernel wants its cgroup.procs to be writable for that.
func beside(own string) (string, error) {
	above := filepath.Dir(own)
	if missing := lacks(above, "cgroup.subtree_control"); missing != "" {
		return "", fmt.Errorf("cgroup v2: %s does not pass %s on", above, missing)
	}
	f, err := os.OpenFile(filepath.Join(above, "cgroup.procs"), os.O_WRONLY, 0)
	if err != nil {
		return "", fmt.Errorf("cgroup v2: %w", err)
	}
	return above, f.Close()
}

// lacks returns the first of the controllers that the file does not name.
func lacks(dir, file string) string {
	text, _ := os.ReadFile(filepath.Join(dir, file))
	named := strings.Fields(string(text))
	for _, c := range controllers {
		if !slices.Contains(named, c) {
			return c
		}
	}
	return ""
}

// enable passes the controllers on to the groups below dir.
func enable(dir string) error {
	if lacks(dir, "cgroup.subtree_control") == "" {
		return nil
	}
	err := write(dir, "cgroup.subtree_control", "+"+strings.Join(controllers, " +"))
	if err != nil {
		return fmt.Errorf("cgroup v2: %w", err)
	}
	return nil
}

// alone reports whether this process is the only one in the group. It moves no others:
// they are not its own.
func alone(dir string) bool {
	pids, err := processes(dir)
	return err == nil && slices.Equal(pids, []int{os.Getpid()})
}

// moveDown makes place in dir for groups with controllers, and moves back if that fails.
func moveDown(dir string) error {
	host := filepath.Join(dir, hostGroup)
	if err := os.Mkdir(host, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("cgroup v2: %w", err)
	}
	self := strconv.Itoa(os.Getpid())
	if err := write(host, "cgroup.procs", self); err != nil {
		return fmt.Errorf("cgroup v2: %w", err)
	}
	err := enable(dir)
	if err != nil {
		err = errors.Join(err, write(dir, "cgroup.procs", self), unix.Rmdir(host))
	}
	return err
}
