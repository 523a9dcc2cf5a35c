//go:build !linux && !darwin

package sandbox

import (
	"context"
	"runtime"
)

// machine is what this system has for a Sandbox.
type machine struct{}

// open finds nothing: a Windows job object, for one, is no wall before files and network.
func (s *Sandbox) open() error {
	e := &UnavailableError{
		Stage: "isolate a program on " + runtime.GOOS,
		Hint:  "use WebAssembly modules, which need no isolation by the system, or run this program on Linux",
	}
	if runtime.GOOS == "windows" {
		e.Hint = "run this program in WSL2, or use WebAssembly modules, which need no isolation by the system"
	}
	return e
}

// run is never reached: there is no Sandbox without open.
func (s *Sandbox) run(context.Context, Spec, Limits) (*Result, error) { return nil, s.open() }

func (s *Sandbox) shut() {}
