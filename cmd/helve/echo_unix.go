//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// hideTyped keeps what is typed from the screen until show is called. Lines and Ctrl-C
// stay what they are.
func hideTyped(terminal *os.File) (show func(), err error) {
	raw, err := terminal.SyscallConn()
	if err != nil {
		return nil, err
	}
	var before *unix.Termios
	failed := raw.Control(func(fd uintptr) {
		if before, err = unix.IoctlGetTermios(int(fd), getTermios); err != nil {
			return
		}
		silent := *before
		silent.Lflag &^= unix.ECHO
		silent.Lflag |= unix.ECHONL
		err = unix.IoctlSetTermios(int(fd), setTermios, &silent)
	})
	if failed != nil {
		return nil, failed
	}
	show = func() {
		_ = raw.Control(func(fd uintptr) { _ = unix.IoctlSetTermios(int(fd), setTermios, before) })
	}
	return show, err
}
