package sandbox

import (
	"io/fs"
	"time"
)

// Result is what came of a program that ran.
type Result struct {
	ExitCode int    // -1 where a signal ended it
	Signal   string // "SIGKILL", or empty

	// Reason says why it was stopped; empty where it ended by itself, well or badly.
	Reason Reason

	// Stdout is the beginning of what it printed, and Stderr the end, where it says what
	// went wrong; each is at most [Limits.Output] long.
	Stdout, Stderr []byte
	Truncated      bool // there was more of either

	// Files are the regular files of /work that it made or changed. They are memory, and
	// stay as long as the Result does. Those of a run that was stopped are lost.
	Files fs.FS

	// Left are the files that were not taken out, each with the reason, for people.
	Left []string

	Usage Usage
	Level Level
}

// Reason is why a run was stopped.
type Reason string

const (
	Timeout   Reason = "timeout"   // Limits.Time
	CPU       Reason = "cpu"       // Limits.CPU
	Memory    Reason = "memory"    // Limits.Memory
	Processes Reason = "processes" // Limits.Processes
	Output    Reason = "output"    // Limits.OutputTotal
	Canceled  Reason = "canceled"  // the context ended
)

// Usage is what a run took.
type Usage struct {
	Time   time.Duration // by the clock, of the program alone
	CPU    time.Duration // of all its processes that were waited for
	Memory int64         // bytes, the most of one process; where a cgroup counts, of all at once, with the launcher and files
}
