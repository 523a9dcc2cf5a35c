package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestReduced runs the attacks at the level without namespaces, and as root once more as a
// user without privileges.
func TestReduced(t *testing.T) {
	t.Parallel()
	ways := []way{{"no cgroup", Options{Level: Reduced, NoCgroup: true}, false}}
	if s := newBox(t, Options{Level: Reduced}); s.machine.cgroups.Version != 0 {
		ways = append(ways, way{"cgroup", Options{Level: Reduced}, true})
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			s := newBox(t, way.options)
			t.Run("quiet", func(t *testing.T) { t.Parallel(); s.quietReduced(t) })
			t.Run("own", func(t *testing.T) { t.Parallel(); s.ownReduced(t) })
			for _, v := range violentReduced(way) {
				t.Run(v.name, func(t *testing.T) { t.Parallel(); s.violent(t, v) })
			}
		})
	}
	if os.Geteuid() == 0 {
		t.Run("unprivileged", func(t *testing.T) { t.Parallel(); reducedAsNobody(t) })
	}
}

// otherwise are the outcomes that differ where there is no root directory of its own: files
// are there, and can't be had; and what is leaked.
var otherwise = map[string]string{
	"shadow":                          "EACCES",
	"secret":                          "EACCES",
	"secret, stat":                    "ok", // leaks
	"home":                            "EACCES",
	"secret, by a symlink":            "EACCES",
	"secret, by /proc/self/root":      "EACCES",
	"secret, by ..":                   "EACCES",
	"the machine's files":             "ok", // leaks: that they exist
	"processes of the machine":        "ok", // leaks: that they exist
	"/usr":                            "EACCES",
	"the root":                        "EACCES",
	"a folder of the machine":         "EACCES",
	"remove the secret":               "EACCES",
	"chmod the secret":                "EPERM",
	"date the secret":                 "EPERM",
	"signal a process of the machine": "EPERM",
}

func (s *Sandbox) quietReduced(t *testing.T) {
	tg, untouched := house(t)
	data, _ := json.Marshal(tg)
	r, err := s.Run(t.Context(), Spec{
		Args:     []string{attacker, "attack", string(data)},
		ReadOnly: []Mount{{Source: filepath.Dir(attacker)}, {Source: tg.ReadOnly}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != 0 || r.Level != Reduced {
		t.Fatalf("%+v\n%s", r, r.Stderr)
	}
	got := outcomes(t, r.Stdout)
	for _, p := range quiet {
		want, ok := otherwise[p.name]
		if !ok {
			want = p.want
		}
		if !slices.Contains(strings.Split(want, "|"), got[p.name]) {
			t.Errorf("%s: got %q, want %s", p.name, got[p.name], want)
		}
	}
	untouched(t)
}

// withoutNamespaces are attacks that matter at this level alone. Their control is
// TestOutsideReduced.
var withoutNamespaces = []probe{
	{"leave the session", func(target) error { _, err := unix.Setsid(); return err }, refused, false},
	{"leave the group", func(target) error {
		c := exec.Command("/bin/true")
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		return c.Run()
	}, refused, true},
	{"leave the session, in a child", func(target) error {
		c := exec.Command("/bin/true")
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		return c.Run()
	}, refused, true},
	{"mode of a file of the same user", func(t target) error { return os.Chmod(t.Secret, 0o644) }, refused, true},
	{"times of one", func(t target) error { return os.Chtimes(t.Secret, time.Unix(0, 0), time.Unix(0, 0)) }, refused, true},
	{"owner of one", func(t target) error { return os.Chown(t.Secret, -1, os.Getgid()) }, refused, true},
	{"attributes of one", func(t target) error { return unix.Setxattr(t.Secret, "user.attack", []byte("x"), 0) }, refused, true},
	{"write over one", func(t target) error {
		f, err := os.OpenFile(t.Secret, os.O_WRONLY, 0)
		if err == nil {
			f.Close()
		}
		return err
	}, "EACCES", true},
	{"cut one", func(t target) error { return os.Truncate(t.Secret, 0) }, "EACCES", true},
	{"link to one", func(t target) error { return os.Link(t.Secret, "linked") }, "EXDEV|EACCES|EPERM", true},
	{"rename one", func(t target) error { return os.Rename(t.Secret, "renamed") }, "EXDEV|EACCES|EPERM", true},
	{"a folder beside the run's", func(t target) error {
		_, err := os.ReadDir(filepath.Dir(t.Dir))
		return err
	}, "EACCES", true},
	{"memory of a process of the same user", func(t target) error { return read(fmt.Sprintf("/proc/%d/environ", t.Process)) }, "EACCES|EPERM", true},
	{"its own memory", func(target) error { return read("/proc/self/mem") }, "EACCES|EPERM", false},
	{"signal all", func(target) error { return unix.Kill(-1, 0) }, "EPERM|ESRCH|ok", false}, // ok: itself
	{"the terminal", func(target) error { return read("/dev/tty") }, "EACCES|ENXIO", false},
	{"shared memory of the machine", func(target) error { return create("/dev/shm/helve-attack") }, "EACCES", true},
}

// ownReduced has them try a file that belongs to the user that the program runs as.
func (s *Sandbox) ownReduced(t *testing.T) {
	tg, untouched := house(t)
	data, _ := json.Marshal(tg)
	r, err := s.Run(t.Context(), Spec{
		Args:     []string{attacker, "attack", string(data), "reduced"},
		ReadOnly: []Mount{{Source: filepath.Dir(attacker)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := outcomes(t, r.Stdout)
	for _, p := range withoutNamespaces {
		if !slices.Contains(strings.Split(p.want, "|"), got[p.name]) {
			t.Errorf("%s: got %q, want %s", p.name, got[p.name], p.want)
		}
	}
	untouched(t)
}

// TestOutsideReduced is the control: outside the sandbox, what bites succeeds.
func TestOutsideReduced(t *testing.T) {
	t.Parallel()
	tg, _ := house(t)
	data, _ := json.Marshal(tg)
	cmd := exec.Command(attacker, "attack", string(data), "reduced")
	cmd.Dir = tg.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := outcomes(t, out)
	for _, p := range withoutNamespaces {
		if p.bite && got[p.name] != "ok" {
			t.Errorf("outside the sandbox, %s got %q", p.name, got[p.name])
		}
	}
}

func violentReduced(w way) []violence {
	keep := []string{"kill all", "x32", "int80", "thread bomb", "bash bomb", "memory", "shared memory", "memfd", "many hogs", "file size", "spin", "flood", "daemon", "daemon, and stay", "stop", "file descriptors"}
	var all []violence
	for _, v := range violentCases(w) {
		if v.name == "spin" && w.cgroup {
			continue // the limit is the same, and it takes a processor
		}
		if raced && !w.cgroup && v.limits.Memory > 0 {
			continue
		}
		if slices.Contains(keep, v.name) {
			v.reasons = append(slices.Clone(v.reasons), map[string][]Reason{
				"thread bomb": {Timeout, Processes}, "bash bomb": {Processes}, "daemon, and stay": {""},
				"memory": {Memory}, // the watch may come before the limit of data does
			}[v.name]...)
			all = append(all, v)
		}
	}
	few := Limits{Time: 2 * time.Second, Processes: 48}
	return append(all, violence{"fork bomb", []string{"fork bomb"}, nil, few, []Reason{"", Processes}, failed})
}

func reducedAsNobody(t *testing.T) {
	const nobody = 65534
	cmd := exec.Command(attacker, "-test.run=^Test(Reduced|Folder)", "-test.v", "-test.timeout=100s")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=/tmp"}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestReduced/no_cgroup/quiet") {
		t.Errorf("as nobody, nothing was tried:\n%s", out)
	}
}

// TestReducedOrphans has children that were forked twice, deaf and holding standard output.
func TestReducedOrphans(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Level: Reduced, NoCgroup: true})
	name := fmt.Sprintf("1%d.25", os.Getpid())
	r, err := s.Run(t.Context(), Spec{Args: []string{"sh", "-c", "trap '' TERM HUP; (sleep " + name + " & sleep " + name + " &) ; echo done"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != 0 || string(r.Stdout) != "done\n" || r.Usage.Time > 10*time.Second {
		t.Errorf("%+v", r)
	}
	if left := processes(name); len(left) > 0 {
		t.Errorf("processes that are left: %v", left)
	}
}

func TestReducedFiles(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Level: Reduced, NoCgroup: true})
	script := `pwd; echo $HOME; echo $TMPDIR; cat; cat in/same
		echo new > in/new; echo more >> in/changed; printf %s xx > touched
		mkdir -p a/b; echo deep > a/b/c; ln -s /etc/passwd link; mkfifo pipe; head -c 3000000 /dev/zero > big
		./run.sh > ran`
	r, err := s.Run(t.Context(), Spec{
		Args:  []string{"sh", "-c", script},
		Stdin: []byte("to read\n"),
		Files: []File{
			{Name: "in/same", Data: []byte("as it was\n")},
			{Name: "in/changed", Data: []byte("before\n")},
			{Name: "touched", Data: []byte("xx")},
			{Name: "run.sh", Mode: 0o755, Data: []byte("#!/bin/sh\necho it ran\n")},
		},
		Limits: Limits{FileBytes: 1 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != 0 {
		t.Fatalf("%+v %s", r, r.Stderr)
	}
	lines := strings.Split(string(r.Stdout), "\n")
	if len(lines) != 6 || lines[0] != lines[1] || lines[1] != lines[2] || lines[3] != "to read" || lines[4] != "as it was" {
		t.Errorf("%q", lines)
	}
	if _, err := os.Stat(lines[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its folder is still there: %v", err)
	}
	want := map[string]string{"in/new": "new\n", "in/changed": "before\nmore\n", "touched": "xx", "a/b/c": "deep\n", "ran": "it ran\n"}
	for name, text := range want {
		if data, err := fs.ReadFile(r.Files, name); err != nil || string(data) != text {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	n := 0
	_ = fs.WalkDir(r.Files, ".", func(_ string, e fs.DirEntry, _ error) error {
		if !e.IsDir() {
			n++
		}
		return nil
	})
	left := []string{"big: its 3000000 bytes are too many", "link: it is no regular file", "pipe: it is no regular file"}
	if n != len(want) || !slices.Equal(r.Left, left) {
		t.Errorf("%d files, left %q", n, r.Left)
	}
}

// TestReducedLeaks says what this level does not keep. Who mends one of these may be glad
// that it fails, and change docs/sandbox.md.
func TestReducedLeaks(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Level: Reduced, NoCgroup: true})
	tg, _ := house(t)
	for name, script := range map[string]string{
		"what exists":       "test -e " + tg.Secret,
		"sizes and times":   "test $(stat -c %s " + tg.Secret + ") = " + strconv.Itoa(len(hidden)),
		"the host's name":   "test $(uname -n) = " + hostName(),
		"the process table": fmt.Sprintf("test -d /proc/%d", os.Getpid()),
		"disk beyond Work":  "head -c 3000000 /dev/zero > a && head -c 3000000 /dev/zero > b",
		"metadata in work":  "touch a; ! chmod 600 a 2>/dev/null", // refused there too
	} {
		r, err := s.Run(t.Context(), Spec{Args: []string{"sh", "-c", script}, Limits: Limits{Work: 1 << 20}})
		if err != nil || r.ExitCode != 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func hostName() string {
	name, _ := os.Hostname()
	return name
}

func TestReducedRefuses(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Level: Reduced, NoCgroup: true, Warm: 2})
	for name, test := range map[string]struct {
		spec Spec
		want error
	}{
		"another target": {Spec{Args: []string{"true"}, ReadOnly: []Mount{{"/usr/share", "/share"}}}, ErrSpec},
		"the root":       {Spec{Args: []string{"true"}, ReadOnly: []Mount{{Source: "/"}}}, ErrSpec},
		"no source":      {Spec{Args: []string{"true"}, ReadOnly: []Mount{{Source: "/nowhere/at/all"}}}, ErrUnavailable},
		"no program":     {Spec{Args: []string{"helve-no-such-program"}}, ErrExec},
		"no interpreter": {Spec{Args: []string{"./x"}, Files: []File{{Name: "x", Mode: 0o755, Data: []byte("#!/nowhere\n")}}}, ErrExec},
		"not executable": {Spec{Args: []string{"./x"}, Files: []File{{Name: "x", Data: []byte("#!/bin/sh\n")}}}, ErrExec},
		"another's":      {Spec{Args: []string{attacker}}, ErrExec}, // Landlock
	} {
		if r, err := s.Run(t.Context(), test.spec); !errors.Is(err, test.want) || r != nil {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestReducedLogsItsLevel(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	s := newBox(t, Options{Level: Reduced, NoCgroup: true, Log: slog.New(slog.NewTextHandler(&out, nil))})
	if _, err := s.Run(t.Context(), Spec{Args: []string{"true"}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "level=reduced") {
		t.Error(out.String())
	}
}
