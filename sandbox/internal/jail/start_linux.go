package jail

import (
	"errors"
	"path"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/wire"
)

// searched is where a program is looked for that has no slash in its name.
var searched = []string{"/usr/local/bin", "/usr/bin", "/bin"}

// start runs the program and says so.
func start(run wire.Run) (pid int) {
	program, err := find(run.Args[0])
	if err != nil {
		report(wire.KindExec, "find", err, run.Args[0])
	}
	deafen()
	pid, err = syscall.ForkExec(program, run.Args, &syscall.ProcAttr{
		Env:   run.Env,
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	switch {
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOMEM):
		fail("fork", err, "")
	case err != nil:
		report(wire.KindExec, "execute", err, program)
	}
	for fd := range 3 { // the program's output ends with the program
		unix.Close(fd)
	}
	_ = wire.Write(status, wire.KindStarted, nil)
	return pid
}

// deafen gives up the handlers that the runtime has for signals: to the first process of a
// namespace the others of it can't send what it does not handle.
func deafen() {
	var plain struct {
		handler, flags, restorer uintptr
		mask                     uint64
	}
	for signal := uintptr(1); signal <= 64; signal++ {
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, signal, uintptr(unsafe.Pointer(&plain)), 0, unsafe.Sizeof(plain.mask), 0, 0)
	}
}

func find(name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, unix.Access(name, unix.F_OK)
	}
	for _, dir := range searched {
		p := path.Join(dir, name)
		if unix.Access(p, unix.X_OK) == nil {
			return p, nil
		}
	}
	return "", unix.ENOENT
}
