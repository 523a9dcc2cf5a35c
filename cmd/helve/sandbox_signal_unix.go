//go:build unix

package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// signalNumber is the number of a signal, of which the result has the name.
func signalNumber(name string) int {
	if n := unix.SignalNum(name); n != 0 {
		return int(n)
	}
	var n int
	_, _ = fmt.Sscanf(name, "signal %d", &n) // those without a name
	return n
}
