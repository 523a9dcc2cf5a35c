//go:build linux

package seccomp

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Both tables are tested on every architecture.
var arches = map[string]arch{"amd64": x86_64(), "arm64": aarch64()}

var everyOption = []Options{{}, {Memory: true}, {Reduced: true}, {Memory: true, Reduced: true}}

func (a arch) number(name string) (uint32, bool) {
	for _, c := range a.calls {
		if c.name == name {
			return c.number, true
		}
	}
	return 0, false
}

// ask runs the program, which must not be wrong.
func ask(t testing.TB, program []unix.SockFilter, d data) (answer, int) {
	t.Helper()
	got, steps, err := run(program, d)
	if err != nil {
		t.Fatalf("%+v: %v", d, err)
	}
	return got, steps
}

var (
	eperm  = fail(unix.EPERM)
	eacces = fail(unix.EACCES)
	enosys = fail(unix.ENOSYS)
)

// args are a call's; those that are left out are 0.
type args = [6]uint64

const high = 1 << 32 // a bit that the kernel doesn't look at

var answers = []struct {
	calls string
	args  args
	want  answer
}{
	{"read write close mmap futex execve exit_group rt_sigreturn openat clone wait4 kill", args{}, allow},
	{"connect accept sendmsg recvmsg bind prctl seccomp landlock_restrict_self setuid capset pidfd_open", args{}, allow},

	// Signals and thread flags are no namespaces, nor is CLONE_NEWTIME's bit here.
	{"clone", args{unix.CLONE_VM | unix.CLONE_VFORK | uint64(unix.SIGCHLD)}, allow},
	{"clone", args{unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_SYSVSEM | unix.CLONE_SETTLS}, allow},
	{"clone", args{unix.CLONE_NEWTIME}, allow},
	{"clone", args{unix.CLONE_NEWUSER}, eperm},
	{"clone", args{unix.CLONE_NEWUSER | high}, eperm},
	{"clone", args{unix.CLONE_NEWNS | uint64(unix.SIGCHLD)}, eperm},
	{"clone", args{unix.CLONE_NEWPID}, eperm},
	{"clone", args{unix.CLONE_NEWNET}, eperm},
	{"clone", args{unix.CLONE_NEWIPC}, eperm},
	{"clone", args{unix.CLONE_NEWUTS}, eperm},
	{"clone", args{unix.CLONE_NEWCGROUP}, eperm},
	{"clone3 openat2", args{}, enosys},

	{"socket", args{unix.AF_UNIX, unix.SOCK_STREAM}, eacces},
	{"socket", args{unix.AF_INET, unix.SOCK_STREAM, 262}, eacces}, // MPTCP
	{"socket", args{unix.AF_INET6, unix.SOCK_DGRAM}, eacces},
	{"socket", args{unix.AF_VSOCK, unix.SOCK_STREAM}, eacces},
	{"socket", args{unix.AF_ALG, unix.SOCK_SEQPACKET}, eacces},
	{"socketpair", args{unix.AF_UNIX, unix.SOCK_STREAM}, allow},
	{"socketpair", args{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK}, allow},
	{"socketpair", args{unix.AF_UNIX, unix.SOCK_SEQPACKET | unix.SOCK_CLOEXEC}, allow},
	{"socketpair", args{unix.AF_UNIX, unix.SOCK_DGRAM}, eacces},
	{"socketpair", args{unix.AF_UNIX, unix.SOCK_DGRAM | unix.SOCK_CLOEXEC}, eacces},
	{"socketpair", args{unix.AF_UNIX, unix.SOCK_RAW}, eacces},
	{"socketpair", args{unix.AF_TIPC, unix.SOCK_STREAM}, eacces},
	{"socketpair", args{unix.AF_INET, unix.SOCK_STREAM}, eacces},

	{"ioctl", args{0, unix.TCGETS}, allow},
	{"ioctl", args{0, unix.TIOCGWINSZ}, allow},
	{"ioctl", args{0, unix.TIOCSTI}, eperm},
	{"ioctl", args{0, unix.TIOCSTI | high}, eperm},
	{"ioctl", args{0, 0x541c}, eperm},
	{"ioctl", args{0, 0x541c | high}, eperm},

	{"chmod fchmod creat mkdir mknod", args{0, 0o777}, allow},
	{"chmod fchmod creat mkdir mknod", args{0, 0o1777}, allow},
	{"chmod fchmod creat mkdir mknod", args{0, 0o4755}, eperm},
	{"chmod fchmod creat mkdir mknod", args{0, 0o2755}, eperm},
	{"fchmodat fchmodat2 mkdirat mknodat", args{0, 0, 0o644}, allow},
	{"fchmodat fchmodat2 mkdirat mknodat", args{0, 0, 0o4755}, eperm},
	{"fchmodat fchmodat2 mkdirat mknodat", args{0, 0, 0o2755 | high}, eperm},
	{"open", args{0, unix.O_RDONLY, 0o6755}, allow}, // what no one looks at may be anything
	{"open", args{0, unix.O_CREAT | unix.O_WRONLY, 0o644}, allow},
	{"open", args{0, unix.O_CREAT | unix.O_WRONLY, 0o6755}, eperm},
	{"open", args{0, 0x400000 | unix.O_RDWR, 0o4755}, eperm}, // O_TMPFILE's own bit
	{"openat", args{0, 0, unix.O_DIRECTORY, 0o6755}, allow},
	{"openat", args{0, 0, unix.O_CREAT, 0o600}, allow},
	{"openat", args{0, 0, unix.O_CREAT, 0o4600}, eperm},
	{"openat", args{0, 0, unix.O_TMPFILE, 0o2755}, eperm},

	{"mknod", args{0, unix.S_IFIFO | 0o644}, allow},
	{"mknod", args{0, unix.S_IFREG | 0o644}, allow},
	{"mknod", args{0, unix.S_IFREG | 0o4755}, eperm},
	{"mknod", args{0, unix.S_IFCHR | 0o644, 0x103}, eperm},
	{"mknod", args{0, unix.S_IFBLK | 0o644, 0x103}, eperm},
	{"mknodat", args{0, 0, unix.S_IFIFO | 0o644}, allow},
	{"mknodat", args{0, 0, unix.S_IFSOCK | 0o644}, allow},
	{"mknodat", args{0, 0, unix.S_IFCHR | 0o644}, eperm},
	{"mknodat", args{0, 0, unix.S_IFBLK | 0o644}, eperm},

	{"personality", args{0}, allow},
	{"personality", args{0xffffffff}, allow},
	{"personality", args{^uint64(0)}, allow},
	{"personality", args{0x40000}, eperm}, // ADDR_NO_RANDOMIZE
	{"personality", args{8}, eperm},       // PER_LINUX32
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, a := range arches {
		for _, o := range []Options{{}, {Memory: true}} {
			program := a.filter(o)
			for _, test := range answers {
				known := 0
				for _, call := range strings.Fields(test.calls) {
					number, ok := a.number(call)
					if !ok {
						if test.want == enosys {
							number, ok = map[string]uint32{"clone3": 435, "openat2": 437}[call]
						}
						if !ok {
							continue // arm64 has no such call
						}
					}
					known++
					if got, _ := ask(t, program, data{number, a.audit, test.args}); got != test.want {
						t.Errorf("%s, %+v: %s%#x: %v, want %v", name, o, call, test.args, got, test.want)
					}
				}
				if known == 0 && name == "amd64" {
					t.Errorf("%s: none of %q is a call", name, test.calls)
				}
			}
		}
	}
}

// refusedCalls is the reference's list once more, so that none is lost from the policy.
const refusedCalls = `ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd process_madvise
	mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
	unshare setns bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register io_setup io_submit
	add_key request_key keyctl kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff
	acct quotactl syslog vhangup settimeofday clock_settime adjtimex clock_adjtime iopl ioperm modify_ldt
	open_by_handle_at name_to_handle_at fanotify_init fanotify_mark sethostname setdomainname
	mbind set_mempolicy migrate_pages move_pages memfd_secret vmsplice remap_file_pages`

func TestWhatIsTriedToGetOutIsRefused(t *testing.T) {
	t.Parallel()
	for name, a := range arches {
		refused := 0
		for _, o := range everyOption {
			program := a.filter(o)
			for call := range strings.FieldsSeq(refusedCalls) {
				number, ok := a.number(call)
				if !ok {
					continue
				}
				refused++
				for _, all := range []uint64{0, 1, ^uint64(0)} {
					d := data{number, a.audit, args{all, all, all, all, all, all}}
					if got, _ := ask(t, program, d); got != eperm {
						t.Errorf("%s, %+v: %s: %v, want EPERM", name, o, call, got)
					}
				}
			}
		}
		want := map[string]int{"amd64": 62, "arm64": 59}[name] // no iopl, ioperm, modify_ldt
		if refused != want*len(everyOption) {
			t.Errorf("%s: %d calls refused, want %d", name, refused/len(everyOption), want)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	const (
		session = "setsid setpgid"
		meta    = `chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown utime utimes utimensat futimesat
			setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat`
	)
	if n := len(strings.Fields(meta)); n != 20 {
		t.Fatalf("%d metadata calls, the reference has 20", n)
	}
	for name, a := range arches {
		for _, o := range everyOption {
			program := a.filter(o)
			check := func(calls string, refused bool) {
				for call := range strings.FieldsSeq(calls) {
					number, ok := a.number(call)
					if !ok {
						continue
					}
					want := allow
					if refused {
						want = eperm
					} else if call == "setxattrat" || call == "removexattrat" {
						want = enosys
					}
					if got, _ := ask(t, program, data{number: number, arch: a.audit}); got != want {
						t.Errorf("%s, %+v: %s: %v, want %v", name, o, call, got, want)
					}
				}
			}
			check("memfd_create", !o.Memory)
			check("shmget shmat msgget semget", !o.Memory || o.Reduced)
			check(session+" "+meta, o.Reduced)
			ioctl, _ := a.number("ioctl")
			for _, command := range []uint64{0x40086602, 0x401c5820} { // FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR
				got, _ := ask(t, program, data{ioctl, a.audit, args{0, command}})
				if (got == eperm) != o.Reduced {
					t.Errorf("%s, %+v: ioctl %#x: %v", name, o, command, got)
				}
			}
		}
	}
}

func TestForeignCallsKill(t *testing.T) {
	t.Parallel()
	for name, a := range arches {
		program := a.filter(Options{Memory: true})
		for _, other := range []uint32{0, unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_ARM, a.audit ^ 1, ^uint32(0)} {
			for number := range uint32(600) {
				if got, _ := ask(t, program, data{number: number, arch: other}); got != kill {
					t.Fatalf("%s: call %d of architecture %#x: %v", name, number, other, got)
				}
			}
		}
	}
	a := x86_64()
	program := a.filter(Options{Memory: true})
	for _, number := range []uint32{0, 39, 59, 512, 520, 547, 1<<30 - 1} {
		if got, _ := ask(t, program, data{number: 0x40000000 | number, arch: a.audit}); got != kill {
			t.Errorf("x32 call %d: %v", number, got)
		}
	}
}

// TestProgram checks what the kernel checks before it takes a program, and what the doc
// says of its cost. With -v it prints what each call gets.
func TestProgram(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(arches)) {
		a := arches[name]
		for _, o := range everyOption {
			program := a.filter(o)
			if len(program) > 800 {
				t.Errorf("%s, %+v: %d instructions", name, o, len(program))
			}
			for at, i := range program {
				end := at + 1
				switch {
				case i.Code == unix.BPF_JMP|unix.BPF_JA:
					end += int(i.K)
				case i.Code&7 == unix.BPF_JMP:
					end += int(max(i.Jt, i.Jf))
				case i.Code == unix.BPF_RET|unix.BPF_K:
					end--
				}
				if end >= len(program) {
					t.Errorf("%s, %+v: instruction %d leads to %d of %d", name, o, at, end, len(program))
				}
			}
			for _, call := range []string{"read", "write", "openat", "close", "mmap", "futex", "newfstatat", "ioctl"} {
				number, _ := a.number(call)
				if _, steps := ask(t, program, data{number: number, arch: a.audit}); steps > 20 {
					t.Errorf("%s, %+v: %s takes %d instructions", name, o, call, steps)
				}
			}
		}
		t.Logf("%s, with a memory cgroup: %d instructions\n%s", name, len(a.filter(Options{Memory: true})), coverage(a))
	}
}

// coverage is a table of the calls by answer; those of several answers are "by arguments".
func coverage(a arch) string {
	byAnswer := map[string][]string{}
	decided := map[string][]rule{}
	for _, r := range policy(Options{Memory: true}) {
		for name := range strings.FieldsSeq(r.calls) {
			decided[name] = append(decided[name], r)
		}
	}
	for _, c := range a.calls {
		key := "ENOSYS"
		if rules := decided[c.name]; len(rules) > 0 && len(rules[0].when) > 0 {
			key = "by arguments"
		} else if len(rules) > 0 {
			key = rules[0].answer.String()
		}
		byAnswer[key] = append(byAnswer[key], c.name)
	}
	var b bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(byAnswer)) {
		fmt.Fprintf(&b, "%12s %3d  %s\n", key, len(byAnswer[key]), strings.Join(byAnswer[key], " "))
	}
	return b.String()
}

func BenchmarkFilter(b *testing.B) {
	for b.Loop() {
		x86_64().filter(Options{})
	}
}
