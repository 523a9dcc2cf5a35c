package sandbox

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/cgroup"
	_ "helve/sandbox/internal/jail" // what this program is when it is started as a launcher
	"helve/sandbox/internal/wire"
)

// launchTimeout is how long a launcher may take to come to where it awaits a run.
const launchTimeout = 20 * time.Second

// launch is a launcher: the first process of new namespaces, and with it all that will run
// in them.
type launch struct {
	box     *Sandbox
	process *os.Process
	config  *os.File // to the launcher
	status  *os.File // from it
	stdin   *os.File // to the program
	stdout  *os.File // from it
	stderr  *os.File
	group   *cgroup.Group // nil where there are none
	used    cgroup.Usage  // of the group, in all; set by close
	spent   time.Duration // of processors, by all; set before ended is closed
	begun   time.Time     // when the run was sent
	user    int           // of the host; 0 where it is the parent's own
	ended   chan struct{} // closed when all of it is gone
	reason  atomic.Pointer[Reason]
	closing sync.Once
}

// launch starts a launcher, and sends what can be made before a run is known. Close must be
// called.
func (s *Sandbox) launch(ctx context.Context, mounts []Mount) (*launch, error) {
	l := &launch{box: s, ended: make(chan struct{})}
	if s.machine.users != nil {
		select {
		case l.user = <-s.machine.users:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if err := l.start(); err != nil {
		l.release()
		return nil, unavailable(err)
	}
	base := wire.Base{Proc: s.level == Strict, MinABI: s.machine.leastABI}
	for _, m := range mounts {
		base.Mounts = append(base.Mounts, wire.Mount{Source: m.Source, Target: m.At()})
	}
	if err := wire.WriteJSON(l.config, wire.KindBase, base); err != nil {
		err = l.silent(err)
		l.close()
		return nil, err
	}
	return l, nil
}

// start starts the process and puts it into its cgroup. It does nothing before it has its
// configuration, so no program is ever outside.
func (l *launch) start() (err error) {
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			l.closePipes()
		}
	}()
	pipe := func(ours **os.File, intoIt bool) *os.File {
		r, w, e := os.Pipe()
		if e != nil {
			err = e
			return nil
		}
		if intoIt {
			r, w = w, r
		}
		*ours = r
		theirs = append(theirs, w)
		return w
	}
	cmd := &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        []string{wire.Marker},
		Env:         []string{"GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1"},
		Dir:         "/",
		SysProcAttr: l.attributes(),
	}
	config, status := pipe(&l.config, true), pipe(&l.status, false)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipe(&l.stdin, true), pipe(&l.stdout, false), pipe(&l.stderr, false)
	cmd.ExtraFiles = []*os.File{config, status}
	if err != nil {
		return err
	}
	if err := l.begin(cmd); err != nil {
		return err
	}
	l.process = cmd.Process
	if l.box.machine.cgroups.Version != 0 {
		if l.group, err = l.box.machine.cgroups.New(); err == nil {
			err = l.group.Add(cmd.Process.Pid)
		}
		if err != nil {
			_ = cmd.Process.Kill()
			<-l.ended
		}
	}
	return err
}

// begin starts the process on a thread of its own that stays until the process is gone: the
// kernel kills a launcher when the thread that made it ends, which is what saves us from
// launchers without a parent.
func (l *launch) begin(cmd *exec.Cmd) error {
	begun := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		begun <- err
		if err == nil {
			_ = cmd.Wait() // what became of it, its status says
			l.spent = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			close(l.ended)
		}
	}()
	return <-begun
}

// insideUser is who a program is for itself.
const insideUser = 1000

func (l *launch) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{
		Cloneflags:                 unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		GidMappingsEnableSetgroups: false,
		AmbientCaps:                []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP},
		Setsid:                     true,
		Pdeathsig:                  syscall.SIGKILL,
	}
	uid, gid := os.Geteuid(), os.Getegid()
	if l.user != 0 {
		uid, gid = l.user, l.user
		a.Credential = &syscall.Credential{Uid: insideUser, Gid: insideUser, Groups: []uint32{}} // none of root's
		a.GidMappingsEnableSetgroups = true
	}
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: insideUser, HostID: uid, Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: insideUser, HostID: gid, Size: 1}}
	return a
}

// await waits for a launcher to be ready for a run.
func (l *launch) await(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { l.stop(Canceled) })()
	late := time.AfterFunc(launchTimeout, func() { l.stop(Timeout) })
	defer late.Stop()
	kind, payload, err := wire.Read(l.status)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return l.silent(err)
	case kind == wire.KindWaiting:
		return nil
	}
	return refusal(kind, payload)
}

// silent is the error of a launcher that ended without a word.
func (l *launch) silent(err error) error {
	if r := l.reason.Load(); r != nil && *r == Timeout {
		return &UnavailableError{Stage: "start the launcher", Errno: syscall.ETIMEDOUT, Hint: "it did not get ready; is the machine overloaded?"}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) {
		return &UnavailableError{Stage: "start the launcher", Hint: "it ended without a word: this program must be able to start itself again, so its file must be readable and executable by every user, and nothing in an init function may end it"}
	}
	return err
}

// stop ends everything at once. The first reason counts.
func (l *launch) stop(why Reason) {
	if !l.reason.CompareAndSwap(nil, &why) {
		return
	}
	_ = l.process.Kill()
	if l.group != nil {
		_ = l.group.Kill() // with its first process it is empty anyway
	}
}

// end ends what is left, and waits until all of it is gone.
func (l *launch) end() {
	_ = l.process.Kill()
	<-l.ended
}

// close ends what is left, and cleans up.
func (l *launch) close() {
	l.closing.Do(func() {
		l.end()
		if l.group != nil {
			var err error
			if l.used, err = l.group.Usage(); err != nil {
				l.box.log.Warn("what a sandbox used is not known", "error", err)
			}
		}
		l.closePipes()
		l.release()
	})
}

// release gives back what a launch has from its Sandbox.
func (l *launch) release() {
	if l.group != nil {
		if err := l.group.Remove(); err != nil {
			l.box.log.Warn("a cgroup of a sandbox could not be removed", "error", err)
		}
	}
	if l.user != 0 {
		l.box.machine.users <- l.user
	}
}

func (l *launch) closePipes() {
	for _, f := range []*os.File{l.config, l.status, l.stdin, l.stdout, l.stderr} {
		if f != nil {
			f.Close()
		}
	}
}
