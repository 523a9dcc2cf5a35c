//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const nobody = 65534

// asNobody starts a process as another user, who may not even see the folder of the test's
// executable.
func asNobody(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can start a process as another user")
	}
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	cmd.Path, cmd.ExtraFiles = "/proc/self/fd/3", []*os.File{f}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

func TestAnUnprivilegedUserHasNone(t *testing.T) {
	t.Parallel()
	c := start(t, "probe", nil, func(cmd *exec.Cmd) { asNobody(t, cmd) })
	c.tell(t)
	version, bases, reason, err := c.line(t), c.line(t), c.line(t), c.line(t)
	if version != "0" || bases != "" {
		t.Errorf("nobody has version %s, in %s", version, bases)
	}
	if !strings.Contains(reason, "cgroup v") || err != "no control groups: "+reason {
		t.Errorf("the reason is %q, and New says %q", reason, err)
	}
}

// delegated makes groups that belong to nobody, one in each of the bases, and returns them.
func delegated(t *testing.T, m Mode) []string {
	t.Helper()
	var dirs []string
	for _, base := range m.bases {
		dir := filepath.Join(base, fmt.Sprintf("helvetest-%d-%s", os.Getpid(), t.Name()))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			below, _ := filepath.Glob(dir + "/*/cgroup.procs")
			for _, b := range below {
				kill(filepath.Dir(b))
				remove(filepath.Dir(b))
			}
			if err := errors.Join(kill(dir), remove(dir)); err != nil {
				t.Error(err)
			}
		})
		for _, name := range []string{"", "cgroup.procs", "cgroup.subtree_control", "cgroup.threads"} {
			if err := os.Chown(filepath.Join(dir, name), nobody, nobody); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

func add(t *testing.T, c *child, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if err := write(dir, "cgroup.procs", strconv.Itoa(c.Process.Pid)); err != nil {
			t.Fatal(err)
		}
	}
}

// An unprivileged user who was given groups has them.
func TestDelegatedGroups(t *testing.T) {
	t.Parallel()
	m := need(t)
	c := start(t, "probe", nil, func(cmd *exec.Cmd) { asNobody(t, cmd) })
	dirs := delegated(t, m)
	add(t, c, dirs...)
	c.tell(t)
	version, bases, reason, err := c.line(t), c.line(t), c.line(t), c.line(t)
	if version != strconv.Itoa(m.Version) || bases != strings.Join(dirs, " ") || err != "<nil>" {
		t.Errorf("version %s in %q (%s), New says %s; want %d in %v", version, bases, reason, err, m.Version, dirs)
	}
}

// A process that is not alone in its group of version 2 makes groups beside it.
func TestGroupsBesideItsOwn(t *testing.T) {
	t.Parallel()
	m := need(t)
	if m.Version != 2 {
		t.Skip("this is how version 2 is; here is ", m)
	}
	c := start(t, "probe", nil, func(cmd *exec.Cmd) { asNobody(t, cmd) })
	above := delegated(t, m)[0]
	if err := enable(above); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(above, "own")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(own+"/cgroup.procs", nobody, nobody); err != nil {
		t.Fatal(err)
	}
	neighbour := start(t, "wait", nil, nil)
	add(t, neighbour, own)
	add(t, c, own)
	c.tell(t)
	version, bases, reason, err := c.line(t), c.line(t), c.line(t), c.line(t)
	if version != "2" || bases != above || err != "<nil>" {
		t.Errorf("version %s in %q (%s), New says %s; want 2 in %s", version, bases, reason, err, above)
	}
}

// A group with other processes in it, and nothing above it that may be used, is none.
func TestNotAlone(t *testing.T) {
	t.Parallel()
	m := need(t)
	if m.Version != 2 {
		t.Skip("this is how version 2 is; here is ", m)
	}
	c := start(t, "probe", nil, func(cmd *exec.Cmd) { asNobody(t, cmd) })
	own := delegated(t, m)[0] // the group above is root's
	add(t, start(t, "wait", nil, nil), own)
	add(t, c, own)
	c.tell(t)
	version, bases, reason, _ := c.line(t), c.line(t), c.line(t), c.line(t)
	if version != "0" || !strings.Contains(reason, remedy) {
		t.Errorf("version %s in %q: %s", version, bases, reason)
	}
}

func TestModesSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]Mode{"none": {}, "cgroup v1": {Version: 1}, "cgroup v2": {Version: 2}} {
		if m.String() != want {
			t.Errorf("%q, not %q", m, want)
		}
	}
	if m := available(); (m.Version == 2) != (m.Reason == "") {
		t.Errorf("%v with the reason %q", m, m.Reason)
	}
}
