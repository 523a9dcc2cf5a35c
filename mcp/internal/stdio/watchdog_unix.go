//go:build unix

package stdio

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"
)

// watch is the watchdog of this process. It is the one global of the package: each more
// would be one more program beside each host's servers.
var watch watchdog

// watchdog ends what this process leaves behind when it is killed. It is a shell that
// has a pipe from this process as its input: the pipe closes when this process ends,
// however it does.
type watchdog struct {
	mu     sync.Mutex
	groups map[int]bool
	cmd    *exec.Cmd // nil while there is no shell
	in     *os.File
}

// script reads "add GROUP" and "del GROUP", and ends at the end of its input what was
// added and not deleted. Whoever ends this process should not end it.
const script = `trap '' HUP INT QUIT TERM
groups=' '
while read -r verb group; do
	case $verb in
	add) groups="$groups$group " ;;
	del) groups="${groups%% $group *} ${groups#* $group }" ;;
	esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`

// add watches a group. That it can't is no reason not to run a server.
func (w *watchdog) add(group int, log *slog.Logger) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.groups == nil {
		w.groups = map[int]bool{}
	}
	w.groups[group] = true
	if w.cmd != nil && w.say("add", group) == nil {
		return
	}
	w.stop() // it may have been killed
	if err := w.start(); err != nil {
		log.Warn("MCP servers have no watchdog: they may stay behind if this process is killed", "error", err)
	}
}

// remove stops watching a group. With the last one the shell ends.
func (w *watchdog) remove(group int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.groups, group)
	if w.cmd == nil {
		return
	}
	if w.say("del", group) != nil || len(w.groups) == 0 {
		w.stop()
	}
}

// start runs the shell for all groups. It has a group of its own, and no file open but
// the pipe.
func (w *watchdog) start() error {
	stdin, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stdin.Close()
	cmd := &exec.Cmd{
		Path: "/bin/sh", Args: []string{"sh", "-c", script, "helve-watchdog"}, Dir: "/", Env: []string{},
		Stdin: stdin, SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if err := cmd.Start(); err != nil {
		in.Close()
		return err
	}
	w.cmd, w.in = cmd, in
	for _, group := range slices.Sorted(maps.Keys(w.groups)) {
		if err := w.say("add", group); err != nil {
			w.stop()
			return err
		}
	}
	return nil
}

func (w *watchdog) say(verb string, group int) error {
	_ = w.in.SetWriteDeadline(time.Now().Add(grace)) // it may have been stopped
	_, err := fmt.Fprintf(w.in, "%s %d\n", verb, group)
	return err
}

// stop ends the shell. It must not end what it still has in its list.
func (w *watchdog) stop() {
	if w.cmd == nil {
		return
	}
	if len(w.groups) > 0 {
		_ = w.cmd.Process.Kill()
	}
	w.in.Close()
	cmd := w.cmd
	late := time.AfterFunc(grace, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	late.Stop()
	w.cmd, w.in = nil, nil
}
