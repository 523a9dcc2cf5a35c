package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"helve/sandbox/internal/seatbelt"
)

// platform is what macOS has for a reduced run.
type platform struct {
	ready *os.File // from the shell that sets the limits
}

// neighbours are the runs of one user for whose processes there is room. More than its own
// share, a run has until it is looked at.
const neighbours = 8

func (r *reduced) user() int                     { return 0 }
func (r *reduced) prepare(context.Context) error { return nil }
func (r *reduced) look(limits Limits) Reason     { return r.group.look(limits) }
func (r *reduced) used(*Result) Reason           { return "" }

// tryReduced runs a program that must work, and one that must not: a Seatbelt that does not
// hold is none.
func (s *Sandbox) tryReduced() error {
	ctx := context.Background()
	result, err := s.runReduced(ctx, Spec{Args: []string{"/usr/bin/true"}}, s.options.Limits)
	if err != nil {
		return err
	}
	if result.ExitCode != 0 {
		return &UnavailableError{Stage: "try", Hint: fmt.Sprintf("/usr/bin/true ended with %d %s: %.300s", result.ExitCode, result.Signal, result.Stderr)}
	}
	canary, err := newFolder([]File{{Name: "canary", Data: []byte("canary")}}, 0)
	if err != nil {
		return &UnavailableError{Stage: "try", Errno: errnoOf(err), Hint: err.Error()}
	}
	result, err = s.runReduced(ctx, Spec{Args: []string{"/bin/cat", filepath.Join(canary.path, "canary")}}, s.options.Limits)
	if err := errors.Join(err, canary.remove()); err != nil {
		return err
	}
	if result.ExitCode == 0 || len(result.Stdout) > 0 {
		return &UnavailableError{Stage: "try", Hint: "Seatbelt let a program read what it must not"}
	}
	return nil
}

// command is the program, behind what confines it.
func (r *reduced) command(spec Spec, limits Limits) (*exec.Cmd, error) {
	if os.Geteuid() == 0 {
		return nil, &UnavailableError{Stage: "user", Errno: syscall.EPERM, Hint: "nothing is run as root on macOS: start this program as a user"}
	}
	if err := r.find(spec.Args[0]); err != nil {
		return nil, err
	}
	run := seatbelt.Run{
		Work: r.folder.path, Env: reducedEnvironment(r.folder.path, spec.Env), Args: spec.Args, FileSize: limits.FileSize,
		CPU:       int64((limits.CPU + time.Second - 1) / time.Second),
		Processes: census(0, os.Geteuid()).user + neighbours*limits.Processes,
	}
	for _, m := range spec.ReadOnly {
		path, err := filepath.EvalSymlinks(m.Source)
		if err != nil {
			return nil, &UnavailableError{Stage: "open " + m.Source, Errno: errnoOf(err), Hint: "is it there?"}
		}
		run.Read = append(run.Read, path)
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r.platform.ready = ours
	return &exec.Cmd{
		Path:        seatbelt.Program,
		Args:        seatbelt.Args(run),
		Env:         []string{"PATH=/usr/bin:/bin"},
		Dir:         r.folder.path,
		ExtraFiles:  []*os.File{theirs}, // seatbelt.ReadyFD
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}, nil
}

// find finds out whether there is a program, which the shell can't tell from one that ends
// badly.
func (r *reduced) find(program string) error {
	if strings.Contains(program, "=") {
		return fmt.Errorf("%w: %s: its name must not hold a =", ErrExec, program)
	}
	paths := []string{program}
	if !strings.Contains(program, "/") {
		paths = []string{"/usr/local/bin/" + program, "/usr/bin/" + program, "/bin/" + program}
	} else if !filepath.IsAbs(program) {
		paths = []string{filepath.Join(r.folder.path, program)}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return fmt.Errorf("%w: %s: %w", ErrExec, program, err)
		case !info.Mode().IsRegular() || info.Mode()&0o111 == 0:
			return fmt.Errorf("%w: %s: it is not marked as executable, or is a folder", ErrExec, program)
		default:
			return nil
		}
	}
	return fmt.Errorf("%w: %s: it is not there", ErrExec, program)
}

// begin waits until the profile and the limits hold.
func (r *reduced) begin(Spec, Limits) error {
	if _, err := io.ReadFull(r.platform.ready, make([]byte, 1)); err == nil {
		return nil
	}
	r.group.kill()
	<-r.group.ended
	_ = r.stderr.SetReadDeadline(time.Now().Add(pipesTimeout))
	said, _ := io.ReadAll(io.LimitReader(r.stderr, 300))
	return &UnavailableError{Stage: "confine by " + seatbelt.Program, Hint: strings.TrimSpace(string(said))}
}

func (r *reduced) release() {
	if r.platform.ready != nil {
		r.platform.ready.Close()
	}
}

// mostMemory is the most that one process had.
func mostMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss
	}
	return 0
}
