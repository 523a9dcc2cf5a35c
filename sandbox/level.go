package sandbox

// Level is how much isolation a run has.
type Level string

const (
	// Strict is all of it: namespaces, a root of its own, a system-call filter,
	// Landlock, limits.
	Strict Level = "strict"

	// StrictNoProc is Strict without /proc, for machines where it can't be mounted, such
	// as containers that mask a part of it.
	StrictNoProc Level = "strict-noproc"

	// Reduced is without namespaces: Landlock (Linux 6.12) and a system-call filter, in a
	// folder of the machine that is also HOME and TMPDIR, and that is removed. Contents
	// can't be read, nothing can be written elsewhere, and there is no network; but what
	// exists on the machine can be told, the disk can be filled, and a killed parent
	// leaves what the program started. On macOS it is Seatbelt, under which moreover a
	// process that leaves its session stays, confined, until it ends.
	Reduced Level = "reduced"

	// WASM is a WebAssembly module's, in this process: it has no system calls at all.
	WASM Level = "wasm"
)

// ParseLevel returns the level that a person named.
func ParseLevel(name string) (Level, bool) {
	switch l := Level(name); l {
	case Strict, StrictNoProc, Reduced:
		return l, true
	}
	return "", false
}

// rank orders the levels of processes.
func (l Level) rank() int {
	switch l {
	case Strict:
		return 3
	case StrictNoProc:
		return 2
	case Reduced:
		return 1
	}
	return 0
}
