package e2e

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestServerConformance runs the official suites against "helve mcp", where they were
// fetched. Give -count=1: the go command does not know that all of helve counts here.
func TestServerConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while: leave out -short")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("the script needs bash")
	}
	cache, err := filepath.Abs(cmp.Or(os.Getenv("HELVE_E2E_CACHE"), filepath.Join("..", ".cache", "e2e")))
	if err != nil {
		t.Fatal(err)
	}
	for _, needed := range []string{
		"node_modules/node/bin/node",
		"c1/node_modules/@modelcontextprotocol/conformance/dist/index.js",
		"c2/node_modules/@modelcontextprotocol/conformance/dist/index.js",
	} {
		if _, err := os.Stat(filepath.Join(cache, filepath.FromSlash(needed))); err != nil {
			t.Skipf("Node 22 and the suites are not in %s: run \"e2e/mcp-conformance.sh setup\", or name another folder by HELVE_E2E_CACHE", cache)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", "mcp-conformance.sh")
	cmd.Env = append(os.Environ(), "HELVE_E2E_CACHE="+cache)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends what it started
	cmd.WaitDelay = time.Minute
	said, err := cmd.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Error(err)
	}
}
