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

// Main serves tools until helve goes away, and ends the program.
func Main(tools []tool.Tool) {
	syscall.CloseOnExec(requests) // or what a function starts would keep helve waiting
	syscall.CloseOnExec(answers)
	in, out := os.NewFile(requests, "requests"), os.NewFile(answers, "answers")
	if os.Getenv("HELVE_GOFUNC") == "" || in == nil || out == nil {
		fmt.Fprintln(os.Stderr, `helve starts this program to call its tools: see "helve tools list"`)
		os.Exit(2)
	}
	if err := Serve(in, out, tools); err != nil {
		fmt.Fprintln(os.Stderr, "serving tools:", err)
		os.Exit(1)
	}
	os.Exit(0) // without waiting for calls that nobody waits for
}
