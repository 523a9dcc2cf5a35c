package e2e

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// The suites for clients, and the Inspector, where they are installed. Give -count=1: the
// go command does not know that all of helve counts here.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while: leave out -short")
	}
	for script, needs := range map[string]string{"mcp-conformance-client.sh": "c2", "inspector.sh": "inspector"} {
		t.Run(script, func(t *testing.T) {
			installed(t, needs)
			cmd := exec.CommandContext(t.Context(), "bash", script)
			if _, set := os.LookupEnv("HELVE_E2E_CACHE"); set {
				cmd.Env = append(os.Environ(), "HELVE_E2E_CACHE="+installed(t))
			}
			cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends what it started
			cmd.WaitDelay = time.Minute
			said, err := cmd.CombinedOutput()
			t.Logf("%s", said)
			if err != nil {
				t.Error(err)
			}
		})
	}
}
