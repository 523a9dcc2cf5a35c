//go:build !linux

package main

import (
	"os"
	"time"
)

// forgetTyped drops the lines that were typed before now.
func forgetTyped(terminal *os.File) {
	if terminal.SetReadDeadline(time.Now().Add(time.Millisecond)) != nil {
		return
	}
	var typed [1024]byte
	for {
		if _, err := terminal.Read(typed[:]); err != nil {
			break
		}
	}
	_ = terminal.SetReadDeadline(time.Time{})
}
