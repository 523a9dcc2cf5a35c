package jail

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/landlock"
	"helve/sandbox/internal/seccomp"
	"helve/sandbox/internal/wire"
)

// launchReduced becomes the program, in a folder of the machine. There is no first process
// here that could end the others: the parent ends the group that this process leads.
func launchReduced(base wire.Base) {
	if unix.Getpgrp() != unix.Getpid() {
		fail("process group", unix.EINVAL, "")
	}
	if unix.Geteuid() == 0 {
		fail("user", unix.EPERM, "")
	}
	if err := unix.Chdir(base.Reduced); err != nil {
		fail("open", err, base.Reduced)
	}
	_ = wire.Write(status, wire.KindWaiting, nil)

	var run wire.Run
	if err := wire.ReadJSON(config, wire.KindRun, &run); err != nil {
		unix.Exit(0) // not needed after all
	}
	program, err := find(run.Args[0])
	if err != nil {
		report(wire.KindExec, "find", err, run.Args[0])
	}
	path, argv, envv := pointers([]string{program})[0], pointers(run.Args), pointers(run.Env)
	confineReduced(base, run)
	_ = wire.Write(status, wire.KindStarted, nil) // the status ends with it, unless there is no program
	_, _, errno := unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])))
	report(wire.KindExec, "execute", errno, program)
}

// pointers are strings as the kernel takes them.
func pointers(list []string) []*byte {
	p, err := syscall.SlicePtrFromStrings(list)
	must("arguments", err)
	return p
}

// confineReduced takes from this thread what the program, which it becomes, must not have.
// The root directory is the machine's: Landlock is the first wall here, and what it doesn't
// look after, the filter refuses.
func confineReduced(base wire.Base, run wire.Run) {
	giveUpCapabilities()
	must("no new privileges", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	must("landlock", landlock.Restrict(reducedRules(base), landlock.Options{MinABI: base.MinABI}))
	filter := seccomp.Filter(seccomp.Options{Memory: run.Data == 0, Reduced: true})
	if filter == nil {
		fail("seccomp", nil, "there is no list of system calls for "+runtime.GOARCH)
	}
	limit(run) // late: what is left to do needs next to no memory
	must("seccomp", seccomp.Install(filter))
}

// reducedRules are what may be read, the same as at the strict level, and written.
func reducedRules(base wire.Base) []landlock.Rule {
	var rules []landlock.Rule
	add := func(access landlock.Access, paths ...string) {
		for _, p := range paths {
			rules = append(rules, landlock.Rule{Path: p, Access: access})
		}
	}
	add(landlock.Read|landlock.Execute, merged...)
	add(landlock.Read|landlock.Execute, shown...)
	for _, m := range base.Mounts {
		if err := unix.Access(m.Source, unix.F_OK); err != nil {
			fail("open", err, m.Source) // Landlock leaves out what isn't there
		}
		add(landlock.Read|landlock.Execute, m.Source)
	}
	add(landlock.Read, "/dev/random", "/dev/urandom")
	add(landlock.Read|landlock.Write, "/dev/null", "/dev/zero", "/dev/full")
	add(landlock.Read|landlock.Execute|landlock.Write, base.Reduced)
	return rules
}

// giveUpCapabilities is for a parent that is not root and has some all the same. Those that
// a program's file would give, NO_NEW_PRIVS keeps away, and with them the bounding set, which
// can't be changed here. The other threads' end when the program begins.
func giveUpCapabilities() {
	must("ambient capabilities", unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	must("capabilities", unix.Capset(&head, &none[0]))
}
