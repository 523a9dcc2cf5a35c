package sandbox

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// TestMain makes the test's own program the attacker, where it is asked to be: it runs in
// the sandbox, and outside it as the control.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "attack" {
		attack(os.Args[2:])
		return
	}
	dir, err := lair()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// attacker is this program where every user can execute it.
var attacker string

// lair puts this program there: the folder that go test makes is closed to others.
func lair() (dir string, err error) {
	dir, err = os.MkdirTemp("", "helve-attack-")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return dir, err
	}
	attacker = filepath.Join(dir, "attacker")
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		return dir, err
	}
	defer self.Close()
	copied, err := os.OpenFile(attacker, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return dir, err
	}
	defer copied.Close()
	_, err = io.Copy(copied, self)
	return dir, err
}

var silent = slog.New(slog.DiscardHandler)

// newBox returns a Sandbox, or skips the test where this machine has none.
func newBox(t testing.TB, o Options) *Sandbox {
	t.Helper()
	if o.Log == nil {
		o.Log = silent
	}
	s, err := New(o)
	if errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
