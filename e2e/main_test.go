package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if binary.dir != "" {
		os.RemoveAll(binary.dir)
	}
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}

// cache is the folder that setup.sh fills.
func cache() string {
	if dir := os.Getenv("HELVE_E2E_CACHE"); dir != "" {
		return dir
	}
	return filepath.Join("..", ".cache", "e2e")
}

// installed returns the absolute path of something in the cache, and skips the test where
// it is not there.
func installed(t *testing.T, path ...string) string {
	t.Helper()
	full, err := filepath.Abs(filepath.Join(append([]string{cache()}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(full); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not installed: run \"bash e2e/setup.sh\", which wants npm, or let HELVE_E2E_CACHE name the folder where it is", full)
	} else if err != nil {
		t.Fatal(err)
	}
	return full
}

// node is the program that the servers run in.
func node(t *testing.T) string {
	return installed(t, "node_modules", "node", "bin", "node")
}

// npmServer is the file of an official server.
func npmServer(t *testing.T, name string) string {
	return installed(t, "node_modules", "@modelcontextprotocol", "server-"+name, "dist", "index.js")
}

// binary is helve, built by the first test that needs it.
var binary struct {
	once sync.Once
	dir  string
	err  error
}

func helve(t *testing.T) string {
	t.Helper()
	binary.once.Do(func() {
		if binary.dir, binary.err = os.MkdirTemp("", "helve-e2e-"); binary.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", binary.dir, "../cmd/helve").CombinedOutput()
		if err != nil {
			binary.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return filepath.Join(binary.dir, "helve")
}
