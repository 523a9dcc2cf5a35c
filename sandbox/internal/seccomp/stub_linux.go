package seccomp

import "golang.org/x/sys/unix"

type Options struct{ Memory, Reduced bool }

func Filter(Options) []unix.SockFilter { return nil }
func Install([]unix.SockFilter) error  { return nil }
