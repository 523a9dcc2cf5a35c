//go:build unix

package stdio

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

type sig = syscall.Signal

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// ownGroup makes the process the first of a group, so that what it starts can be ended
// with it, and that Ctrl-C in a terminal is not for it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup signals all of the group. Nobody may be left.
func signalGroup(cmd *exec.Cmd, s sig) { _ = syscall.Kill(-cmd.Process.Pid, s) }

// anyKnown reports whether somebody of the group is there, or was and is not yet waited
// for.
func anyKnown(group int) bool { return !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) }

// awaitNoGroup waits until nobody of the group runs, and reports whether that came: who
// gets a SIGKILL is there for some moments more. Nothing tells when the last one left, so
// it looks again and again, and closer if it takes longer.
func awaitNoGroup(group int, most time.Duration) bool {
	look := anyKnown
	for pause := time.Millisecond / 4; most > 0; pause = min(2*pause, 50*time.Millisecond) {
		if !look(group) {
			return true
		}
		if pause > time.Millisecond {
			look = anyLeft
		}
		time.Sleep(pause)
		most -= pause
	}
	return !anyLeft(group)
}
