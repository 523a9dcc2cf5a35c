package mcp_test

import (
	"os"
	"runtime"
	"sync"
	"testing"

	"helve/tool"
)

// A thousand programs are started, called, and killed in the middle of the call. Not one
// process, goroutine or file is left: Gone sees the processes, TestMain the goroutines.
//
// The test is not parallel, because it counts the files of this process.
func TestThousandRounds(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	warm := overStdio(t, "") // what the first round opens for good counts for none
	round(t, warm)
	if err := warm.record.Close(); err != nil {
		t.Fatal(err)
	}
	files := openFiles(t)
	shared := overStdio(t, "")
	next := make(chan int)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for range next {
				round(t, shared)
			}
		})
	}
	for i := range rounds {
		next <- i
	}
	close(next)
	workers.Wait()
	if err := shared.record.Gone(within(t)); err != nil {
		t.Error(err)
	}
	if n := shared.record.Count("ran kill"); n != rounds {
		t.Errorf("%d rounds, and the tool ran %d times", rounds, n)
	}
	if err := shared.record.Close(); err != nil {
		t.Fatal(err)
	}
	if now := openFiles(t); now > files {
		t.Errorf("%d files were open before, and %d are now", files, now)
	}
}

// round is one connection, one call that kills the program, and Close. All rounds have
// the same record.
func round(t *testing.T, shared *server) {
	s := &server{t: t, record: shared.record, config: shared.config, options: shared.options}
	s.config.Protocol = "2025-11-25" // one program a round
	client, err := s.start()
	if err != nil {
		t.Error(err)
		return
	}
	_, err = s.call(t.Context(), "kill", nil)
	if err == nil {
		t.Error("a program that was killed answered")
	} else if e := tool.AsError(err); e.Kind != tool.KindUnavailable {
		t.Errorf("%v", err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}

// openFiles counts the files that this process has open, or 0 where it can't.
func openFiles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
