package stdio

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	if errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
		return false
	}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it ended
		}
		var state string
		var parent, of int
		after := stat[bytes.LastIndexByte(stat, ')')+1:] // its name may hold anything
		if _, err := fmt.Sscan(string(after), &state, &parent, &of); err == nil && of == group && state != "Z" && state != "X" {
			return true
		}
	}
	return false
}
