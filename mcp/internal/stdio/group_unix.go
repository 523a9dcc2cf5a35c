//go:build unix

package stdio

import (
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

// awaitNoGroup waits until the group is empty: who gets a SIGKILL is there for some
// moments more. Nothing tells when the last one left, so it looks again and again.
func awaitNoGroup(group int, most time.Duration) {
	for pause := time.Millisecond / 4; most > 0; pause = min(2*pause, 50*time.Millisecond) {
		if !anyLeft(group) {
			return
		}
		time.Sleep(pause)
		most -= pause
	}
}
