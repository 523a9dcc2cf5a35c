//go:build linux

package seccomp

import "golang.org/x/sys/unix"

// Options are what the rest of the sandbox does, and what the filter thus need not or must.
type Options struct {
	// Memory says that a memory cgroup counts the run's memory. Only then may a program
	// make memory that belongs to no process: no other limit sees it.
	Memory bool

	// Reduced says that there are no namespaces. Processes then must stay in their group,
	// by which they are killed, and mustn't change the owner, mode, times or attributes of
	// the host's files, which Landlock doesn't look after.
	Reduced bool
}

// A rule is the answer to some calls, or to those of them whose arguments pass all tests.
// The first rule that fits a call decides it.
type rule struct {
	answer answer
	when   []test
	calls  string // names, with space between
}

// answer is what the kernel does at a call.
type answer uint32

const (
	allow answer = unix.SECCOMP_RET_ALLOW
	kill  answer = unix.SECCOMP_RET_KILL_PROCESS // with SIGSYS
)

// fail answers with an error, and the call is not made.
func fail(with unix.Errno) answer { return answer(unix.SECCOMP_RET_ERRNO | uint32(with)) }

// A test looks at the low 32 bits of an argument. The kernel takes no more of the flags,
// modes, families and commands that are tested here; a test of all 64 could be passed by a
// bit that it ignores (CVE-2019-10063).
type test struct {
	arg   uint32
	mask  uint32
	value uint32
	any   bool // true for "a bit of mask", false for "value, under mask"
}

func has(arg, mask uint32) test        { return test{arg: arg, mask: mask, any: true} }
func is(arg, value uint32) test        { return masked(arg, ^uint32(0), value) }
func masked(arg, m, value uint32) test { return test{arg: arg, mask: m, value: value} }

const (
	// CLONE_NEWTIME is missing: clone takes that bit as a part of the signal.
	newNamespace = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

	setID = unix.S_ISUID | unix.S_ISGID

	// A mode counts only where a file is made. O_TMPFILE has bits that others have too;
	// this one is its own.
	creates = unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY

	socketType = 0xf // of socketpair's second argument; the rest are flags
)

// policy returns the rules, those of the options first.
func policy(o Options) []rule {
	var rules []rule
	if !o.Memory {
		rules = append(rules, rule{fail(unix.EPERM), nil, "memfd_create shmget shmat msgget semget"})
	}
	if o.Reduced {
		rules = append(rules, reduced()...)
	}
	rules = append(rules, tested()...)
	return append(rules, refused(), allowed())
}

// reduced are the rules where there are no namespaces.
func reduced() []rule {
	denied := fail(unix.EPERM)
	return []rule{
		{denied, nil, "setsid setpgid"},

		// What belongs to all of the machine, or to other processes of the user.
		{denied, nil, "shmget shmat shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl"},
		{denied, nil, "mq_open mq_unlink"},
		{allow, []test{is(0, 0)}, "sched_setaffinity"},
		{denied, nil, "sched_setaffinity"},
		{denied, nil, `
			chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown
			utime utimes utimensat futimesat
			setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat`},

		// chattr needs only a file that may be read.
		{denied, []test{is(1, unix.FS_IOC_SETFLAGS)}, "ioctl"},
		{denied, []test{is(1, fsSetXattr)}, "ioctl"},
	}
}

// fsSetXattr is FS_IOC_FSSETXATTR: _IOW('X', 32, struct fsxattr), of 28 bytes.
const fsSetXattr = 1<<30 | 28<<16 | 'X'<<8 | 32

// tested are the calls that depend on their arguments. What none of these fits is left to
// refused and allowed.
func tested() []rule {
	denied := fail(unix.EPERM)
	return []rule{
		{denied, []test{has(0, newNamespace)}, "clone"},

		// No files that run as somebody else.
		{denied, []test{has(1, setID)}, "chmod fchmod creat mkdir mknod"},
		{denied, []test{has(2, setID)}, "fchmodat fchmodat2 mkdirat mknodat"},
		{denied, []test{has(1, creates), has(2, setID)}, "open"},
		{denied, []test{has(2, creates), has(3, setID)}, "openat"},

		// No devices.
		{denied, []test{masked(1, unix.S_IFMT, unix.S_IFCHR)}, "mknod"},
		{denied, []test{masked(1, unix.S_IFMT, unix.S_IFBLK)}, "mknod"},
		{denied, []test{masked(2, unix.S_IFMT, unix.S_IFCHR)}, "mknodat"},
		{denied, []test{masked(2, unix.S_IFMT, unix.S_IFBLK)}, "mknodat"},

		// No typing on the terminal of the one who started us.
		{denied, []test{is(1, unix.TIOCSTI)}, "ioctl"},
		{denied, []test{is(1, tiocLinux)}, "ioctl"},

		// Nobody else's limits and priorities, as those of the launcher.
		{allow, []test{is(0, 0)}, "prlimit64 sched_setparam sched_setscheduler sched_setattr"},
		{denied, nil, "prlimit64 sched_setparam sched_setscheduler sched_setattr"},
		{allow, []test{is(0, unix.PRIO_PROCESS), is(1, 0)}, "setpriority"},
		{allow, []test{is(0, 1), is(1, 0)}, "ioprio_set"}, // IOPRIO_WHO_PROCESS
		{denied, nil, "setpriority ioprio_set"},

		// The machine's disks are not flushed, and it is said that they were.
		{fail(0), nil, "sync syncfs"},

		{allow, []test{is(0, 0)}, "personality"},
		{allow, []test{is(0, personalityQuery)}, "personality"},
		{denied, nil, "personality"},

		// A pair of connected sockets is a pipe; any other socket is a way out. One of a
		// datagram pair is no pipe: it can be connected once more, and send to whom it
		// likes. (SOCK_RAW makes one too.)
		{allow, []test{is(0, unix.AF_UNIX), masked(1, socketType, unix.SOCK_STREAM)}, "socketpair"},
		{allow, []test{is(0, unix.AF_UNIX), masked(1, socketType, unix.SOCK_SEQPACKET)}, "socketpair"},
		{fail(unix.EACCES), nil, "socketpair socket"},
	}
}

const (
	tiocLinux        = 0x541c // TIOCLINUX, on both architectures
	personalityQuery = 0xffffffff
)

// refused are the calls that are made to get out, or to harm the machine. The other calls
// that are not allowed fail with ENOSYS.
func refused() rule {
	return rule{fail(unix.EPERM), nil, `
		ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd process_madvise

		mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
		unshare setns open_by_handle_at name_to_handle_at fanotify_init fanotify_mark

		bpf perf_event_open userfaultfd
		io_uring_setup io_uring_enter io_uring_register io_setup io_submit
		add_key request_key keyctl

		kexec_load kexec_file_load init_module finit_module delete_module reboot
		swapon swapoff acct quotactl syslog vhangup sethostname setdomainname
		settimeofday clock_settime adjtimex clock_adjtime
		iopl ioperm modify_ldt

		mbind set_mempolicy migrate_pages move_pages memfd_secret vmsplice remap_file_pages`}
}

// allowed are the calls of ordinary programs. What is here is useless for harm with the
// rules before it, and without capabilities.
func allowed() rule {
	return rule{allow, nil, `
		read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range
		open openat creat dup dup2 dup3 pipe pipe2 fcntl ioctl flock sendfile splice tee copy_file_range
		fsync fdatasync sync_file_range truncate ftruncate fallocate fadvise64 readahead cachestat
		select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
		eventfd eventfd2

		stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2
		getcwd chdir fchdir getdents getdents64 mkdir mkdirat rmdir mknod mknodat
		link linkat symlink symlinkat readlink readlinkat rename renameat renameat2 unlink unlinkat
		chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown umask utime utimes utimensat futimesat
		getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
		setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr

		brk mmap munmap mremap mprotect madvise mincore msync mlock mlock2 mlockall munlock munlockall
		membarrier pkey_alloc pkey_free pkey_mprotect map_shadow_stack memfd_create
		shmget shmat shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl
		mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr

		clone fork vfork execve execveat exit exit_group wait4 waitid set_tid_address
		set_robust_list get_robust_list rseq futex futex_waitv futex_wake futex_wait futex_requeue
		arch_prctl set_thread_area get_thread_area prctl personality restart_syscall seccomp
		landlock_create_ruleset landlock_add_rule landlock_restrict_self

		kill tkill tgkill pidfd_open pidfd_send_signal process_mrelease pause
		rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigqueueinfo
		rt_tgsigqueueinfo rt_sigsuspend sigaltstack signalfd signalfd4

		getpid getppid gettid getpgid getpgrp setpgid getsid setsid
		getuid geteuid getgid getegid getresuid getresgid getgroups
		setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capget capset
		getrlimit setrlimit prlimit64 getrusage getpriority setpriority ioprio_get ioprio_set
		sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_setparam
		sched_getscheduler sched_setscheduler sched_getattr sched_setattr
		sched_get_priority_max sched_get_priority_min sched_rr_get_interval

		time times gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep alarm
		getitimer setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete
		timerfd_create timerfd_settime timerfd_gettime
		uname sysinfo getcpu getrandom

		socketpair bind listen accept accept4 connect shutdown getsockname getpeername getsockopt setsockopt
		sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg`}
}
