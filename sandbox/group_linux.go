package sandbox

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// awaitExit waits until a child has ended, and leaves it to be reaped.
func awaitExit(pid int) {
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// lookEvery is how often a group is looked at.
const lookEvery = 40 * time.Millisecond

// census counts the processes of the machine: those of a group with their threads and their
// memory, and the threads of a user.
func census(group, user int) (c count) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		var info unix.Stat_t
		line, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil || unix.Stat("/proc/"+e.Name()+"/task", &info) != nil {
			continue // it is gone
		}
		pgrp, threads, pages := parseStat(string(line))
		if pgrp == group && threads > 0 {
			c.group += threads
			c.memory += pages * int64(os.Getpagesize())
			c.pids = append(c.pids, pid)
		}
		if int(info.Uid) == user {
			c.user += threads
		}
	}
	return c
}

// parseStat reads a line of /proc/PID/stat. The name in it may hold anything.
func parseStat(line string) (group, threads int, pages int64) {
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:]) // from the third on
	if len(fields) < 22 || fields[0] == "Z" {
		return 0, 0, 0
	}
	group, _ = strconv.Atoi(fields[2])
	threads, _ = strconv.Atoi(fields[17])
	pages, _ = strconv.ParseInt(fields[21], 10, 64)
	return group, threads, pages
}

// shared is a group's memory with what its processes share counted once. A census counts it
// for each.
func (c count) shared() (bytes int64) {
	for _, pid := range c.pids {
		data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
		for line := range strings.Lines(string(data)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				bytes += kib << 10
			}
		}
	}
	return bytes
}
