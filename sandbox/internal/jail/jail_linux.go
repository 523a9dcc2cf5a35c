package jail

import (
	"errors"
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/wire"
)

// init takes over where this process is a launcher. There is no other moment: main, and
// what it would do with arguments that it does not know, belongs to somebody else.
func init() {
	if len(os.Args) == 1 && os.Args[0] == wire.Marker {
		runtime.LockOSThread() // credentials, Landlock and the filter are a thread's
		launch()
	}
}

// pipe is a file descriptor without the poller that an os.File would start a thread for.
type pipe int

func (p pipe) Read(b []byte) (int, error) {
	for {
		switch n, err := unix.Read(int(p), b); {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (p pipe) Write(b []byte) (int, error) {
	for done := 0; done < len(b); {
		n, err := unix.Write(int(p), b[done:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return len(b), nil
}

const (
	config = pipe(wire.ConfigFD)
	status = pipe(wire.StatusFD)
)

// launch never returns.
func launch() {
	must("prepare", prepare())
	var base wire.Base
	if err := wire.ReadJSON(config, wire.KindBase, &base); err != nil {
		unix.Exit(1) // nobody is there who could be told
	}
	if base.Reduced != "" {
		launchReduced(base)
	}
	if unix.Getpid() != 1 {
		fail("pid namespace", unix.EINVAL, "")
	}
	system := makeRoot(base)
	_ = wire.Write(status, wire.KindWaiting, nil)

	var run wire.Run
	if err := wire.ReadJSON(config, wire.KindRun, &run); err != nil {
		unix.Exit(0) // not needed after all
	}
	inputs := makeWork(run)
	confine(base, run, system)
	pid := start(run)
	ended := reap(pid)
	_ = wire.WriteJSON(status, wire.KindEnded, ended)
	takeOut(inputs, run)
	_ = wire.Write(status, wire.KindDone, nil)
	unix.Exit(0)
}

// prepare makes sure that this process ends with its parent, hands on no file that the
// parent left open, and can't be looked into.
func prepare() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	unix.Umask(0o022)
	return unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC)
}

// must ends the launcher where a stage failed: what follows would be less than isolation.
func must(stage string, err error) {
	if err != nil {
		fail(stage, err, "")
	}
}

func fail(stage string, err error, note string) {
	report(wire.KindFailed, stage, err, note)
}

func report(kind wire.Kind, stage string, err error, note string) {
	f := wire.Failure{Stage: stage, Note: note}
	var errno unix.Errno
	if errors.As(err, &errno) {
		f.Errno = int(errno)
	} else if err != nil {
		f.Text = err.Error()
	}
	_ = wire.WriteJSON(status, kind, f)
	unix.Exit(1)
}
