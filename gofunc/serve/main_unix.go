//go:build unix

package serve

import (
	"fmt"
	"os"
	"syscall"

	"helve/tool"
)

// The pipes behind the three standard ones.
const (
	requests = 3
	answers  = 4
)

// Main serves tools until helve goes away, and ends the program with all that it
// started and that stayed in its process group.
func Main(tools []tool.Tool) {
	syscall.CloseOnExec(requests) // or what a function starts would keep helve waiting
	syscall.CloseOnExec(answers)
	in, out := os.NewFile(requests, "requests"), os.NewFile(answers, "answers")
	if os.Getenv("HELVE_GOFUNC") == "" || in == nil || out == nil {
		fmt.Fprintln(os.Stderr, `helve starts this program to call its tools: see "helve tools list"`)
		os.Exit(2)
	}
	err := Serve(in, out, tools)
	if err != nil {
		fmt.Fprintln(os.Stderr, "serving tools:", err)
	}
	// Without waiting for calls that nobody waits for. helve made the program the first
	// of a group of its own; where somebody else started it, the group is not its own.
	if syscall.Getpgrp() == os.Getpid() {
		_ = syscall.Kill(0, syscall.SIGKILL) // the program too
	}
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}
