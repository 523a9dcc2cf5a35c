package jail

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/wire"
)

// reap waits for the program, and then ends whatever else there is.
func reap(program int) wire.Ended {
	begun := time.Now()
	var ended wire.Ended
	for {
		pid, status, usage, err := wait()
		if err == unix.ECHILD {
			return ended
		}
		ended.CPU += usage.Utime.Nano()/1000 + usage.Stime.Nano()/1000
		ended.RSS = max(ended.RSS, usage.Maxrss<<10)
		if pid != program {
			continue
		}
		ended.Time = time.Since(begun).Microseconds()
		ended.Exit = status.ExitStatus() // -1 for a signal
		if status.Signaled() {
			ended.Signal = int(status.Signal())
		}
		_ = unix.Kill(-1, unix.SIGKILL) // all but this process, which is the first
	}
}

// wait waits for any child. It does not tell the runtime, which would make a thread to
// run what there is not, and fail where a program has taken all that may be made.
func wait() (pid int, status unix.WaitStatus, usage unix.Rusage, err error) {
	for {
		var s int32
		p, _, errno := unix.RawSyscall6(unix.SYS_WAIT4, ^uintptr(0), uintptr(unsafe.Pointer(&s)), 0, uintptr(unsafe.Pointer(&usage)), 0, 0)
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return 0, 0, usage, errno
		}
		return int(p), unix.WaitStatus(s), usage, nil
	}
}
