package sandbox

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestUnavailable has machines that can't isolate: each says what it lacks, and nothing
// runs.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		with []string // run in this
		want []string
	}{
		{"no user namespaces", []string{"unshare", "-Ur", "sh", "-c", `echo 0 >/proc/sys/user/max_user_namespaces; exec "$0" "$@"`},
			[]string{"start the launcher ENOSPC", "max_user_namespaces"}},
		{"masked /proc", []string{"unshare", "-Urmpf", "--mount-proc", "sh", "-c", `mount -t tmpfs tmpfs /proc/fs; exec "$0" "$@"`},
			[]string{"level strict-noproc", "it runs"}},
		{"root alone", []string{"unshare", "-Ur", "sh", "-c", `exec "$0" "$@"`}, []string{"level strict", "it runs"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			newBox(t, Options{})
			if _, err := exec.LookPath("unshare"); err != nil {
				t.Skip(err)
			}
			cmd := exec.Command(test.with[0], append(test.with[1:], attacker, "attack", "{}", "try")...)
			const nobody = 65534
			if syscall.Geteuid() == 0 {
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			}
			cmd.Dir = "/"
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range test.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("got %q, want %q", out, want)
				}
			}
		})
	}
	t.Run("in a sandbox", func(t *testing.T) {
		t.Parallel()
		r, err := newBox(t, Options{}).Run(t.Context(), Spec{Args: []string{"/attack/attacker", "attack", "{}", "try"}, ReadOnly: []Mount{{filepath.Dir(attacker), "/attack"}}})
		if err != nil || !strings.HasPrefix(string(r.Stdout), "start the launcher EPERM no user namespace may be made") {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("old Landlock", func(t *testing.T) {
		t.Parallel()
		newBox(t, Options{})
		s := &Sandbox{options: Options{Limits: DefaultLimits()}, log: silent}
		s.machine.leastABI = 1000
		err := s.open()
		var e *UnavailableError
		if !errors.As(err, &e) || e.Stage != "landlock" || !strings.Contains(e.Hint, "Landlock") {
			t.Errorf("got %v", err)
		}
		if r, err := s.Run(t.Context(), Spec{Args: []string{"echo", "canary"}}); r != nil || !errors.Is(err, ErrUnavailable) {
			t.Errorf("it ran: %+v, %v", r, err)
		}
	})
	t.Run("a mount that is not there", func(t *testing.T) {
		t.Parallel()
		r, err := newBox(t, Options{}).Run(t.Context(), Spec{Args: []string{"echo", "canary"}, ReadOnly: []Mount{{"/no/such/folder", ""}}})
		var e *UnavailableError
		if r != nil || !errors.As(err, &e) || e.Stage != "open /no/such/folder" || e.Errno != syscall.ENOENT {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// TestNoLevel is for a level that is none.
func TestNoLevel(t *testing.T) {
	t.Parallel()
	for _, l := range []Level{"none", "STRICT", WASM} {
		if s, err := New(Options{Level: l}); s != nil || !errors.Is(err, ErrSpec) {
			t.Errorf("%s: %v, %v", l, s, err)
		}
	}
}
