package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// target is what an attacker is told of the machine that it is on.
type target struct {
	Secret   string // a file that everybody may read
	Dir      string // a folder that everybody may write
	ReadOnly string // a folder that the sandbox sees, with the socket "live" in it
	TCP, UDP string // addresses of live servers
	TCP6     string
	Abstract string // the name of a live socket
	Process  int    // on the machine
	FD       int    // of the secret, left open
}

const hidden = "the-secret-of-the-house"

// probe is one attack. It returns nil where it succeeded.
type probe struct {
	name string
	run  func(t target) error
	want string // the errors that are right, separated by |; "ok" is success
	bite bool   // outside it is harmless and must succeed, so that it is known to be one
}

// errno makes an error of what a system call says.
func errno(e syscall.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}

func call(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	_, _, e := syscall.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	return errno(e)
}

func text(s string) uintptr {
	p, _ := syscall.BytePtrFromString(s)
	return uintptr(unsafe.Pointer(p))
}

func read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Read(make([]byte, 1))
	return err
}

func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		f.Close()
		os.Remove(path)
	}
	return err
}

func socket(domain, kind, protocol int) error {
	fd, err := unix.Socket(domain, kind, protocol)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, 2*time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	if network == "udp4" {
		_, err = c.Write([]byte("hello")) // the others are there once they are connected
	}
	return err
}

// all runs several and returns the first that succeeded as success, else the last error.
func all(probes ...error) (err error) {
	for _, err = range probes {
		if err == nil {
			return nil
		}
	}
	return err
}

// refused are the errors of calls that the filter names.
const refused = "EPERM"

// quiet are the attacks that leave the attacker alive.
var quiet = []probe{
	// What may be read.
	{"shadow", func(target) error { return read("/etc/shadow") }, "ENOENT", false},
	{"secret", func(t target) error { return read(t.Secret) }, "ENOENT", true},
	{"secret, stat", func(t target) error { _, err := os.Stat(t.Secret); return err }, "ENOENT", true},
	{"home", func(t target) error { _, err := os.ReadDir(filepath.Dir(t.Secret)); return err }, "ENOENT", true},
	{"secret, by a symlink", func(t target) error {
		os.Remove("link")
		defer os.Remove("link")
		if err := os.Symlink(t.Secret, "link"); err != nil {
			return err
		}
		return read("link")
	}, "ENOENT", true},
	{"secret, by /proc/self/root", func(t target) error { return read("/proc/self/root" + t.Secret) }, "ENOENT", true},
	{"secret, by ..", func(t target) error { return read(strings.Repeat("../", 20) + t.Secret) }, "ENOENT", true},
	{"environment", func(target) error {
		if strings.Contains(strings.Join(os.Environ(), "\n"), hidden) {
			return nil
		}
		return syscall.ENOENT
	}, "ENOENT", true},
	{"files left open", func(t target) error {
		for fd := 3; fd < 1024; fd++ {
			data := make([]byte, len(hidden))
			if n, _ := unix.Pread(fd, data, 0); n > 0 && string(data) == hidden {
				return nil
			}
		}
		return syscall.EBADF
	}, "EBADF", true},
	{"the launcher's files", func(target) error {
		var errs []error
		for _, name := range []string{"environ", "mem", "root/etc", "exe", "fd/3", "maps", "cwd"} {
			errs = append(errs, read("/proc/1/"+name))
		}
		return all(errs...)
	}, "EACCES|ENOENT|EPERM", false},
	{"the machine's files", func(target) error {
		var errs []error
		for _, name := range []string{"/proc/kcore", "/sys/fs/cgroup", "/dev/mem", "/dev/vda", "/dev/kmsg", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/kallsyms"} {
			_, err := os.Stat(name)
			errs = append(errs, err)
		}
		return all(errs...)
	}, "ENOENT", true},
	{"processes of the machine", func(t target) error { _, err := os.Stat(fmt.Sprintf("/proc/%d/cmdline", t.Process)); return err }, "ENOENT", true},

	// What may be written.
	{"/usr", func(target) error { return create("/usr/attack") }, "EROFS", false},
	{"/etc/passwd", func(target) error {
		f, err := os.OpenFile("/etc/passwd", os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			f.Close()
		}
		return err
	}, "EROFS|EACCES", false},
	{"the root", func(target) error { return create("/new-file") }, "EROFS", false},
	{"a read-only mount", func(t target) error { return create(filepath.Join(t.ReadOnly, "attack")) }, "EROFS|EACCES", false},
	{"a folder of the machine", func(t target) error { return create(filepath.Join(t.Dir, "attack")) }, "ENOENT", true},
	{"remove the secret", func(t target) error { return os.Remove(t.Secret + ".copy") }, "ENOENT", false},
	{"chmod the secret", func(t target) error { return os.Chmod(t.Secret, 0o600) }, "ENOENT", false},
	{"date the secret", func(t target) error { return os.Chtimes(t.Secret, time.Now(), time.Now()) }, "ENOENT", false},
	{"work", func(target) error { return create("attack") }, "ok", true},
	{"tmp", func(target) error { return create(filepath.Join(os.TempDir(), "attack")) }, "ok", true},
	{"the launcher's program", func(target) error {
		_, err := os.OpenFile("/proc/1/exe", os.O_WRONLY, 0)
		return err
	}, "EACCES|ENOENT|EPERM|ETXTBSY", false},
	{"chmod setuid", func(target) error {
		os.WriteFile("suid", nil, 0o755)
		defer os.Remove("suid")
		return unix.Chmod("suid", 0o4755)
	}, refused, true},
	{"create setuid", func(target) error {
		defer os.Remove("suid2")
		fd, err := unix.Open("suid2", unix.O_CREAT|unix.O_RDWR, 0o6755)
		if err == nil {
			unix.Close(fd)
		}
		return err
	}, refused, true},
	{"mknod", func(target) error {
		return all(unix.Mknod("blk", unix.S_IFBLK|0o666, int(unix.Mkdev(259, 0))), unix.Mknod("chr", unix.S_IFCHR|0o666, int(unix.Mkdev(1, 1))))
	}, refused, false},

	// The network.
	{"TCP", func(t target) error { return dial("tcp4", t.TCP) }, "EACCES", true},
	{"UDP", func(t target) error { return dial("udp4", t.UDP) }, "EACCES", true},
	{"TCP, IPv6", func(t target) error { return socket(unix.AF_INET6, unix.SOCK_STREAM, 0) }, "EACCES", true},
	{"MPTCP", func(target) error { return socket(unix.AF_INET, unix.SOCK_STREAM, 262) }, "EACCES", false},
	{"raw", func(target) error { return socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) }, "EACCES", false},
	{"packet", func(target) error { return socket(unix.AF_PACKET, unix.SOCK_RAW, 0) }, "EACCES", false},
	{"netlink", func(target) error { return socket(unix.AF_NETLINK, unix.SOCK_RAW, 0) }, "EACCES", true},
	{"vsock", func(target) error { return socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0) }, "EACCES", false},
	{"alg", func(target) error { return socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) }, "EACCES", false},
	{"abstract socket", func(t target) error { return dial("unix", "@"+t.Abstract) }, "EACCES", true},
	{"socket in a read-only mount", func(t target) error { return dial("unix", filepath.Join(t.ReadOnly, "live")) }, "EACCES", true},
	{"socket pair", func(target) error {
		p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err == nil {
			unix.Close(p[0])
			unix.Close(p[1])
		}
		return err
	}, "ok", true},
	{"socket pair, connected anew", func(t target) error {
		p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		return unix.Connect(p[0], &unix.SockaddrUnix{Name: filepath.Join(t.ReadOnly, "live")})
	}, "EACCES", false},
	{"a name", func(target) error {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		_, err := net.DefaultResolver.LookupHost(ctx, "example.com")
		if err != nil && ctx.Err() == nil {
			return syscall.EACCES
		}
		return err
	}, "EACCES", false},

	// Processes and privileges.
	{"signal a process of the machine", func(t target) error { return unix.Kill(t.Process, 0) }, "ESRCH", true},
	{"ptrace the launcher", func(target) error { return call(unix.SYS_PTRACE, unix.PTRACE_ATTACH, 1) }, refused, false},
	{"be traced", func(target) error { return call(unix.SYS_PTRACE, unix.PTRACE_TRACEME) }, refused, false},
	{"read a process's memory", func(target) error { return call(unix.SYS_PROCESS_VM_READV, 1, 0, 0, 0, 0, 0) }, refused, true},
	{"become root", func(target) error { return errno2(syscall.RawSyscall(unix.SYS_SETUID, 0, 0, 0)) }, "EINVAL|EPERM", false},
	{"su", func(target) error { return exec.Command("su", "-c", "true").Run() }, "exit|EACCES|ENOENT", false},
	{"enter a namespace", func(target) error {
		fd, err := unix.Open("/proc/self/ns/net", unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.Setns(fd, unix.CLONE_NEWNET)
	}, "EPERM|ENOENT", false},
	{"new user namespace", func(target) error { return call(unix.SYS_UNSHARE, unix.CLONE_NEWUSER) }, refused, false},
	{"new network namespace", func(target) error { return call(unix.SYS_UNSHARE, unix.CLONE_NEWNET) }, refused, false},
	{"clone with a namespace", func(target) error {
		pid, _, e := syscall.RawSyscall6(unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if e == 0 && pid == 0 {
			unix.Exit(0)
		}
		return errno(e)
	}, refused, false},
	{"clone3", func(target) error { return call(unix.SYS_CLONE3, 0, 0) }, "ENOSYS", false},
	{"openat2", func(target) error {
		fd, err := unix.Openat2(unix.AT_FDCWD, ".", &unix.OpenHow{Flags: unix.O_PATH})
		if err == nil {
			unix.Close(fd)
		}
		return err
	}, "ENOSYS", true},
	{"mount", func(target) error { return unix.Mount("tmpfs", "/tmp", "tmpfs", 0, "") }, refused, false},
	{"remount", func(target) error { return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND, "") }, refused, false},
	{"umount", func(target) error { return unix.Unmount("/tmp", unix.MNT_DETACH|unix.MNT_EXPIRE) }, refused + "|EINVAL", false},
	{"open_tree", func(target) error { return call(unix.SYS_OPEN_TREE, ^uintptr(99), text("/"), unix.OPEN_TREE_CLONE) }, refused, false},
	{"pivot_root", func(target) error { return unix.PivotRoot(".", ".") }, refused, false},
	{"chroot", func(target) error { return call(unix.SYS_CHROOT, text("/nowhere")) }, refused, false},
	{"bpf", func(target) error { return call(unix.SYS_BPF, 99, 0, 0) }, refused, false},
	{"perf", func(target) error { return call(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0, 0, 0) }, refused, false},
	{"userfaultfd", func(target) error { return call(unix.SYS_USERFAULTFD, 1) }, refused, false},
	{"io_uring", func(target) error { return call(unix.SYS_IO_URING_SETUP, 1, 0) }, refused, false},
	{"keys", func(target) error {
		return all(call(unix.SYS_KEYCTL, 0, 0), call(unix.SYS_ADD_KEY, text("user"), text("k"), text("v"), 1, ^uintptr(2)))
	}, refused, true},
	{"kexec", func(target) error { return call(unix.SYS_KEXEC_LOAD, 0, 1<<20, 0, 0) }, refused, false},
	{"modules", func(target) error {
		return all(call(unix.SYS_INIT_MODULE, 0, 0, 0), call(unix.SYS_DELETE_MODULE, text("none"), 0))
	}, refused, false},
	{"file handles", func(target) error {
		return all(call(unix.SYS_OPEN_BY_HANDLE_AT, ^uintptr(99), 0, 0), call(unix.SYS_NAME_TO_HANDLE_AT, ^uintptr(99), text("/"), 0, 0, 0))
	}, refused, false},
	{"type into the terminal", func(target) error {
		c := byte('x')
		return call(unix.SYS_IOCTL, 0, unix.TIOCSTI, uintptr(unsafe.Pointer(&c)))
	}, refused, false},
	{"type into the terminal, wide", func(target) error {
		c := byte('x')
		return call(unix.SYS_IOCTL, 0, unix.TIOCSTI|1<<32, uintptr(unsafe.Pointer(&c)))
	}, refused, false},
	{"personality", func(target) error { return call(unix.SYS_PERSONALITY, 0x0040000) }, refused, true},
	{"raise a limit", func(target) error {
		return unix.Prlimit(0, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil)
	}, refused, false},
	{"nice", func(target) error { return unix.Setpriority(unix.PRIO_PROCESS, 0, -20) }, "EPERM|EACCES|ENOSYS", false},
	{"real time", func(target) error {
		priority := int32(50)
		return call(unix.SYS_SCHED_SETSCHEDULER, 0, 1, uintptr(unsafe.Pointer(&priority)))
	}, "EPERM|ENOSYS", false},
	{"survive the others", func(target) error { return os.WriteFile("/proc/self/oom_score_adj", []byte("-1000"), 0) }, "EACCES|ENOENT|EPERM|EROFS", false},
	{"host name", func(target) error { return unix.Sethostname([]byte("attack")) }, refused, false},
	{"clock", func(target) error { return call(unix.SYS_CLOCK_SETTIME, 0, 0) }, refused, false},
	{"kernel log", func(target) error { return call(unix.SYS_SYSLOG, 2, 0, 0) }, refused, false},
}

func errno2(_, _ uintptr, e syscall.Errno) error { return errno(e) }

// attack runs attacks, and prints what came of each.
func attack(args []string) {
	var t target
	if err := json.Unmarshal([]byte(args[0]), &t); err != nil {
		panic(err)
	}
	control := len(args) > 1 && args[1] == "control"
	if len(args) > 1 && args[1] == "reduced" {
		for _, p := range withoutNamespaces {
			fmt.Printf("%s\t%s\n", p.name, outcome(p.run(t)))
		}
		return
	}
	if len(args) > 1 && !control {
		violent()[args[1]](args[2:])
		return
	}
	for _, p := range quiet {
		if control && !p.bite {
			continue // it would do harm, or needs the sandbox to be one
		}
		fmt.Printf("%s\t%s\n", p.name, outcome(p.run(t)))
	}
}

func outcome(err error) string {
	var e syscall.Errno
	var failed *exec.ExitError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &failed):
		return "exit"
	case errors.As(err, &e):
		return unix.ErrnoName(e)
	}
	return err.Error()
}
