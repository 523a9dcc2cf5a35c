//go:build linux

package seccomp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The tests on the real kernel start this binary again, as a child that puts itself under
// the filter, or as a control does not.
type child struct {
	Do      string
	Control bool
	Options Options
	Calls   []attempt `json:",omitempty"`
	Args    []string  `json:",omitempty"`
}

const childVariable = "HELVE_SECCOMP_CHILD"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVariable); spec != "" {
		os.Exit(beChild(spec))
	}
	os.Exit(m.Run())
}

func (c child) command(t *testing.T) *exec.Cmd {
	spec, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childVariable+"="+string(spec), "GORACE=atexit_sleep_ms=0") // which is a second
	cmd.Dir = t.TempDir()
	return cmd
}

func beChild(spec string) int {
	var c child
	if err := json.Unmarshal([]byte(spec), &c); err != nil {
		panic(err)
	}
	os.Unsetenv(childVariable)
	runtime.LockOSThread()
	program := Filter(c.Options)
	if c.Do == "without NO_NEW_PRIVS" {
		fmt.Println(errors.Is(Install(program), unix.EACCES))
		return 0
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	if !c.Control {
		if err := Install(program); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	switch c.Do {
	case "calls":
		results := make([]unix.Errno, len(c.Calls))
		for i, a := range c.Calls {
			results[i] = a.make()
		}
		json.NewEncoder(os.Stdout).Encode(results)
	case "exec":
		fmt.Fprintln(os.Stderr, syscall.Exec(c.Args[0], c.Args, os.Environ()))
		return 1
	case "fork":
		return fork(c.Args)
	case "x32":
		unix.RawSyscall(0x40000000|unix.SYS_GETPID, 0, 0, 0)
	case "int 0x80":
		interrupt()
	}
	return 0
}

// An attempt is a call with its arguments. Text becomes a pointer to it in argument Path.
type attempt struct {
	Name string
	Args [6]uint64
	Text string
	Path int

	want  unix.Errno // 0: it works
	harms bool       // no arguments are wrong, so it isn't made without the filter
}

func (a attempt) make() unix.Errno {
	number, ok := nativeNumber(a.Name)
	if !ok {
		panic("no call " + a.Name)
	}
	var args [6]uintptr
	for i, v := range a.Args {
		args[i] = uintptr(v)
	}
	if a.Text != "" {
		text := append([]byte(a.Text), 0)
		pinner := new(runtime.Pinner)
		pinner.Pin(&text[0])
		defer pinner.Unpin()
		args[a.Path] = uintptr(unsafe.Pointer(&text[0]))
	}
	_, _, errno := unix.RawSyscall6(uintptr(number), args[0], args[1], args[2], args[3], args[4], args[5])
	return errno
}

func native(t *testing.T) arch {
	a, ok := arches[runtime.GOARCH]
	if !ok {
		t.Skip("no table for ", runtime.GOARCH)
	}
	return a
}

func nativeNumber(name string) (uint32, bool) {
	if n, ok := arches[runtime.GOARCH].number(name); ok {
		return n, true
	}
	n, ok := map[string]uint32{"clone3": 435, "openat2": 437, "statmount": 457, "listmount": 458}[name]
	return n, ok
}

// try makes the calls in a child, and returns what came of them.
func try(t *testing.T, c child) []unix.Errno {
	t.Helper()
	c.Do = "calls"
	cmd := c.command(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("child: %v: %s", err, out)
	}
	var results []unix.Errno
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	return results
}

const (
	cwd = 1<<64 - 100 // AT_FDCWD
	bad = 1<<64 - 1   // no file descriptor, no pointer, no flags
)

// Arguments are such that without the filter the kernel says something else, and that it
// does no harm.
var attempts = []attempt{
	{Name: "socket", Args: args{unix.AF_INET, unix.SOCK_STREAM}, want: unix.EACCES},
	{Name: "socket", Args: args{unix.AF_INET, unix.SOCK_STREAM, 262}, want: unix.EACCES},
	{Name: "socket", Args: args{unix.AF_INET6, unix.SOCK_DGRAM}, want: unix.EACCES},
	{Name: "socket", Args: args{unix.AF_UNIX, unix.SOCK_STREAM}, want: unix.EACCES},
	{Name: "socket", Args: args{unix.AF_VSOCK, unix.SOCK_STREAM}, want: unix.EACCES},
	{Name: "socket", Args: args{unix.AF_NETLINK, unix.SOCK_RAW}, want: unix.EACCES},
	{Name: "socket", Args: args{unix.AF_ALG, unix.SOCK_SEQPACKET}, want: unix.EACCES},
	{Name: "socketpair", Args: args{unix.AF_UNIX, unix.SOCK_DGRAM, 0, bad}, want: unix.EACCES},
	{Name: "socketpair", Args: args{unix.AF_UNIX, unix.SOCK_RAW, 0, bad}, want: unix.EACCES},
	{Name: "socketpair", Args: args{unix.AF_INET, unix.SOCK_STREAM, 0, bad}, want: unix.EACCES},
	{Name: "socketpair", Args: args{unix.AF_UNIX, unix.SOCK_STREAM, 0, bad}, want: unix.EFAULT},

	// The kernel takes none of these together with a namespace.
	{Name: "clone", Args: args{unix.CLONE_NEWUSER | unix.CLONE_FS}, want: unix.EPERM},
	{Name: "clone", Args: args{unix.CLONE_NEWNS | unix.CLONE_FS}, want: unix.EPERM},
	{Name: "clone", Args: args{unix.CLONE_NEWNET | unix.CLONE_THREAD}, want: unix.EPERM},
	{Name: "clone", Args: args{unix.CLONE_NEWPID | unix.CLONE_THREAD | high}, want: unix.EPERM},
	{Name: "clone3", want: unix.ENOSYS},
	{Name: "openat2", Args: args{cwd, bad, bad, 24}, want: unix.ENOSYS},
	{Name: "statmount", Args: args{bad, bad, bad, bad}, want: unix.ENOSYS},
	{Name: "listmount", Args: args{bad, bad, bad, bad}, want: unix.ENOSYS},

	{Name: "ioctl", Args: args{bad, unix.TIOCSTI}, want: unix.EPERM},
	{Name: "ioctl", Args: args{bad, unix.TIOCSTI | high}, want: unix.EPERM},
	{Name: "ioctl", Args: args{bad, tiocLinux}, want: unix.EPERM},
	{Name: "ioctl", Args: args{bad, unix.TCGETS}, want: unix.EBADF},

	{Name: "mkdirat", Args: args{cwd, 0, 0o755}, Text: "directory", Path: 1},
	{Name: "mkdirat", Args: args{cwd, 0, 0o2755}, Text: "other", Path: 1, want: unix.EPERM},
	{Name: "openat", Args: args{cwd, 0, unix.O_CREAT | unix.O_WRONLY, 0o644}, Text: "file", Path: 1},
	{Name: "openat", Args: args{cwd, 0, unix.O_CREAT | unix.O_WRONLY, 0o6755}, Text: "suid", Path: 1, want: unix.EPERM},
	{Name: "openat", Args: args{cwd, 0, unix.O_RDONLY, 0o6755}, Text: "file", Path: 1},
	{Name: "openat", Args: args{cwd, 0, unix.O_TMPFILE | unix.O_WRONLY, 0o4755}, Text: ".", Path: 1, want: unix.EPERM},
	{Name: "open", Args: args{0, unix.O_CREAT | unix.O_WRONLY, 0o4755}, Text: "suid2", want: unix.EPERM},
	{Name: "creat", Args: args{0, 0o4755}, Text: "suid3", want: unix.EPERM},
	{Name: "fchmodat", Args: args{cwd, 0, 0o600}, Text: "file", Path: 1},
	{Name: "fchmodat", Args: args{cwd, 0, 0o4755}, Text: "file", Path: 1, want: unix.EPERM},
	{Name: "fchmodat2", Args: args{cwd, 0, 0o4755}, Text: "file", Path: 1, want: unix.EPERM},
	{Name: "chmod", Args: args{0, 0o2755}, Text: "file", want: unix.EPERM},
	{Name: "fchmod", Args: args{bad, 0o4755}, want: unix.EPERM},
	{Name: "mknodat", Args: args{cwd, 0, unix.S_IFIFO | 0o644}, Text: "fifo", Path: 1},
	{Name: "mknodat", Args: args{cwd, 0, unix.S_IFREG | 0o4755}, Text: "suid4", Path: 1, want: unix.EPERM},
	{Name: "mknodat", Args: args{cwd, bad, unix.S_IFCHR | 0o644}, want: unix.EPERM},
	{Name: "mknod", Args: args{bad, unix.S_IFBLK | 0o644}, want: unix.EPERM},

	{Name: "personality", Args: args{0x40000}, want: unix.EPERM},
	{Name: "personality", Args: args{0xffffffff}},
	{Name: "memfd_create", Args: args{bad}, want: unix.EPERM},
	{Name: "shmget", Args: args{0, bad, unix.IPC_CREAT}, want: unix.EPERM},
	{Name: "shmat", Args: args{bad}, want: unix.EPERM},
	{Name: "semget", Args: args{0, bad, unix.IPC_CREAT}, want: unix.EPERM},
	{Name: "getpid"}, {Name: "getuid"}, {Name: "sched_yield"},
}

// withRefused adds the calls that are refused whatever their arguments.
func withRefused(t *testing.T) []attempt {
	a := native(t)
	var all []attempt
	for _, x := range attempts {
		if _, ok := nativeNumber(x.Name); ok {
			all = append(all, x)
		}
	}
	for name := range strings.FieldsSeq(refusedCalls) {
		if _, ok := a.number(name); !ok {
			continue
		}
		x := attempt{Name: name, Args: args{bad, bad, bad, bad, bad, bad}, want: unix.EPERM}
		if name == "init_module" {
			x.Args = args{} // a module of no bytes
		}
		x.harms = name == "vhangup"
		all = append(all, x)
	}
	return all
}

func TestKernelAnswers(t *testing.T) {
	t.Parallel()
	all := withRefused(t)
	for i, got := range try(t, child{Calls: all}) {
		if a := all[i]; got != a.want {
			t.Errorf("%s%#x: %v, want %v", a.Name, a.Args, got, a.want)
		}
	}
}

// TestControl makes the calls without the filter: what it refuses must not be what the
// kernel says anyway.
func TestControl(t *testing.T) {
	t.Parallel()
	if !privileged() {
		t.Skip("the kernel refuses many of the calls to those who are not root with all capabilities")
	}
	var all []attempt
	for _, a := range withRefused(t) {
		if !a.harms {
			all = append(all, a)
		}
	}
	for i, got := range try(t, child{Calls: all, Control: true}) {
		if a := all[i]; a.want == 0 && got != 0 {
			t.Errorf("%s%#x: %v, want success", a.Name, a.Args, got)
		} else if (a.want == unix.EPERM || a.want == unix.EACCES || a.Name == "clone3" || a.Name == "openat2") && got == a.want {
			t.Errorf("%s%#x: %v without the filter too", a.Name, a.Args, got)
		}
	}
}

// privileged says whether all capabilities are there, save that to go beyond limits, which
// some machines keep and none of the calls needs, and what the newest kernels add.
func privileged() bool {
	const needed = (1<<40 - 1) &^ (1 << unix.CAP_SYS_RESOURCE)
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(status), "CapEff:\t")
	line, _, _ := strings.Cut(after, "\n")
	effective, err := strconv.ParseUint(line, 16, 64)
	return err == nil && effective&needed == needed
}

func TestKernelOptions(t *testing.T) {
	t.Parallel()
	native(t)
	calls := []attempt{{Name: "memfd_create", Args: args{bad}}, {Name: "setsid"}, {Name: "fchmodat", Args: args{cwd, bad, 0o644}}, {Name: "utimensat", Args: args{cwd, bad, bad}}}
	for _, test := range []struct {
		options Options
		want    [4]unix.Errno
	}{
		{Options{}, [4]unix.Errno{unix.EPERM, 0, unix.EFAULT, unix.EFAULT}},
		{Options{Memory: true}, [4]unix.Errno{unix.EFAULT, 0, unix.EFAULT, unix.EFAULT}},
		{Options{Reduced: true}, [4]unix.Errno{unix.EPERM, unix.EPERM, unix.EPERM, unix.EPERM}},
		{Options{Memory: true, Reduced: true}, [4]unix.Errno{unix.EFAULT, unix.EPERM, unix.EPERM, unix.EPERM}},
	} {
		if got := [4]unix.Errno(try(t, child{Options: test.options, Calls: calls})); got != test.want {
			t.Errorf("%+v: %v, want %v", test.options, got, test.want)
		}
	}
}

func TestKernelKills(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has other numbers for the same kernel that a Go program can try")
	}
	for _, how := range []string{"x32", "int 0x80"} {
		killed := func(control bool) bool {
			var exit *exec.ExitError
			err := child{Do: how, Control: control}.command(t).Run()
			return errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == unix.SIGSYS
		}
		if !killed(false) {
			t.Errorf("%s: not killed by SIGSYS", how)
		}
		if killed(true) {
			t.Errorf("%s: killed without the filter too", how)
		}
	}
}

// interrupt calls the kernel by 32-bit numbers, by which getpid is 20.
func interrupt() {
	code, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	copy(code, "\xb8\x14\x00\x00\x00\xcd\x80\xc3") // mov $20, %eax; int $0x80; ret
	entry := unsafe.Pointer(&code[0])
	function := unsafe.Pointer(&entry) // what a func value points to holds the entry
	(*(*func())(unsafe.Pointer(&function)))()
}

func TestInstallNeedsNoNewPrivs(t *testing.T) {
	t.Parallel()
	native(t)
	if os.Geteuid() == 0 {
		t.Skip("root may install a filter without NO_NEW_PRIVS")
	}
	out, err := child{Do: "without NO_NEW_PRIVS"}.command(t).Output()
	if err != nil || string(out) != "true\n" {
		t.Errorf("%s, %v: want EACCES", out, err)
	}
}

func TestInstallRefuses(t *testing.T) {
	t.Parallel()
	for want, program := range map[string][]unix.SockFilter{
		"only those of amd64 and arm64": nil,
		"the kernel takes 4096":         make([]unix.SockFilter, 4097),
	} {
		if err := Install(program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d instructions: %v", len(program), err)
		}
	}
}

// TestDatagramPair shows the hole that socketpair's rule closes: one socket of a datagram
// pair reaches any socket in the file system.
func TestDatagramPair(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "live")
	listener, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(listener)
	if err := unix.Bind(listener, &unix.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	pair := func(kind int) error {
		fds, err := unix.Socketpair(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fds[0])
		defer unix.Close(fds[1])
		return unix.Connect(fds[0], &unix.SockaddrUnix{Name: path})
	}
	if err := pair(unix.SOCK_DGRAM); err != nil {
		t.Errorf("a datagram pair: %v: the rule has no reason any more", err)
	}
	for _, kind := range []int{unix.SOCK_STREAM, unix.SOCK_SEQPACKET} {
		if err := pair(kind); err == nil {
			t.Errorf("a pair of kind %d can be connected elsewhere: forbid it", kind)
		}
	}
}
