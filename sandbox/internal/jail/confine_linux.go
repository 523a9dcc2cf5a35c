package jail

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/landlock"
	"helve/sandbox/internal/seccomp"
	"helve/sandbox/internal/wire"
)

// confine takes from this thread all that the program must not have. The program is its
// child, and a child has no more than its parent.
func confine(base wire.Base, run wire.Run, readable []string) {
	dropCapabilities()
	must("no new privileges", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	var rules []landlock.Rule
	for _, p := range readable {
		rules = append(rules, landlock.Rule{Path: p, Access: landlock.Read | landlock.Execute})
	}
	for _, p := range []string{"/work", "/tmp", "/dev/shm"} {
		rules = append(rules, landlock.Rule{Path: p, Access: landlock.Read | landlock.Execute | landlock.Write})
	}
	for _, p := range []string{"/dev/null", "/dev/zero", "/dev/full"} {
		rules = append(rules, landlock.Rule{Path: p, Access: landlock.Read | landlock.Write})
	}
	must("landlock", landlock.Restrict(rules, landlock.Options{MinABI: base.MinABI}))
	filter := seccomp.Decode(run.Filter)
	limit(run) // late: they hold for this process too
	must("seccomp", seccomp.Install(filter))
}

// limit sets what a process may use. It holds for this process too, which needs little
// and starts no thread from here on.
func limit(run wire.Run) {
	set := func(resource int, soft, hard uint64) {
		var now unix.Rlimit
		must("limits", unix.Prlimit(0, resource, nil, &now))
		must("limits", unix.Prlimit(0, resource, &unix.Rlimit{Cur: min(soft, now.Max), Max: min(hard, now.Max)}, nil))
	}
	both := func(resource int, value uint64) { set(resource, value, value) }
	set(unix.RLIMIT_CPU, uint64(run.CPU), uint64(run.CPU)+1) // SIGXCPU, and then SIGKILL
	if run.Data > 0 {
		both(unix.RLIMIT_DATA, uint64(run.Data)) // not RLIMIT_AS: Node, Go and WASM reserve more than they use
	}
	both(unix.RLIMIT_NPROC, uint64(run.Processes))
	both(unix.RLIMIT_FSIZE, uint64(run.FileSize))
	both(unix.RLIMIT_NOFILE, 256)
	both(unix.RLIMIT_CORE, 1) // with 0, a core_pattern that is a program would still be run
	both(unix.RLIMIT_STACK, 8<<20)
	both(unix.RLIMIT_MEMLOCK, 64<<10)
	both(unix.RLIMIT_MSGQUEUE, 0)
	both(unix.RLIMIT_NICE, 0)
	both(unix.RLIMIT_RTPRIO, 0)
	both(unix.RLIMIT_SIGPENDING, 256)
}

// secured are the secure bits, each locked: no capabilities for a user 0, none kept or
// raised.
const secured = 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<5 | 1<<6 | 1<<7

func dropCapabilities() {
	for c := uintptr(0); ; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err == unix.EINVAL && c > unix.CAP_SYSLOG {
			break // there are no more
		} else {
			must("bounding set", err)
		}
	}
	must("secure bits", unix.Prctl(unix.PR_SET_SECUREBITS, secured, 0, 0, 0))
	must("ambient capabilities", unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))

	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	// All threads of the runtime, where the program has no C code. They are out of the
	// program's reach anyway: it can't look into this process.
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&none[0])), 0)
	if errno == syscall.ENOTSUP {
		must("capabilities", unix.Capset(&head, &none[0]))
		return
	}
	if errno != 0 {
		fail("capabilities", errno, "")
	}
}
