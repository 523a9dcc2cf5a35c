package sandbox

import (
	"context"
	"io/fs"
)

// Runner runs what nobody vouches for: a [*Sandbox], or a helve/sandbox/wasm.Runtime. It is
// safe for concurrent use.
type Runner interface {
	// Run runs one program to its end. An error means that nothing ran; a program that
	// failed, or was stopped because ctx ended, is a result. When Run returns, no process
	// of the program is left.
	Run(ctx context.Context, spec Spec) (*Result, error)
}

// Spec is one program to run.
type Spec struct {
	// Args are the program and its arguments. The program is a name that is looked for in
	// PATH (/usr/local/bin, /usr/bin, /bin), a path below /work such as "./count.sh", or an
	// absolute path in the sandbox. A WASM module is a path below /work.
	Args []string

	// Files are what the program finds in /work, its directory. They are its own copies.
	Files []File

	// Stdin is what it reads from standard input.
	Stdin []byte

	// Env is added to its environment, which has nothing of this process's.
	Env map[string]string

	// ReadOnly are folders or files of this machine that it may read. A live Unix socket
	// in one can't be used, and devices are no devices.
	ReadOnly []Mount

	// Limits are the run's own; what is zero is as in [Options].
	Limits Limits
}

// File is a regular file, for a run.
type File struct {
	Name string      // a path below /work, with slashes, as [fs.ValidPath] wants it
	Mode fs.FileMode // permissions; 0 is 0644. Of them, only whether it is executable is kept.
	Data []byte
}

// Mount makes something of this machine visible in the sandbox, read-only.
type Mount struct {
	Source string // an absolute path here
	Target string // an absolute path there; "" is the same as Source
}
