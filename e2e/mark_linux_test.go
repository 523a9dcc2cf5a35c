package e2e

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// processes are those that live and have the mark.
func (m mark) processes(t *testing.T) []int {
	t.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, path := range environments {
		environment, err := os.ReadFile(path) // that of a process which has ended is empty, or gone
		if err != nil || !bytes.Contains(environment, []byte(markName+"="+string(m))) {
			continue
		}
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, id)
	}
	return found
}

// kill ends the one process with the mark, as the kernel does when memory is short, and
// waits until it is over. Its parent, which is this process, still learns of it.
func (m mark) kill(t *testing.T) {
	t.Helper()
	ids := m.processes(t)
	if len(ids) != 1 {
		t.Fatalf("processes of the server: %v, want one", ids)
	}
	if err := syscall.Kill(ids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for {
		err := unix.Waitid(unix.P_PID, ids[0], nil, unix.WEXITED|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil && !errors.Is(err, unix.ECHILD) { // the parent has learned of it
			t.Fatal(err)
		}
		return
	}
}
