package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestChatSeesChanges talks while files of the workspace change: a new tool is there,
// and an error leaves all as it was.
func TestChatSeesChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("helve.yaml", "model: sim/offline\nagent: a\n")
	write("agents/a.yaml", "name: a\ntools: [current_time]\n")

	in, typed := io.Pipe()
	out, said := io.Pipe()
	errs := &locked{}
	code := make(chan int)
	go func() {
		code <- execute([]string{"chat", "--jsonl", "-w", dir}, stdio{in, said, errs})
		said.Close()
	}()
	lines := bufio.NewScanner(out)
	// ask says a line and returns what came until the answer was done.
	ask := func() string {
		fmt.Fprintln(typed, "What is 17 * 23?")
		var all strings.Builder
		for lines.Scan() {
			all.Write(lines.Bytes())
			if bytes.Contains(lines.Bytes(), []byte(`"type":"done"`)) {
				break
			}
		}
		return all.String()
	}
	if got := ask(); strings.Contains(got, "391") {
		t.Errorf("without calculate it answers %s", got)
	}
	write("agents/a.yaml", "name: a\ntools: [current_time, calculate]\n")
	for tries := 0; !strings.Contains(ask(), "391"); tries++ {
		if tries > 2000 {
			t.Fatalf("the change was not seen; %s", errs)
		}
	}
	write("agents/a.yaml", "name: a\ntols: []\n")
	for tries := 0; !strings.Contains(errs.String(), "unknown key"); tries++ {
		if got := ask(); !strings.Contains(got, "391") {
			t.Fatalf("a file with an error changed the agent: %s", got)
		}
		if tries > 2000 {
			t.Fatalf("the error was not told; %s", errs)
		}
	}
	typed.Close()
	go io.Copy(io.Discard, out)
	if c := <-code; c != exitOK {
		t.Errorf("exit code %d: %s", c, errs)
	}
}

// locked is a buffer for several goroutines.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
