//go:build linux

package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestEscape runs the attacks of docs/sandbox.md in the sandbox, in each way in which
// helve isolates here, and outside of it, where those that can must succeed. As root it
// runs all once more as a user without privileges.
func TestEscape(t *testing.T) {
	t.Parallel()
	t.Run("control", control)
	for _, way := range ways(t) {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			s := newBox(t, way.options)
			if way.options.Level != "" && s.Level() != way.options.Level {
				t.Fatalf("the level is %s", s.Level())
			}
			t.Run("quiet", func(t *testing.T) { t.Parallel(); s.quiet(t) })
			for _, v := range violentCases(way) {
				t.Run(v.name, func(t *testing.T) { t.Parallel(); s.violent(t, v) })
			}
		})
	}
	if os.Geteuid() == 0 && !testing.Short() {
		t.Run("unprivileged", func(t *testing.T) { t.Parallel(); asNobody(t) })
	}
}

// way is a way to isolate.
type way struct {
	name    string
	options Options
	cgroup  bool
}

func ways(t *testing.T) []way {
	all := []way{
		{"no cgroup", Options{NoCgroup: true}, false},
		{"no proc", Options{Level: StrictNoProc, NoCgroup: true}, false},
	}
	if s := newBox(t, Options{}); s.machine.cgroups.Version != 0 {
		all = append(all, way{"cgroup", Options{}, true})
	}
	return all
}

// asNobody runs this test in a process of a user who may do nothing.
func asNobody(t *testing.T) {
	if os.Getenv("HELVE_ESCAPE_NOBODY") != "" {
		t.Fatal("nobody is root")
	}
	const nobody = 65534
	cmd := exec.Command(attacker, "-test.run=^TestEscape$", "-test.v", "-test.timeout=100s")
	cmd.Env = []string{"HELVE_ESCAPE_NOBODY=1", "PATH=" + os.Getenv("PATH"), "TMPDIR=/tmp"}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "--- SKIP") || strings.Contains(line, "FAIL") || strings.Contains(line, "_test.go") {
			t.Log(line)
		}
	}
	if err != nil {
		t.Error(err)
	}
	if !strings.Contains(string(out), "--- PASS: TestEscape/no_cgroup/quiet") {
		t.Error("as nobody, nothing was tried")
	}
}

// house is a machine with something to steal.
func house(t *testing.T) (target, func(t *testing.T)) {
	dir, err := os.MkdirTemp("", "helve-house-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	tg := target{Secret: filepath.Join(dir, "secret"), Dir: filepath.Join(dir, "open"), ReadOnly: filepath.Join(dir, "shown"), Abstract: filepath.Base(dir)}
	for _, d := range []string{tg.Dir, tg.ReadOnly} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{dir, tg.Dir} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{tg.Secret, tg.Secret + ".copy", filepath.Join(tg.ReadOnly, "shown.txt")} {
		if err := os.WriteFile(name, []byte(hidden), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var visits visitors
	tg.TCP = visits.tcp(t)
	tg.UDP = visits.udp(t)
	visits.unix(t, "@"+tg.Abstract)
	visits.unix(t, filepath.Join(tg.ReadOnly, "live"))
	if err := os.Chmod(filepath.Join(tg.ReadOnly, "live"), 0o777); err != nil {
		t.Fatal(err)
	}
	tg.Process = os.Getpid()
	tg.FD, err = syscall.Open(tg.Secret, syscall.O_RDONLY, 0) // without close-on-exec, as C libraries do
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(tg.FD) })
	before, err := os.Stat(tg.Secret)
	if err != nil {
		t.Fatal(err)
	}
	return tg, func(t *testing.T) {
		if n := visits.count.Load(); n > 0 {
			t.Errorf("a live server saw %d visitors", n)
		}
		after, err := os.Stat(tg.Secret)
		if err != nil || after.Mode() != before.Mode() || !after.ModTime().Equal(before.ModTime()) || after.Size() != before.Size() {
			t.Errorf("the secret is not as it was: %v, %v", after, err)
		}
	}
}

// control runs the quiet attacks without a sandbox: those that bite succeed.
func control(t *testing.T) {
	tg, _ := house(t)
	data, _ := json.Marshal(tg)
	cmd := exec.Command(attacker, "attack", string(data), "control")
	cmd.Dir = tg.Dir
	cmd.Env = append(os.Environ(), "HELVE_TEST_API_KEY="+hidden)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := outcomes(t, out)
	for _, p := range quiet {
		if p.bite && got[p.name] != "ok" {
			t.Errorf("outside the sandbox, %s got %q", p.name, got[p.name])
		}
	}
	t.Logf("%d of %d attacks were tried outside", len(got), len(quiet))
}

func outcomes(t *testing.T, out []byte) map[string]string {
	got := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, result, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("the attacker said %q", line)
		}
		got[name] = result
	}
	return got
}

func (s *Sandbox) quiet(t *testing.T) {
	tg, untouched := house(t)
	shown := tg.ReadOnly
	tg.ReadOnly = "/shown" // /tmp is the sandbox's own
	data, _ := json.Marshal(tg)
	r, err := s.Run(t.Context(), Spec{
		Args:     []string{"/attack/attacker", "attack", string(data)},
		ReadOnly: []Mount{{filepath.Dir(attacker), "/attack"}, {shown, "/shown"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != 0 {
		t.Fatalf("%+v\n%s", r, r.Stderr)
	}
	got := outcomes(t, r.Stdout)
	for _, p := range quiet {
		if !slices.Contains(strings.Split(p.want, "|"), got[p.name]) {
			t.Errorf("%s: got %q, want %s", p.name, got[p.name], p.want)
		}
	}
	untouched(t)
}

// violence is an attack after which the attacker may be no more, and what is right then.
type violence struct {
	name    string
	args    []string // of the attacker; none for a program of its own
	program []string
	limits  Limits
	reasons []Reason // one of them; none is for an end of its own
	right   func(r *Result) bool
}

// gave says what a program printed first.
func gave(prefixes ...string) func(r *Result) bool {
	return func(r *Result) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(string(r.Stdout), p) })
	}
}

func failed(r *Result) bool { return r.ExitCode != 0 }

// atMost says whether the first number that was printed is within a limit.
func atMost(n int) func(r *Result) bool {
	return func(r *Result) bool {
		first, _, _ := strings.Cut(strings.TrimSpace(string(r.Stdout)), " ")
		got, err := strconv.Atoi(first)
		return err == nil && got <= n
	}
}

func violentCases(w way) []violence {
	const short = 700 * time.Millisecond
	small := Limits{Time: 20 * time.Second, Memory: 128 << 20}
	few := Limits{Time: 2 * time.Second, Processes: 48}
	none, memory := []Reason{""}, []Reason{Memory}
	memoryOrRefused := memory
	if !w.cgroup {
		memoryOrRefused = none // RLIMIT_DATA, or the filter, says no
	}
	return []violence{
		{"kill all", []string{"kill all"}, nil, Limits{}, none, gave("alive")},
		{"end the launcher", []string{"end the launcher"}, nil, Limits{}, none, gave("alive")},
		{"x32", []string{"x32"}, nil, Limits{}, none, func(r *Result) bool { return r.Signal == "SIGSYS" }},
		{"int80", []string{"int80"}, nil, Limits{}, none, gave("signal: bad system call", "fork/exec ./i386: exec format error")},
		{"fork bomb", []string{"fork bomb"}, nil, few, []Reason{"", Processes}, atMost(48)},
		{"thread bomb", []string{"thread bomb"}, nil, few, []Reason{"", Processes, Timeout}, failed},
		{"bash bomb", nil, []string{"bash", "-c", ":(){ :|:& };:; sleep 100"}, few, []Reason{Timeout}, failed},
		{"memory", []string{"memory"}, nil, small, memoryOrRefused, failed},
		{"shared memory", []string{"shared memory"}, nil, small, memory, failed},
		{"memfd", []string{"memfd"}, nil, small, memoryOrRefused, failed},
		{"many hogs", []string{"many hogs"}, nil, Limits{Time: 20 * time.Second, Memory: 256 << 20}, memory, failed},
		{"fill work", []string{"fill", "."}, nil, Limits{Work: 16 << 20}, none, gave("15 ENOSPC", "16 ENOSPC")},
		{"fill tmp", []string{"fill", "/tmp"}, nil, Limits{Temp: 16 << 20}, none, gave("15 ENOSPC", "16 ENOSPC")},
		{"inodes", []string{"inodes", "/tmp"}, nil, Limits{}, none, atMost(16 << 10)},
		{"file size", []string{"file size"}, nil, Limits{FileSize: 4 << 20}, none, gave("4 EFBIG")},
		{"spin", []string{"spin"}, nil, Limits{CPU: time.Second}, []Reason{CPU}, failed},
		{"spin in a shell", nil, []string{"sh", "-c", "while :; do :; done"}, Limits{CPU: time.Second}, []Reason{CPU}, failed},
		{"spin in a shell's child", nil, []string{"sh", "-c", "sh -c 'while :; do :; done'; exit $?"}, Limits{CPU: time.Second}, []Reason{CPU}, failed},
		{"compute in turns, and fail", nil, []string{"sh", "-c", "for i in 1 2 3; do timeout 0.5 sh -c 'while :; do :; done'; done; exit 1"}, Limits{CPU: time.Second}, none, failed},
		{"flood", []string{"flood"}, nil, Limits{Output: 4 << 10, OutputTotal: 1 << 20}, []Reason{Output}, func(r *Result) bool {
			return r.Truncated && len(r.Stdout) <= 4<<10 && len(r.Stderr) <= 4<<10
		}},
		{"daemon", []string{"daemon"}, nil, Limits{}, none, func(r *Result) bool { return r.ExitCode == 0 }},
		{"daemon, and stay", []string{"daemon, and stay"}, nil, Limits{Time: short}, []Reason{Timeout}, failed},
		{"stop", []string{"stop"}, nil, Limits{Time: short}, []Reason{Timeout}, failed},
		{"file descriptors", []string{"fds"}, nil, Limits{}, none, atMost(256)},
	}
}

// violent runs one such attack, and looks whether anything of it is left.
func (s *Sandbox) violent(t *testing.T, v violence) {
	if raced && s.machine.cgroups.Version == 0 && v.limits.Memory > 0 {
		t.Skip("built with the race detector, the attacker does not come as far as the limit")
	}
	token := fmt.Sprintf("violent-%d-%s.", os.Getpid(), strings.ReplaceAll(t.Name(), "/", "-"))
	spec := Spec{Args: v.program, Limits: v.limits, ReadOnly: []Mount{{filepath.Dir(attacker), "/attack"}}}
	program := "/attack/attacker"
	if s.level == Reduced {
		spec.ReadOnly, program = []Mount{{Source: filepath.Dir(attacker)}}, attacker
	}
	if v.args != nil {
		data, _ := json.Marshal(target{Secret: token})
		spec.Args = append([]string{program, "attack", string(data)}, v.args...)
	}
	r, err := s.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(v.reasons, r.Reason) || !v.right(r) {
		t.Errorf("exit %d %s, reason %q, %.300q, %.300q", r.ExitCode, r.Signal, r.Reason, r.Stdout, r.Stderr)
	}
	if left := processes(token); len(left) > 0 {
		t.Errorf("processes that are left: %v", left)
	}
}

// processes are those that have some words in their command line.
func processes(words ...string) (pids []string) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		has := func(word string) bool { return strings.Contains(string(line), word) }
		if err == nil && !slices.ContainsFunc(words, func(w string) bool { return !has(w) }) {
			pids = append(pids, e.Name())
		}
	}
	return pids
}
