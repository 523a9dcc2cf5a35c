//go:build unix

package gofunc

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the process the first of a group, so that what it starts can be ended
// with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the group. The process was not waited for yet, so its number is its
// own still.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may be over
