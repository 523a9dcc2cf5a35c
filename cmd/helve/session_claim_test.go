package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestRunsOfOneSessionTakeTurns: each keeps all that it said, in its order.
func TestRunsOfOneSessionTakeTurns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "helve.yaml"), []byte("model: sim/offline\ndatabase: s.db\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const runs = 6
	var wait sync.WaitGroup
	for i := range runs {
		wait.Go(func() {
			var out, errs bytes.Buffer
			code := execute([]string{"run", "-w", dir, "--session", "one", fmt.Sprintf("What is %d * 7?", i+2)}, stdio{strings.NewReader(""), &out, &errs})
			if code != exitOK || !strings.Contains(out.String(), fmt.Sprint((i+2)*7)) {
				t.Errorf("exit code %d: %s%s", code, &out, &errs)
			}
		})
	}
	wait.Wait()
	var out, errs bytes.Buffer
	if code := execute([]string{"sessions", "show", "one", "-w", dir}, stdio{strings.NewReader(""), &out, &errs}); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != runs*4 {
		t.Fatalf("got %d lines:\n%s", len(lines), &out)
	}
	for i := 0; i < len(lines); i += 4 {
		for j, role := range []string{"user: ", "assistant: →", "tool: ", "assistant: "} {
			if !strings.HasPrefix(lines[i+j], role) {
				t.Errorf("line %d: %s, want one of %s", i+j+1, lines[i+j], role)
			}
		}
	}
}
