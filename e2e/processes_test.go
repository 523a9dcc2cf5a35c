package e2e

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// mark is in the environment of the processes of one test, and in that of all they start.
type mark string

const markName = "HELVE_E2E_MARK"

func newMark() mark { return mark(rand.Text()) }

// processes are those that live and have the mark, without this one.
func (m mark) processes(t *testing.T) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked for in /proc, which only Linux has")
	}
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

// kill ends the one process with the mark as the kernel does when memory is short.
func (m mark) kill(t *testing.T) {
	t.Helper()
	ids := m.processes(t)
	if len(ids) != 1 {
		t.Fatalf("processes of the server: %v, want one", ids)
	}
	p, err := os.FindProcess(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
}
