package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestThousandRuns looks at what is left on the machine after many runs, eight at a time.
// It is not parallel: what others start would be taken for its own.
func TestThousandRuns(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs = 100
	}
	for _, o := range []Options{{Log: silent}, {Log: silent, NoCgroup: true, Warm: 4}} {
		before := left(t)
		s := newBox(t, o)
		work := make(chan int)
		var workers sync.WaitGroup
		for range 8 {
			workers.Go(func() {
				for range work {
					r, err := s.Run(t.Context(), Spec{Args: []string{"sh", "-c", "echo hello > out.txt; sleep 100 & exit 7"}})
					if err != nil || r.ExitCode != 7 || r.Reason != "" {
						t.Errorf("%+v, %v", r, err)
					}
				}
			})
		}
		for i := range runs / 2 {
			work <- i
		}
		close(work)
		workers.Wait()
		s.Close()
		if after := settle(t, before); after != before {
			t.Errorf("before %+v, after %+v", before, after)
		}
	}
}

// remains are what runs could leave.
type remains struct{ processes, mounts, cgroups, files, goroutines int }

func left(t *testing.T) (r remains) {
	r.processes = children(t)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	r.mounts = strings.Count(string(mounts), "\n")
	for _, above := range []string{"", "*/", "*/*/", "*/*/*/", "*/*/*/*/"} { // others' tests make groups, too
		groups, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/%shelve-%d-*", above, os.Getpid()))
		r.cgroups += len(groups)
	}
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	r.files, r.goroutines = len(files), runtime.NumGoroutine()
	return r
}

// children are the processes that this one started and did not wait for.
func children(t *testing.T) (n int) {
	threads, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range threads {
		pids, _ := os.ReadFile(path) // a thread may have ended
		n += len(strings.Fields(string(pids)))
	}
	return n
}

// settle waits for what the kernel does on the side.
func settle(t *testing.T, want remains) (got remains) {
	for range 100 {
		if got = left(t); got == want {
			break
		}
		runtime.Gosched()
		<-time.After(10 * time.Millisecond)
	}
	return got
}

// TestParentIsKilled kills a process that runs a program in a sandbox: with it goes the
// program, and what that started.
func TestParentIsKilled(t *testing.T) {
	t.Parallel()
	newBox(t, Options{})
	token := "orphan-" + filepath.Base(t.TempDir()) + filepath.Base(filepath.Dir(t.TempDir()))
	parent := exec.Command(attacker, "attack", `{"Secret":"`+token+`"}`, "host")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // the program runs
		t.Error(err)
	}
	if n := len(processes(token)); n < 3 {
		t.Errorf("%d processes; the parent, the program and its daemon should be there", n)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	for range 500 {
		if len(processes(token)) == 0 {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Errorf("processes that are left: %v", processes(token))
}
