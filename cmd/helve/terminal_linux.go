package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// forgetTyped drops what was typed before now, also a line that is not ended.
func forgetTyped(terminal *os.File) {
	raw, err := terminal.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _ = unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCIFLUSH) })
}
