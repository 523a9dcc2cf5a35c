//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package serve

import "golang.org/x/sys/unix"

// redirect makes to a second name of what from leads to.
func redirect(from, to int) error { return unix.Dup2(from, to) }
