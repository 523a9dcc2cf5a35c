//go:build linux

package stdio

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// answers is a server with a child. It is a shell, so that a thousand of them are fast.
const answers = `sleep 1000 & while read -r line; do echo '{"jsonrpc":"2.0","id":1,"result":{"text":"hello"}}'; done`

// It is not parallel: it counts what this process has.
func TestNothingIsLeftOfManyServers(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	before, current := len(openFiles(os.Getpid())), goleak.IgnoreCurrent()
	work := make(chan int)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for i := range work {
				round(t, i)
			}
		})
	}
	for i := range rounds {
		work <- i
	}
	close(work)
	workers.Wait()
	if after := len(openFiles(os.Getpid())); after > before {
		t.Errorf("%d files are open, %d were: %v", after, before, openFiles(os.Getpid()))
	}
	if err := goleak.Find(current); err != nil {
		t.Error(err)
	}
}

// round starts a server, exchanges a message and ends it, or lets it crash.
func round(t *testing.T, i int) {
	p, err := Start(t.Context(), Command{Name: "tested", Path: "/bin/sh", Args: []string{"-c", answers}, Env: Environment(nil), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Error(err)
		return
	}
	defer noGroup(t, p)
	defer p.Close()
	conn, err := p.Transport().Connect(t.Context())
	if err != nil {
		t.Error(err)
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := conn.Write(ctx, request(t, 1, "hello")); err != nil {
		t.Error(err)
		return
	}
	if _, err := conn.Read(ctx); err != nil {
		t.Error(err)
		return
	}
	if i%2 == 1 {
		_ = syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.Done()
	}
}
