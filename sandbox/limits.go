package sandbox

import (
	"cmp"
	"time"
)

// Limits are how much a run may use. A zero field has the default of [Options.Limits], and
// that of [DefaultLimits].
type Limits struct {
	Time      time.Duration // by the clock
	CPU       time.Duration // of each process's
	Memory    int64         // bytes, of all processes
	Processes int           // with their threads

	Work     int64 // bytes in /work
	Temp     int64 // bytes in /tmp
	FileSize int64 // bytes of one file

	Output      int // bytes that are kept: the first of standard output, the last of standard error
	OutputTotal int // bytes of both after which the run is stopped

	Files     int   // files of /work that are taken out
	FileBytes int64 // bytes of them all
}

// DefaultLimits are enough for a script in Python or Node.
func DefaultLimits() Limits {
	return Limits{
		Time:        30 * time.Second,
		CPU:         30 * time.Second,
		Memory:      512 << 20,
		Processes:   64,
		Work:        64 << 20,
		Temp:        64 << 20,
		FileSize:    64 << 20,
		Output:      64 << 10,
		OutputTotal: 8 << 20,
		Files:       100,
		FileBytes:   16 << 20,
	}
}

// Or returns l with other's in the place of what is zero.
func (l Limits) Or(other Limits) Limits {
	return Limits{
		Time:        cmp.Or(l.Time, other.Time),
		CPU:         cmp.Or(l.CPU, other.CPU),
		Memory:      cmp.Or(l.Memory, other.Memory),
		Processes:   cmp.Or(l.Processes, other.Processes),
		Work:        cmp.Or(l.Work, other.Work),
		Temp:        cmp.Or(l.Temp, other.Temp),
		FileSize:    cmp.Or(l.FileSize, other.FileSize),
		Output:      cmp.Or(l.Output, other.Output),
		OutputTotal: cmp.Or(l.OutputTotal, other.OutputTotal),
		Files:       cmp.Or(l.Files, other.Files),
		FileBytes:   cmp.Or(l.FileBytes, other.FileBytes),
	}
}
