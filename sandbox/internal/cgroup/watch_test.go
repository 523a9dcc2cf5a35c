//go:build linux

package cgroup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

const tick = 5 * time.Millisecond

// watch runs Watch until the test calls what it returns.
func watch(t *testing.T, pid int, limit int64) (result func() Seen) {
	t.Helper()
	done := make(chan Seen, 1)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go func() {
		seen, err := Watch(ctx, pid, limit, tick)
		if err != nil {
			t.Error(err)
		}
		done <- seen
	}()
	return func() Seen { return <-done }
}

func TestWatchSeesAHogBelow(t *testing.T) {
	t.Parallel()
	c := start(t, "nest", []string{"nest", "hog", "150"}, nil)
	c.line(t)
	result := watch(t, c.Process.Pid, 100<<20)
	c.tell(t)
	seen := result()
	if !seen.Over || seen.Memory <= 100<<20 || seen.Processes != 3 {
		t.Errorf("three processes with 150 MiB, and 100 allowed: %+v", seen)
	}
}

func TestWatchEndsWithTheProcess(t *testing.T) {
	t.Parallel()
	c := start(t, "hog", []string{"20"}, nil)
	c.line(t)
	result := watch(t, c.Process.Pid, 1<<30)
	c.tell(t)
	c.line(t)
	c.Process.Kill() // and nobody waits for it yet: it is still there, and dead
	seen := result()
	if seen.Over || seen.Processes != 1 || seen.Memory == 0 {
		t.Errorf("%+v", seen)
	}
	c.Wait()
	if again, err := Watch(t.Context(), c.Process.Pid, 1<<30, tick); err != nil || again != (Seen{}) {
		t.Errorf("a process that is gone: %+v, %v", again, err)
	}
}

func TestWatchEndsWithTheContext(t *testing.T) {
	t.Parallel()
	c := start(t, "wait", nil, nil)
	c.line(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	seen, err := Watch(ctx, c.Process.Pid, 1<<30, time.Hour)
	if err != nil || seen.Over || seen.Processes != 1 || seen.Memory == 0 {
		t.Errorf("%+v, %v", seen, err)
	}
}

// Four processes share 64 MiB: together that is 64, and not 256.
func TestSharedMemoryCountsOnce(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(shm(t), "shared"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(64 << 20); err != nil {
		t.Fatal(err)
	}
	tree := newTree()
	for range 4 {
		c := start(t, "map", []string{"64"}, func(cmd *exec.Cmd) { cmd.ExtraFiles = []*os.File{f} })
		if got := c.line(t); got != "taken" {
			t.Fatal(got)
		}
		tree.add(c.Process.Pid)
	}
	if n := tree.memory(statm); n < 256<<20 {
		t.Errorf("resident are %d bytes", n)
	}
	if n := tree.memory(proportional); n < 64<<20 || n > 128<<20 {
		t.Errorf("of 64 MiB that four processes share, %d bytes count", n)
	}
}

func shm(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "helvetest")
	if err != nil {
		t.Skip("no shared memory: ", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestWalkOfOneAndOfNone(t *testing.T) {
	t.Parallel()
	c := start(t, "wait", nil, nil)
	c.line(t)
	tree := newTree()
	if !tree.walk(c.Process.Pid) || !slices.Equal(tree.pids, []int{c.Process.Pid}) {
		t.Errorf("a process alone: %v", tree.pids)
	}
	if tree.walk(1 << 30) {
		t.Error("there is a process that can't be")
	}
	if n := tree.memory(statm); n != 0 {
		t.Errorf("it has %d bytes", n)
	}
}

// A process can have any name, also one that looks as if it were dead.
func TestEnded(t *testing.T) {
	t.Parallel()
	for stat, want := range map[string]bool{
		"12 (sh) S 1 12":     false,
		"12 (sh) Z 1 12":     true,
		"12 (sh) X 1 12":     true,
		"12 (a) Z (b) R 1 2": false,
		"12 (a) R) Z 1 2":    true,
		"12 (sh)":            false,
		"12 (sh) ":           false,
		"":                   false,
	} {
		if ended([]byte(stat)) != want {
			t.Errorf("%q: %v", stat, !want)
		}
	}
}

// A look must not cost more the longer Watch runs.
func TestLooksDoNotGrow(t *testing.T) {
	c := start(t, "nest", []string{"wait"}, nil)
	c.line(t)
	tree := newTree()
	look := func() { tree.walk(c.Process.Pid); tree.memory(statm); tree.memory(proportional) }
	look()
	sizes := func() string { return fmt.Sprint(cap(tree.pids), cap(tree.path), cap(tree.text)) }
	before := sizes()
	allocs := testing.AllocsPerRun(200, look)
	if after := sizes(); after != before || len(tree.known) != 2 || allocs > 200 {
		t.Errorf("sizes were %s and are %s, %d are known, and a look takes %v allocations", before, after, len(tree.known), allocs)
	}
}

func BenchmarkLook(b *testing.B) {
	c := start(b, "nest", []string{"nest", "hog", "100"}, nil)
	c.line(b)
	c.tell(b)
	c.line(b)
	tree := newTree()
	b.Run("resident", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tree.walk(c.Process.Pid)
			tree.memory(statm)
		}
	})
	b.Run("proportional", func(b *testing.B) {
		for b.Loop() {
			tree.memory(proportional)
		}
	})
}
