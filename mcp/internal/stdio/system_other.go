//go:build !unix

package stdio

import (
	"log/slog"
	"os/exec"
	"time"
)

// There are no groups and no signals here: whatever is asked, the process ends.
type sig int

const (
	terminate sig = iota
	kill
)

func ownGroup(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, _ sig) { _ = cmd.Process.Kill() } // it may be over

// awaitExit waits for the process.
func awaitExit(cmd *exec.Cmd) { _ = cmd.Wait() } // cmd.ProcessState has it

func awaitNoGroup(int, time.Duration) bool { return true }

var watch watchdog

type watchdog struct{}

func (watchdog) add(int, *slog.Logger) {}

func (watchdog) remove(int) {}
