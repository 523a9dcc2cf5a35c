package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestReadOnly(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		close func(t *testing.T, path string)
	}{
		{"a file of ours", func(t *testing.T, path string) { helves(t, path); chmod(t, path, 0o444) }},
		{"an empty file", func(t *testing.T, path string) {
			if err := os.WriteFile(path, nil, 0o444); err != nil {
				t.Fatal(err)
			}
		}},
		{"a secret file", func(t *testing.T, path string) { helves(t, path); chmod(t, path, 0) }},
		{"a folder", func(t *testing.T, path string) {
			helves(t, path)
			chmod(t, path, 0o666)
			chmod(t, filepath.Dir(path), 0o555)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			chmod(t, dir, 0o777)
			chmod(t, filepath.Dir(dir), 0o755) // the testing package's own, closed to others
			path := filepath.Join(dir, "helve.db")
			tt.close(t, path)
			var err error
			asNobody(func() {
				db, openErr := Open(context.Background(), path)
				if err = openErr; err == nil {
					db.Close()
				}
			})
			if err == nil || !strings.Contains(err.Error(), "let this user") || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(path, 0o700) })
}

// asNobody runs f as a user whom the modes of files bind, as they do not bind
// root. It uses up a thread: its user can't be told from others' afterwards.
func asNobody(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Getuid() == 0 {
			runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
			syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0)
		}
		f()
	}()
	<-done
}
