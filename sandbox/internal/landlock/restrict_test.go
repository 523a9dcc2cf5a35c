//go:build linux

package landlock

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The tests start this binary again, as a child that restricts itself, or as a control does
// not, and tries things.
type child struct {
	Control bool
	Rules   []Rule
	Options Options
	Keep    bool // the right to gain privileges
	Tries   [][]string
}

const childVariable = "HELVE_LANDLOCK_CHILD"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVariable); spec != "" {
		os.Exit(beChild(spec))
	}
	os.Exit(m.Run())
}

func beChild(spec string) int {
	var c child
	if err := json.Unmarshal([]byte(spec), &c); err != nil {
		panic(err)
	}
	runtime.LockOSThread()
	if !c.Keep {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			panic(err)
		}
	}
	if !c.Control {
		if err := Restrict(c.Rules, c.Options); err != nil {
			fmt.Print(err)
			return 1
		}
	}
	results := make([]string, len(c.Tries))
	for i, args := range c.Tries {
		results[i] = "ok"
		if err := try(args); err != nil {
			var errno unix.Errno
			if !errors.As(err, &errno) {
				panic(err)
			}
			results[i] = unix.ErrnoName(errno)
		}
	}
	json.NewEncoder(os.Stdout).Encode(results)
	return 0
}

// try does one thing on this thread, by system calls alone.
func try(args []string) error {
	path := args[1]
	opened := func(flags int) error {
		fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0o600)
		if err == nil {
			unix.Close(fd)
		}
		return err
	}
	switch args[0] {
	case "read":
		return opened(unix.O_RDONLY)
	case "write":
		return opened(unix.O_WRONLY)
	case "make":
		return opened(unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL)
	case "list":
		return opened(unix.O_RDONLY | unix.O_DIRECTORY)
	case "stat":
		var s unix.Stat_t
		return unix.Stat(path, &s)
	case "truncate":
		return unix.Truncate(path, 0)
	case "mkdir":
		return unix.Mkdir(path, 0o700)
	case "rmdir":
		return unix.Rmdir(path)
	case "remove":
		return unix.Unlink(path)
	case "symlink":
		return unix.Symlink("x", path)
	case "fifo":
		return unix.Mknod(path, unix.S_IFIFO|0o600, 0)
	case "device":
		return unix.Mknod(path, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3)))
	case "rename":
		return unix.Rename(path, args[2])
	case "link":
		return unix.Link(path, args[2])
	case "run":
		p, err := os.StartProcess(path, []string{path}, &os.ProcAttr{})
		if err == nil {
			_, err = p.Wait()
		}
		return err
	case "kill": // what this thread started
		p, err := os.StartProcess(path, []string{path, "60"}, &os.ProcAttr{})
		if err != nil {
			return err
		}
		if err := unix.Kill(p.Pid, unix.SIGKILL); err != nil {
			return err
		}
		_, err = p.Wait()
		return err
	case "signal":
		pid, err := strconv.Atoi(path)
		if err != nil {
			panic(err)
		}
		return unix.Kill(pid, 0)
	case "tcp", "bind":
		port, err := strconv.Atoi(path)
		if err != nil {
			panic(err)
		}
		to := &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
		if args[0] == "bind" {
			return socket(unix.AF_INET, func(fd int) error { return unix.Bind(fd, to) })
		}
		return socket(unix.AF_INET, func(fd int) error { return unix.Connect(fd, to) })
	case "unix":
		return socket(unix.AF_UNIX, func(fd int) error { return unix.Connect(fd, &unix.SockaddrUnix{Name: path}) })
	}
	panic("can't try " + args[0])
}

func socket(family int, use func(int) error) error {
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return use(fd)
}

// run starts the child, and returns what came of its tries, or why it couldn't restrict
// itself.
func run(t *testing.T, c child) ([]string, string) {
	t.Helper()
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
	out, err := cmd.Output()
	if err != nil {
		return nil, string(out)
	}
	var results []string
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return results, ""
}

func needABI(t *testing.T, least int) {
	if abi := ABI(); abi < least {
		t.Skipf("this kernel has Landlock ABI %d, not %d", abi, least)
	}
}

func closeFD(t *testing.T, fd int) {
	if err := unix.Close(fd); err != nil {
		t.Error(err)
	}
}

// tree is work (all but devices), skill (read and run) and outside (no rule).
func tree(t *testing.T) string {
	dir := t.TempDir()
	for _, sub := range []string{"work/a", "work/b", "skill", "outside"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, sub, "file"), []byte("text"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../outside/file", filepath.Join(dir, "work", "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func rules(dir string) []Rule {
	all := []Rule{
		{filepath.Join(dir, "work"), Read | Execute | Write},
		{filepath.Join(dir, "skill"), Read | Execute},
		{filepath.Join(dir, "absent"), Read},
		{"/dev/null", Read | Write},
		{"/proc", Read},
	}
	for _, system := range []string{"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache"} {
		all = append(all, Rule{system, Read | Execute})
	}
	return all
}

func TestFiles(t *testing.T) {
	t.Parallel()
	needABI(t, 3)
	tries := []struct {
		try  string // with $ for the directory
		want string // with rules; without, it works
	}{
		{"read $/work/a/file", "ok"},
		{"write $/work/a/file", "ok"},
		{"truncate $/work/a/file", "ok"},
		{"make $/work/new", "ok"},
		{"mkdir $/work/newdir", "ok"},
		{"rmdir $/work/newdir", "ok"},
		{"symlink $/work/newlink", "ok"},
		{"fifo $/work/fifo", "ok"},
		{"list $/work", "ok"},
		{"link $/work/a/file $/work/b/linked", "ok"},
		{"rename $/work/a/file $/work/b/renamed", "ok"},
		{"remove $/work/b/renamed", "ok"},
		{"read $/work/link", "EACCES"},

		{"read $/skill/file", "ok"},
		{"list $/skill", "ok"},
		{"write $/skill/file", "EACCES"},
		{"truncate $/skill/file", "EACCES"},
		{"make $/skill/new", "EACCES"},
		{"mkdir $/skill/newdir", "EACCES"},
		{"symlink $/skill/newlink", "EACCES"},
		{"fifo $/skill/fifo", "EACCES"},
		{"rename $/work/new $/skill/moved", "EACCES"},
		{"link $/skill/file $/work/linked2", "EXDEV"}, // write would be gained there
		{"remove $/skill/file", "EACCES"},

		{"stat $/outside/file", "ok"}, // Landlock hides nothing
		{"read $/outside/file", "EACCES"},
		{"write $/outside/file", "EACCES"},
		{"truncate $/outside/file", "EACCES"},
		{"list $/outside", "EACCES"},
		{"make $/outside/new", "EACCES"},
		{"remove $/outside/file", "EACCES"},
		{"read /etc/passwd", "EACCES"},
		{"list /", "EACCES"},
		{"write /dev/null", "ok"},
		{"write /dev/zero", "EACCES"},
		{"run /bin/true", "ok"},
	}
	for _, control := range []bool{false, true} {
		dir := tree(t)
		c := child{Control: control, Rules: rules(dir)}
		for _, test := range tries {
			c.Tries = append(c.Tries, strings.Fields(strings.ReplaceAll(test.try, "$", dir)))
		}
		results, failed := run(t, c)
		if failed != "" {
			t.Fatal(failed)
		}
		for i, test := range tries {
			want := test.want
			if control {
				want = "ok"
			}
			if results[i] != want {
				t.Errorf("control %t: %s: %s, want %s", control, test.try, results[i], want)
			}
		}
	}
}

func TestExecute(t *testing.T) {
	t.Parallel()
	needABI(t, 1)
	for access, want := range map[Access]string{Read: "EACCES", Read | Execute: "ok", Read | Write: "EACCES"} {
		c := child{Rules: []Rule{{"/", access}}, Tries: [][]string{{"run", "/bin/true"}}}
		if access&Write == 0 {
			c.Rules = append(c.Rules, Rule{"/dev/null", Write})
		}
		results, failed := run(t, c)
		if failed != "" || results[0] != want {
			t.Errorf("access %b: %v%s, want %s", access, results, failed, want)
		}
	}
}

// TestDevices: no rule allows to make one, nor to control one.
func TestDevices(t *testing.T) {
	t.Parallel()
	needABI(t, 5)
	dir := tree(t)
	c := child{Rules: rules(dir), Tries: [][]string{{"device", filepath.Join(dir, "work", "null")}}}
	results, failed := run(t, c)
	if failed != "" || results[0] != "EACCES" && os.Geteuid() == 0 || results[0] == "ok" {
		t.Errorf("%v%s, want EACCES", results, failed)
	}
	c.Control = true
	if results, _ := run(t, c); os.Geteuid() == 0 && results[0] != "ok" {
		t.Errorf("control: %v", results)
	}
}

// TestOutside: the network, abstract sockets and signals.
func TestOutside(t *testing.T) {
	t.Parallel()
	needABI(t, 6)
	tcp := listen(t, "tcp4", "127.0.0.1:0").Addr().(*net.TCPAddr).Port
	abstract := "@helve-landlock-" + strconv.Itoa(os.Getpid())
	listen(t, "unix", abstract)
	named := filepath.Join(t.TempDir(), "socket")
	listen(t, "unix", named)

	resolve := "ok"
	if ABI() >= 9 {
		resolve = "EACCES"
	}
	for _, control := range []bool{false, true} {
		c := child{Control: control, Rules: rules("/nowhere"), Tries: [][]string{
			{"tcp", strconv.Itoa(tcp)}, {"bind", "0"}, {"unix", abstract}, {"unix", named}, {"signal", strconv.Itoa(os.Getpid())}, {"kill", "/bin/sleep"},
		}}
		want := []string{"EACCES", "EACCES", "EPERM", resolve, "EPERM", "ok"}
		if control {
			want = []string{"ok", "ok", "ok", "ok", "ok", "ok"}
		}
		results, failed := run(t, c)
		if failed != "" {
			t.Fatal(failed)
		}
		for i, got := range results {
			if got != want[i] {
				t.Errorf("control %t: %v: %s, want %s", control, c.Tries[i], got, want[i])
			}
		}
	}
}

func listen(t *testing.T, network, address string) net.Listener {
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	needABI(t, 1)
	for _, test := range []struct {
		name  string
		child child
		want  string
	}{
		{"too old", child{Options: Options{MinABI: 1000}}, fmt.Sprintf("this kernel has ABI %d, and 1000 is the least", ABI())},
		{"no access", child{Rules: []Rule{{Path: "/usr"}}}, `rule for "/usr": it gives no access`},
		{"below a file", child{Rules: []Rule{{"/dev/null/x", Read}}}, `rule for "/dev/null/x": not a directory`},
	} {
		_, failed := run(t, test.child)
		if !strings.Contains(failed, test.want) {
			t.Errorf("%s: %q, want %q", test.name, failed, test.want)
		}
	}
	if os.Geteuid() != 0 {
		if _, failed := run(t, child{Keep: true}); !strings.Contains(failed, "restrict the thread: operation not permitted") {
			t.Errorf("without NO_NEW_PRIVS: %q", failed)
		}
	}
}

// TestWrapped: an error of the kernel can be told from one of ours.
func TestWrapped(t *testing.T) {
	t.Parallel()
	needABI(t, 1)
	err := Restrict([]Rule{{"/dev/null/x", Read}}, Options{})
	if !errors.Is(err, unix.ENOTDIR) {
		t.Errorf("%v, want ENOTDIR", err)
	}
}
