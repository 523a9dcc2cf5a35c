//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package main

import (
	"errors"
	"os"
)

// hideTyped says that this system has no way to.
func hideTyped(*os.File) (show func(), err error) { return nil, errors.ErrUnsupported }
