//go:build linux || darwin

package sandbox

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"helve/sandbox/internal/memfs"
)

// reduced is a run without namespaces: in a folder of the machine, as a group of processes
// that is ended as a whole. How they are confined, the platform knows.
type reduced struct {
	box      *Sandbox
	folder   *folder
	platform platform
	cmd      *exec.Cmd
	group    *group
	stdin    *os.File // to the program
	stdout   *os.File // from it
	stderr   *os.File
	reason   atomic.Pointer[Reason]
}

const (
	beginTimeout = 20 * time.Second       // for a program to be confined
	pipesTimeout = 500 * time.Millisecond // for its output to end, once it is gone
)

func (s *Sandbox) runReduced(ctx context.Context, spec Spec, limits Limits) (*Result, error) {
	r := &reduced{box: s}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	defer r.release()
	var err error
	if r.folder, err = newFolder(spec.Files, r.user()); err != nil {
		return nil, &UnavailableError{Stage: "make a folder for the run", Errno: errnoOf(err), Hint: err.Error()}
	}
	defer func() {
		if err := r.folder.remove(); err != nil {
			s.log.Warn("the folder of a sandbox could not be removed", "error", err)
		}
	}()
	if err := r.start(spec, limits); err != nil {
		return nil, err
	}
	defer r.closePipes()
	defer context.AfterFunc(ctx, func() { r.stop(Canceled) })()
	late := time.AfterFunc(beginTimeout, r.group.kill)
	err = r.begin(spec, limits)
	late.Stop()
	if err != nil {
		r.group.kill()
		<-r.group.ended
		return nil, cmp.Or(ctx.Err(), err)
	}
	return r.follow(spec, limits), nil
}

// start starts the process that will be the program.
func (r *reduced) start(spec Spec, limits Limits) (err error) {
	if r.cmd, err = r.command(spec, limits); err != nil {
		return err
	}
	defer func() {
		for _, f := range append(r.cmd.ExtraFiles, theirs(r.cmd)...) {
			f.Close()
		}
		if err != nil {
			r.closePipes()
		}
	}()
	pipe := func(read, write **os.File) {
		if err == nil {
			*read, *write, err = os.Pipe()
		}
	}
	var stdin, stdout, stderr *os.File
	pipe(&stdin, &r.stdin)
	pipe(&r.stdout, &stdout)
	pipe(&r.stderr, &stderr)
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = stdin, stdout, stderr
	if err == nil {
		r.group, err = startGroup(r.cmd)
	}
	if err != nil {
		return &UnavailableError{Stage: "start a process", Errno: errnoOf(err), Hint: err.Error()}
	}
	return nil
}

// theirs are the ends of the pipes that the program has.
func theirs(cmd *exec.Cmd) (files []*os.File) {
	for _, end := range []any{cmd.Stdin, cmd.Stdout, cmd.Stderr} {
		if f, ok := end.(*os.File); ok && f != nil {
			files = append(files, f)
		}
	}
	return files
}

// follow waits for a program that runs, and tells what became of it.
func (r *reduced) follow(spec Spec, limits Limits) *Result {
	begun := time.Now()
	late := time.AfterFunc(limits.Time, func() { r.stop(Timeout) })
	defer late.Stop()
	stdout, stderr := collectors(limits, func() { r.stop(Output) })
	var streams sync.WaitGroup
	streams.Go(func() { stdout.readAll(r.stdout) })
	streams.Go(func() { stderr.readAll(r.stderr) })
	streams.Go(func() { _, _ = r.stdin.Write(spec.Stdin); r.stdin.Close() }) // a program need not read it
	streams.Go(func() { r.watch(limits) })
	<-r.group.ended
	took := time.Since(begun)
	if r.group.left {
		r.box.log.Warn("processes of a sandbox could not be ended", "group", r.group.id)
	}
	held := time.AfterFunc(pipesTimeout, r.closePipes)
	streams.Wait()
	held.Stop()

	result := &Result{Level: Reduced, Files: memfs.FS{}, Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Truncated: stdout.Cut() || stderr.Cut()}
	state := r.cmd.ProcessState
	result.ExitCode = state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		result.Signal = signalName(int(status.Signal()))
	}
	result.Usage = Usage{Time: took, CPU: state.UserTime() + state.SystemTime(), Memory: mostMemory(state)}
	r.judge(result, limits)
	if r.reason.Load() == nil {
		result.Files, result.Left = r.folder.take(limits)
	}
	return result
}

// stop ends everything at once. The first reason counts.
func (r *reduced) stop(why Reason) {
	if r.reason.CompareAndSwap(nil, &why) {
		r.group.kill()
	}
}

// judge finds out why a program ended.
func (r *reduced) judge(result *Result, limits Limits) {
	counted := r.used(result)
	if why := r.reason.Load(); why != nil {
		result.Reason = *why
		result.ExitCode, result.Signal = -1, "SIGKILL"
		return
	}
	if result.ExitCode == 0 {
		return
	}
	if result.Reason = counted; result.Reason == "" && outOfCPU(result, limits) {
		result.Reason = CPU
	}
}

func (r *reduced) closePipes() {
	for _, f := range []*os.File{r.stdin, r.stdout, r.stderr} {
		if f != nil {
			f.Close()
		}
	}
}
