//go:build linux

package cgroup

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// tree is a process and its descendants. It keeps what it needs for a look at them, so that
// the next look makes little garbage.
type tree struct {
	pids  []int
	known map[int]bool
	names []string
	path  []byte
	text  []byte
}

func newTree() *tree {
	return &tree{known: map[int]bool{}, text: make([]byte, 64<<10)}
}

// walk finds the processes, and reports whether the first is there still. Processes come
// and go meanwhile: one that is missed, is there at the next look.
func (t *tree) walk(pid int) bool {
	clear(t.known)
	t.pids = t.pids[:0]
	t.add(pid)
	for i := 0; i < len(t.pids); i++ {
		// A child belongs to the thread that started it.
		for _, thread := range t.threads(t.pids[i]) {
			children, _ := t.read(t.pids[i], "/task/", thread, "/children")
			for field := range bytes.FieldsSeq(children) {
				if child, err := strconv.Atoi(string(field)); err == nil {
					t.add(child)
				}
			}
		}
	}
	state, ok := t.read(pid, "/stat")
	return ok && !ended(state)
}

// add takes each process once: one whose parent ends becomes another's child, and may be
// met twice.
func (t *tree) add(pid int) {
	if !t.known[pid] {
		t.known[pid] = true
		t.pids = append(t.pids, pid)
	}
}

func (t *tree) threads(pid int) []string {
	t.names = t.names[:0]
	fd, err := unix.Open(t.name(pid, "/task"), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	for {
		n, err := unix.ReadDirent(fd, t.text)
		if err != nil || n <= 0 {
			return t.names
		}
		_, _, t.names = unix.ParseDirent(t.text[:n], -1, t.names)
	}
}

// ended reports whether a process is dead and waits for its parent: /proc/PID/stat has
// Z or X after the name, which may hold anything.
func ended(stat []byte) bool {
	i := bytes.LastIndexByte(stat, ')')
	return i >= 0 && i+2 < len(stat) && (stat[i+2] == 'Z' || stat[i+2] == 'X')
}

// memory adds up what of returns for each process.
func (t *tree) memory(of func(t *tree, pid int) int64) int64 {
	var sum int64
	for _, pid := range t.pids {
		sum += of(t, pid)
	}
	return sum
}

var pageSize = int64(os.Getpagesize())

// statm returns the resident memory of a process, 0 if it is gone.
func statm(t *tree, pid int) int64 {
	text, _ := t.read(pid, "/statm")
	_, rest, _ := bytes.Cut(text, []byte(" "))
	pages, _, _ := bytes.Cut(rest, []byte(" "))
	return number(pages) * pageSize
}

// proportional returns the resident memory of a process, with its part only of what it
// shares.
func proportional(t *tree, pid int) int64 {
	text, ok := t.read(pid, "/smaps_rollup")
	if _, rest, found := bytes.Cut(text, []byte("\nPss:")); ok && found {
		value, _, _ := bytes.Cut(rest, []byte(" kB\n"))
		return number(bytes.TrimSpace(value)) << 10
	}
	return statm(t, pid)
}

func number(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// read returns a file of /proc/PID, up to 64 KiB of it: 8,000 children of one thread. It is
// valid until the next call.
func (t *tree) read(pid int, name ...string) ([]byte, bool) {
	fd, err := unix.Open(t.name(pid, name...), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	defer unix.Close(fd)
	n := 0
	for n < len(t.text) {
		m, err := unix.Read(fd, t.text[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, false // the process is gone
		}
		if m == 0 {
			break
		}
		n += m
	}
	return t.text[:n], true
}

func (t *tree) name(pid int, rest ...string) string {
	t.path = append(t.path[:0], "/proc/"...)
	t.path = strconv.AppendInt(t.path, int64(pid), 10)
	for _, r := range rest {
		t.path = append(t.path, r...)
	}
	return string(t.path)
}
