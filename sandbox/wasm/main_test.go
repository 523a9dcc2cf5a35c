package wasm

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"helve/sandbox"
)

// guest is testdata/guest, for wasip1; box runs it. Both are made once for all tests. What
// box compiles stays in a folder of this user's between runs of the tests, since that takes
// seconds, and with -race many.
var (
	guest []byte
	box   *Runtime
)

func TestMain(m *testing.M) {
	os.Setenv("HELVE_SECRET", "hunter2") // which no guest may see
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	box.Close()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func prepare() error {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("helve-wasm-test-%d", os.Geteuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if guest = builtGuest(dir); guest == nil {
		return fmt.Errorf("the guest can't be built")
	}
	var err error
	quiet := slog.New(slog.DiscardHandler)
	if box, err = New(context.Background(), Options{CacheDir: dir, Log: quiet}); err != nil {
		box, err = New(context.Background(), Options{Log: quiet}) // somebody else's /tmp
	}
	return err
}

func builtGuest(dir string) []byte {
	out := filepath.Join(dir, fmt.Sprintf("guest-%d.wasm", os.Getpid()))
	defer os.Remove(out)
	build := exec.Command("go", "build", "-trimpath", "-o", out, "./testdata/guest")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	build.Stderr = os.Stderr
	if build.Run() != nil {
		return nil
	}
	data, _ := os.ReadFile(out)
	return data
}

// try runs the guest.
func try(t *testing.T, spec sandbox.Spec, args ...string) *sandbox.Result {
	t.Helper()
	spec.Args = append([]string{"guest.wasm"}, args...)
	spec.Files = append(spec.Files, sandbox.File{Name: "guest.wasm", Data: guest})
	result, err := box.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if result.Level != sandbox.WASM {
		t.Errorf("the level is %q", result.Level)
	}
	return result
}
