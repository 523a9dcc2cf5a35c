//go:build linux

package seccomp

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxProgram is the kernel's BPF_MAXINSNS.
const maxProgram = 4096

// Install puts the calling thread under a program of [Filter], and all that it starts from
// then on: threads, processes, and the programs they run. There is no way back, and other
// threads of the process go on as before, so the caller has locked its thread and doesn't
// unlock it. NO_NEW_PRIVS must be set, or else the error is EACCES.
//
// The error wraps a [unix.Errno], save that for a program that is empty or too long.
func Install(program []unix.SockFilter) error {
	if len(program) == 0 {
		return fmt.Errorf("seccomp: no filter: the calls of %s are not known here, only those of amd64 and arm64", runtime.GOARCH)
	}
	if len(program) > maxProgram {
		return fmt.Errorf("seccomp: a filter of %d instructions: the kernel takes %d", len(program), maxProgram)
	}
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&p)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}
