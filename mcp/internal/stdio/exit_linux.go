package stdio

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// awaitExit returns when the process has ended and before anybody waited for it, so that
// its number is its own still.
func awaitExit(cmd *exec.Cmd) {
	for errors.Is(unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
}

// anyLeft reports whether somebody of the group runs. Who ended and waits for init to
// notice does not: in many a container init takes long, or never looks.
func anyLeft(group int) bool {
	if !anyKnown(group) {
		return false
	}
	proc, err := os.Open("/proc")
	if err != nil {
		return true
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // what is there of them
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // no process
		}
		if of, err := syscall.Getpgid(pid); err == nil && of == group && runs(pid) {
			return true
		}
	}
	return false
}

// runs reads a process's state, which follows its name, which may hold anything.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false // it was waited for just now
	}
	state := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])
	return !bytes.HasPrefix(state, []byte("Z")) && !bytes.HasPrefix(state, []byte("X"))
}
