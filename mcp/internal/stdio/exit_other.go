//go:build unix && !linux

package stdio

import "os/exec"

// awaitExit waits for the process. Elsewhere than on Linux waitid has no portable form,
// so for the moment until its group is signalled its number may be another's.
func awaitExit(cmd *exec.Cmd) { _ = cmd.Wait() } // cmd.ProcessState has it

// anyLeft reports whether somebody of the group is there, be it only for init to notice.
func anyLeft(group int) bool { return anyKnown(group) }
