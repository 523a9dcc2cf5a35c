package sandbox

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// BenchmarkStart is what it costs to run /bin/true: plainly, in a fresh sandbox, and in one
// that was started in advance.
func BenchmarkStart(b *testing.B) {
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bubblewrap", func(b *testing.B) {
		if _, err := exec.LookPath("bwrap"); err != nil {
			b.Skip(err)
		}
		for b.Loop() {
			if out, err := exec.Command("bwrap", bubblewrap...).CombinedOutput(); err != nil {
				b.Fatal(err, string(out))
			}
		}
	})
	for _, name := range []string{"cold", "warm"} {
		warm := map[string]int{"warm": 4}[name]
		b.Run(name, func(b *testing.B) {
			s, err := New(Options{Warm: warm, Log: silent})
			if err != nil {
				b.Skip(err)
			}
			defer s.Close()
			for b.Loop() {
				if warm > 0 {
					b.StopTimer()
					for !s.machine.warm.full(warm) {
						time.Sleep(time.Millisecond)
					}
					b.StartTimer()
				}
				r, err := s.Run(context.Background(), Spec{Args: []string{"/bin/true"}})
				if err != nil || r.ExitCode != 0 {
					b.Fatal(r, err)
				}
			}
		})
	}
}

// bubblewrap has the same mounts and namespaces; it has no limits and no system-call
// filter.
var bubblewrap = []string{
	"--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--hostname", "sandbox",
	"--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
	"--ro-bind-try", "/etc/ssl/certs", "/etc/ssl/certs", "--ro-bind-try", "/etc/localtime", "/etc/localtime",
	"--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
	"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/dev/shm", "--tmpfs", "/work", "--chdir", "/work",
	"/bin/true",
}

func (w *warm) full(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.ready) >= n
}
