//go:build linux

package stdio

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// stays is a server that ends by SIGKILL only, with a child that does too. Both hold the
// pipe $PIPE open.
const stays = `trap '' HUP TERM; exec 3>"$PIPE"; sleep 1000 & echo '{"jsonrpc":"2.0","id":1,"result":{}}'; while :; do sleep 1000; done`

// host runs three servers and is to be killed. It prints its watchdog's number when all
// run.
func host() {
	for range 3 {
		p, err := Start(context.Background(), Command{
			Name: "stays", Path: "/bin/sh", Args: []string{"-c", stays},
			Env: Environment(map[string]string{"PIPE": os.Getenv("PIPE")}), Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			panic(err)
		}
		conn, _ := p.Transport().Connect(context.Background())
		if _, err := conn.Read(context.Background()); err != nil {
			panic(err)
		}
	}
	p, err := Start(context.Background(), Command{Name: "ends", Path: "/bin/true", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	p.Close() // the watchdog goes on
	fmt.Println(watch.cmd.Process.Pid)
	select {}
}

func TestNothingSurvivesSIGKILL(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	c := command("host")
	cmd := exec.Command(c.Path)
	cmd.Env = append(c.Env, "PIPE="+pipe)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	held, err := os.Open(pipe) // waits for a server
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	line, err := bufio.NewReader(out).ReadString('\n')
	var pid int
	if _, scanned := fmt.Sscan(line, &pid); err != nil || scanned != nil {
		t.Fatal(line, err, scanned)
	}
	watchdog, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(watchdog)
	for _, ignored := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM} {
		_ = syscall.Kill(-pid, ignored)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, held); err != nil { // ends when the last one does
		t.Error(err)
	}
	poll([]unix.PollFd{{Fd: int32(watchdog), Events: unix.POLLIN}}) // it ends, too
}

// openFiles returns what the process has open, by number.
func openFiles(pid int) map[string]string {
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	files := map[string]string{}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil { // the folder itself was open
			files[filepath.Base(link)] = to
		}
	}
	return files
}

// The tests of the watchdog's own life are not parallel: it is one for all processes.

func TestWatchdog(t *testing.T) {
	var processes []*Process
	start := func() *exec.Cmd {
		p, err := Start(t.Context(), command("echo"))
		if err != nil {
			t.Fatal(err)
		}
		processes = append(processes, p)
		return dog()
	}
	first := start()
	pid := first.Process.Pid
	if start() != first {
		t.Error("each server has a watchdog")
	}
	if group, err := syscall.Getpgid(pid); err != nil || group != pid {
		t.Errorf("its group is %d, %v", group, err)
	}
	files := openFiles(pid)
	for fd, name := range inheritedFiles {
		if len(fd) > 1 && files[fd] == name {
			delete(files, fd)
		}
	}
	if len(files) != 3 || !strings.HasPrefix(files["0"], "pipe:") || files["1"] != os.DevNull || files["2"] != os.DevNull {
		t.Errorf("it has open %v", files)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	awaitExit(first)
	if second := start(); second == nil || second == first {
		t.Error("a watchdog that died is not replaced")
	}
	var all sync.WaitGroup
	for _, p := range processes {
		all.Go(func() { p.Close() })
	}
	all.Wait()
	if last := dog(); last != nil {
		t.Error("it is still there")
	}
}

// dog returns the watchdog's process.
func dog() *exec.Cmd {
	watch.mu.Lock()
	defer watch.mu.Unlock()
	return watch.cmd
}

// Of the groups it was told, it ends those that are left, and no other.
func TestWatchdogEndsWhatIsLeft(t *testing.T) {
	t.Parallel()
	var w watchdog
	log := slog.New(slog.DiscardHandler)
	var sleepers []*exec.Cmd
	for range 4 {
		c := exec.Command("sleep", "1000")
		ownGroup(c)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		sleepers = append(sleepers, c)
		w.add(c.Process.Pid, log)
	}
	w.remove(sleepers[0].Process.Pid)
	w.remove(sleepers[2].Process.Pid)
	w.in.Close() // as if this process had ended
	for _, i := range []int{1, 3} {
		if err := sleepers[i].Wait(); err == nil || err.Error() != "signal: killed" {
			t.Errorf("sleeper %d ended with %v", i, err)
		}
	}
	_ = w.cmd.Wait()
	for _, i := range []int{0, 2} { // a SIGKILL, if it came, would win
		_ = sleepers[i].Process.Signal(syscall.SIGTERM)
		if err := sleepers[i].Wait(); err == nil || err.Error() != "signal: terminated" {
			t.Errorf("sleeper %d, who was let go, ended with %v", i, err)
		}
	}
}

func TestAnyLeft(t *testing.T) {
	t.Parallel()
	c := exec.Command("sleep", "1000")
	ownGroup(c)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if !anyLeft(c.Process.Pid) {
		t.Error("it runs and is not seen")
	}
	_ = c.Process.Kill()
	awaitExit(c)
	if anyLeft(c.Process.Pid) {
		t.Error("it is dead, and nobody waited for it yet")
	}
	_ = c.Wait()
	if anyLeft(c.Process.Pid) {
		t.Error("it is gone")
	}
}
