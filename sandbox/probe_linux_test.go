package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/jail"
)

// feature returns one by its name.
func feature(t *testing.T, r Report, name string) Feature {
	t.Helper()
	for _, f := range r.Features {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("nothing is said of %s", name)
	return Feature{}
}

func TestProbeAgreesWithNew(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{})
	r := Probe(t.Context())
	if r.Level != s.Level() || r.Err != nil {
		t.Errorf("it says %q, %v, and a Sandbox has %q", r.Level, r.Err, s.Level())
	}
	for _, name := range []string{"namespaces", "landlock", "seccomp", "wasm"} {
		if f := feature(t, r, name); !f.OK {
			t.Errorf("at the level %s: %+v", r.Level, f)
		}
	}
	if f := feature(t, r, "proc"); f.OK != (r.Level == Strict) {
		t.Errorf("at the level %s: %+v", r.Level, f)
	}
	if f := feature(t, r, "cgroup"); f.OK != (s.machine.cgroups.Version != 0) {
		t.Errorf("with %v: %+v", s.machine.cgroups, f)
	}
	for _, f := range r.Features {
		if f.Detail == "" || !f.OK && f.Hint == "" {
			t.Errorf("nobody can act on %+v", f)
		}
	}
}

// TestProbeFindsWhatTheSandboxFinds compares its interpreters with what a shell finds inside.
func TestProbeFindsWhatTheSandboxFinds(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{})
	for _, i := range interpreters {
		path, err := lookInside(i.name)
		r, failure := s.Run(t.Context(), Spec{Args: []string{"sh", "-c", "command -v " + i.name}})
		if failure != nil {
			t.Fatal(failure)
		}
		if found := strings.TrimSpace(string(r.Stdout)); found != path || (found == "") != (err != nil) {
			t.Errorf("%s: it says %q, %v, and inside it is %q", i.name, path, err, found)
		}
	}
}

func TestProbeOfInterpretersElsewhere(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "helve-nowhere-else")
	if err := os.WriteFile(there, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "sh")
	if err := os.WriteFile(other, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	cases := []struct {
		name, detail, hint string
		ok                 bool
	}{
		{"helve-nowhere-else", "in your PATH at " + there + ", but not where the sandbox looks: /usr/local/bin, /usr/bin, /bin", "apt-get install", false},
		{"helve-nowhere-at-all", "not installed", "apt-get install", false},
		{"sh", "in your PATH is another, " + other, "", true},
	}
	for _, c := range cases {
		f := interpreter(c.name, c.name)
		if f.OK != c.ok || !strings.Contains(f.Detail, c.detail) || !strings.Contains(f.Hint, c.hint) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/usr/bin/sh", link); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ path, why string }{
		{"/usr/bin/sh", ""},
		{"/bin/sh", ""},
		{"/usr/bin/../bin/sh", ""},
		{"/usr/bin/helve-nowhere", "no such file"},
		{"/usr/bin", "permissions"},
		{link, "does not show"}, // where it leads to is there, but not the link
		{"/var", "does not show"},
	}
	for _, c := range cases {
		err := visible(c.path)
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", c.path, err, c.why)
		}
	}
	if jail.Shows("/usrlocal") || !jail.Shows("/etc") || jail.Shows("/etc/shadow") {
		t.Error("what is shown is taken for something else")
	}
}

func TestProbeOfALostCause(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Probe(ctx)
	if r.Level != "" || !errors.Is(r.Err, ErrUnavailable) || !errors.Is(r.Err, context.Canceled) {
		t.Errorf("%q, %v", r.Level, r.Err)
	}
	if f := feature(t, r, "namespaces"); f.OK {
		t.Errorf("%+v", f)
	}
}

// TestProbeWithoutNamespaces makes a user namespace in which there can be no other, and looks
// from there.
func TestProbeWithoutNamespaces(t *testing.T) {
	t.Parallel()
	if os.Getenv("HELVE_PROBE_INSIDE") != "" {
		probeWithoutNamespaces(t)
		return
	}
	cmd := exec.Command(attacker, "-test.run=^TestProbeWithoutNamespaces$", "-test.v", "-test.timeout=60s")
	cmd.Env = []string{"HELVE_PROBE_INSIDE=1", "PATH=/usr/bin:/bin"}
	cmd.Dir = "/"
	user, group := os.Geteuid(), os.Getegid()
	if user == 0 {
		user, group = 65534, 65534 // nobody, who is root in there
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: user, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: group, Size: 1}},
		Credential:  &syscall.Credential{Uid: 0, Gid: 0, NoSetGroups: true},
	}
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Skip("there are no user namespaces here:", err)
	}
	if err != nil || !strings.Contains(string(out), "it was probed") {
		t.Errorf("%v\n%s", err, out)
	}
}

func probeWithoutNamespaces(t *testing.T) {
	if err := os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0); err != nil {
		t.Fatal(err)
	}
	r := Probe(t.Context())
	var lacking *UnavailableError
	if r.Level != "" || !errors.As(r.Err, &lacking) || lacking.Errno != syscall.ENOSPC {
		t.Errorf("%q, %v", r.Level, r.Err)
	}
	f := feature(t, r, "namespaces")
	if f.OK || !strings.Contains(f.Detail, "no space left") || !strings.Contains(f.Hint, "max_user_namespaces") {
		t.Errorf("%+v", f)
	}
	if f := feature(t, r, "proc"); f.OK || !strings.Contains(f.Detail, "not tried") || f.Hint == "" {
		t.Errorf("%+v", f)
	}
	if f := feature(t, r, "wasm"); !f.OK {
		t.Errorf("%+v", f)
	}
	t.Log("it was probed")
}
