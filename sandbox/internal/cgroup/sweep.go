//go:build linux

package cgroup

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const prefix = "helve-"

// sweep removes the groups in base whose makers are gone, and what runs in them. What can't
// be removed is left to the next one: it costs little and limits nobody else.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !isRun(e.Name()) {
			continue
		}
		dir := filepath.Join(base, e.Name())
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && kill(dir) == nil {
			remove(dir)
		}
		f.Close()
	}
}

// isRun reports whether the name is one that [Mode.New] gives.
func isRun(name string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	pid, n, both := strings.Cut(rest, "-")
	return ok && both && isNumber(pid) && isNumber(n)
}

func isNumber(s string) bool {
	n, err := strconv.ParseUint(s, 10, 63)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == s
}
