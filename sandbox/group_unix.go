//go:build linux || darwin

package sandbox

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// group is a program with all that it starts: the processes of a group that it leads.
type group struct {
	id    int           // of the group, and of its first process
	ended chan struct{} // closed when the first is gone, and the others are

	mu   sync.Mutex
	over bool // the id may be another's
	left bool // the kernel could not end them in time
}

// goneWithin is how long killed processes are waited for. They take longer only where a
// device keeps them.
const goneWithin = 5 * time.Second

// startGroup starts cmd as the first of a group. It stays on a thread of its own until all
// are gone: on Linux the program is killed when the thread that started it ends, so that
// there is none without a parent.
func startGroup(cmd *exec.Cmd) (*group, error) {
	g := &group{ended: make(chan struct{})}
	begun := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			g.id = cmd.Process.Pid
		}
		begun <- err
		if err != nil {
			return
		}
		awaitExit(g.id) // without reaping it: until then, the group's id is no other's
		g.kill()
		g.mu.Lock()
		_ = cmd.Wait() // what became of it, cmd knows
		g.over = true
		g.mu.Unlock()
		g.left = !gone(g.id)
		close(g.ended)
	}()
	return g, <-begun
}

// kill ends all of the group. None escapes by forking: the kernel lets no process fork that
// is about to be killed.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.over {
		_ = unix.Kill(-g.id, unix.SIGKILL)
	}
}

// gone waits until a killed group has no process any more, and says whether that is so.
func gone(id int) bool {
	looks := 0
	for deadline := time.Now().Add(goneWithin); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		for { // orphans are this process's children where it is the first of a container
			if pid, err := unix.Wait4(-id, nil, unix.WNOHANG, nil); err != nil || pid <= 0 {
				break
			}
		}
		if unix.Kill(-id, 0) != nil {
			return true // nobody is there, or somebody who took the number
		}
		if looks++; looks%20 == 0 && census(id, -1).group == 0 {
			return true // dead, and waiting for a first process that does not care
		}
	}
	return false
}

func signalName(n int) string {
	if n == 0 {
		return ""
	}
	if name := unix.SignalName(syscall.Signal(n)); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", n)
}
