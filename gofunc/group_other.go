//go:build !unix

package gofunc

import "os/exec"

// ownGroup does nothing: there are no groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the process alone.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may be over
