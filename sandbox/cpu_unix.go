//go:build linux || darwin

package sandbox

// xcpu is how a shell tells of a child that SIGXCPU ended.
const xcpu = 128 + 24

// outOfCPU says whether a program ended because one of its processes had computed for its
// limit. The kernel sends SIGXCPU then, and SIGKILL a second later to who goes on; it
// counts in ticks, so that what is added up at the end may be a little less. A program
// that failed by itself after several processes computed in turn is none.
func outOfCPU(r *Result, limits Limits) bool {
	switch {
	case r.Signal == "SIGXCPU", r.ExitCode == xcpu:
		return true
	case r.Signal == "SIGKILL", r.ExitCode == 128+9:
		return r.Usage.CPU >= limits.CPU
	}
	return false
}
