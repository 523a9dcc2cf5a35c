package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/cgroup"
	"helve/sandbox/internal/landlock"
	"helve/sandbox/internal/seccomp"
)

// probe tries the strict levels first, and tells from where one failed what is there.
func (p *prober) probe(ctx context.Context) {
	strict := tryLevel(ctx, Strict)
	best := strict
	switch {
	case strict == nil:
		p.report.Level = Strict
	case procIsMissing(strict):
		if best = tryLevel(ctx, StrictNoProc); best == nil {
			p.report.Level = StrictNoProc
		}
	}
	p.report.Err = best
	p.namespaces(best)
	p.proc(strict)
	p.landlock()
	p.seccomp()
	p.cgroup(cgroup.Probe())
	p.user()
	p.reduced(ctx)
	p.interpreters()
}

// rootStages are those that need the namespaces and what a user may do in them. What fails
// later has them.
var rootStages = []string{"start the launcher", "prepare", "pid namespace", "host name", "private mounts", "open", "copy mount", "mount attributes", "root tmpfs"}

func (p *prober) namespaces(err error) {
	f := Feature{Name: "namespaces", OK: true, Detail: "user, mount, pid, network, ipc, uts and cgroup namespaces were made"}
	var e *UnavailableError
	if early := errors.As(err, &e) && slices.ContainsFunc(rootStages, func(s string) bool { return strings.HasPrefix(e.Stage, s) }); early || err != nil && e == nil {
		f.OK, f.Detail, f.Hint = false, lack(err), remedy(err)
	}
	p.add(f)
}

func (p *prober) proc(err error) {
	f := Feature{Name: "proc", OK: true, Detail: "programs have a /proc of their own"}
	switch last := p.report.Features[len(p.report.Features)-1]; {
	case !last.OK:
		f.OK, f.Detail, f.Hint = false, "not tried, for want of namespaces", "mend those first"
	case procIsMissing(err):
		f.OK, f.Detail, f.Hint = false, lack(err)+": programs run without /proc, at the level strict-noproc", remedy(err)
	}
	p.add(f)
}

func (p *prober) landlock() {
	abi := landlock.ABI()
	f := Feature{Name: "landlock", OK: abi >= leastABI, Detail: fmt.Sprintf("version %d of its interface", abi)}
	if !f.OK {
		f.Detail = fmt.Sprintf("version %d of its interface, and %d is wanted", abi, leastABI)
		if abi == 0 {
			f.Detail = "the kernel has none"
		}
		f.Hint = hint("landlock", 0)
	}
	p.add(f)
}

// seccomp asks for the harshest answer that the filter gives, which is also the newest.
func (p *prober) seccomp() {
	f := Feature{Name: "seccomp", OK: true, Detail: "system calls are filtered"}
	action := uint32(unix.SECCOMP_RET_KILL_PROCESS)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	switch {
	case errno != 0:
		f.OK, f.Detail, f.Hint = false, "the kernel has none: "+errno.Error(), hint("seccomp", errno)
	case len(seccomp.Filter(seccomp.Options{})) == 0:
		f.OK, f.Detail, f.Hint = false, "there is no list of this processor's system calls", "amd64 and arm64 have one"
	}
	p.add(f)
}

// cgroup is no condition of any level: without it a watcher adds up the memory.
func (p *prober) cgroup(m cgroup.Mode) {
	f := Feature{Name: "cgroup", OK: m.Version != 0, Detail: fmt.Sprintf("version %d: memory and processes of a run are counted together", m.Version), Hint: m.Reason}
	if !f.OK {
		f.Detail = "none: memory is limited for each process, and added up every " + addEvery.String()
		f.Hint += ". It works without; to have one: systemd-run --user --scope -p Delegate=yes COMMAND"
	}
	p.add(f)
}

func (p *prober) user() {
	f := Feature{Name: "user", OK: true, Detail: fmt.Sprintf("programs run as you, user %d, without any privilege", os.Geteuid())}
	if os.Geteuid() == 0 {
		f.Detail = fmt.Sprintf("you are root, so each run has a user of its own, from %d on", firstUser)
	}
	p.add(f)
}
