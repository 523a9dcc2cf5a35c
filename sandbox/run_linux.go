package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"helve/sandbox/internal/memfs"
	"helve/sandbox/internal/seccomp"
	"helve/sandbox/internal/wire"
)

// try runs nothing, in all that a run would have.
func (s *Sandbox) try() error {
	if s.level == Reduced {
		return s.tryReduced()
	}
	l, err := s.launch(context.Background(), nil)
	if err != nil {
		return err
	}
	defer l.close()
	if err := l.await(context.Background()); err != nil {
		return err
	}
	if err := l.send(Spec{Args: []string{"/"}}, s.options.Limits); err != nil {
		return err
	}
	if err := l.started(); !errors.Is(err, ErrExec) { // a folder is no program
		return cmp.Or(err, error(&UnavailableError{Stage: "try"}))
	}
	return nil
}

func (s *Sandbox) run(ctx context.Context, spec Spec, limits Limits) (*Result, error) {
	if s.level == Reduced {
		return s.runReduced(ctx, spec, limits)
	}
	l, err := s.ready(ctx, spec.ReadOnly)
	if err != nil {
		return nil, err
	}
	defer s.machine.warm.fill(s)
	defer l.close()
	defer context.AfterFunc(ctx, func() { l.stop(Canceled) })()
	return l.run(ctx, spec, limits)
}

// ready returns a launcher that awaits a run.
func (s *Sandbox) ready(ctx context.Context, mounts []Mount) (*launch, error) {
	if len(mounts) == 0 {
		if l := s.machine.warm.take(); l != nil {
			return l, nil
		}
	}
	l, err := s.launch(ctx, mounts)
	if err != nil {
		return nil, err
	}
	if err := l.await(ctx); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// run has a launcher run a program.
func (l *launch) run(ctx context.Context, spec Spec, limits Limits) (*Result, error) {
	l.begun = time.Now()
	late := time.AfterFunc(limits.Time, func() { l.stop(Timeout) })
	defer late.Stop()
	stdout, stderr := collectors(limits, func() { l.stop(Output) })
	var streams sync.WaitGroup
	streams.Go(func() { stdout.readAll(l.stdout) })
	streams.Go(func() { stderr.readAll(l.stderr) })
	streams.Go(func() { _, _ = l.stdin.Write(spec.Stdin); l.stdin.Close() }) // a program need not read it
	defer streams.Wait()                                                     // each ends with the program
	defer l.close()

	err := l.send(spec, limits)
	if err == nil {
		err = l.started()
	}
	if err != nil && l.reason.Load() == nil { // else it was stopped before it said that it had begun
		return nil, l.silent(err)
	}
	watching, watched := context.WithCancel(ctx)
	defer watched()
	streams.Go(func() { l.watch(watching, limits.Memory) })
	r := &Result{ExitCode: -1, Signal: "SIGKILL", Level: l.box.level}
	l.follow(r, limits, func() { late.Stop() })
	watched()
	l.end()
	streams.Wait() // what was printed last is still to be read
	l.close()
	r.Stdout, r.Stderr, r.Truncated = stdout.Bytes(), stderr.Bytes(), stdout.Cut() || stderr.Cut()
	l.judge(r, limits)
	return r, nil
}

// send sends the run and its files.
func (l *launch) send(spec Spec, limits Limits) error {
	run := wire.Run{
		Args: spec.Args, Env: environment(spec.Env),
		CPU: int64((limits.CPU + time.Second - 1) / time.Second), Processes: int64(limits.Processes),
		FileSize: limits.FileSize, Work: limits.Work, Temp: limits.Temp,
		Filter: filter(l.group != nil), TakeFiles: limits.Files, TakeBytes: limits.FileBytes,
	}
	if l.group == nil {
		run.Data = limits.Memory
	} else if err := l.group.Limit(limits.Memory+launcherMemory, limits.Processes+launcherTasks); err != nil {
		return &UnavailableError{Stage: "limit the cgroup", Errno: errnoOf(err), Hint: err.Error()}
	}
	for _, f := range spec.Files {
		run.Files = append(run.Files, wire.File{Name: f.Name, Exec: f.Mode&0o111 != 0, Size: int64(len(f.Data))})
	}
	var out bytes.Buffer
	if err := wire.WriteJSON(&out, wire.KindRun, run); err != nil {
		return specError("%v", err)
	}
	if _, err := l.config.Write(out.Bytes()); err != nil {
		return err
	}
	for _, f := range spec.Files {
		for chunk := range slices.Chunk(f.Data, wire.Chunk) {
			if err := wire.Write(l.config, wire.KindData, chunk); err != nil {
				return err
			}
		}
	}
	return nil
}

// filter is the program that decides about system calls, made once for all runs: a launcher
// would need half of its time for it.
func filter(counted bool) []byte {
	if counted {
		return filterCounted()
	}
	return filterAlone()
}

var (
	filterCounted = sync.OnceValue(func() []byte { return seccomp.Encode(seccomp.Filter(seccomp.Options{Memory: true})) })
	filterAlone   = sync.OnceValue(func() []byte { return seccomp.Encode(seccomp.Filter(seccomp.Options{})) })
)

// What the launcher itself has in a cgroup, which the program's limits leave out.
const (
	launcherTasks  = 16
	launcherMemory = 32 << 20
)

// started waits until the program runs.
func (l *launch) started() error {
	kind, payload, err := wire.Read(l.status)
	switch {
	case err != nil:
		return l.silent(err)
	case kind == wire.KindStarted:
		return nil
	}
	return refusal(kind, payload)
}

// follow reads what becomes of a program into r, until the launcher is done, and calls ended
// when the program has: what is left to do is not its time. Files count only where all came.
func (l *launch) follow(r *Result, limits Limits, ended func()) {
	r.Files = memfs.FS{}
	files, left := memfs.FS{}, []string(nil)
	var open wire.File // whose data comes
	var bytes int64
	for {
		kind, payload, err := wire.Read(l.status)
		if err != nil || kind == wire.KindFailed {
			if r.Usage.Time > 0 && l.reason.Load() == nil {
				r.Left = []string{"all files: what the program made could not be taken out"}
			}
			return
		}
		switch kind {
		case wire.KindEnded:
			ended()
			var e wire.Ended
			if json.Unmarshal(payload, &e) == nil {
				r.ExitCode, r.Signal = e.Exit, signalName(e.Signal)
				r.Usage = Usage{Time: max(time.Duration(e.Time)*time.Microsecond, 1), CPU: time.Duration(e.CPU) * time.Microsecond, Memory: e.RSS}
			}
		case wire.KindFile:
			if json.Unmarshal(payload, &open) == nil && len(files) < limits.Files {
				files[open.Name] = memfs.File{Exec: open.Exec}
			}
		case wire.KindData:
			if bytes += int64(len(payload)); bytes > limits.FileBytes {
				return // the launcher keeps to it; this is for one that does not
			}
			f := files[open.Name]
			f.Data = append(f.Data, payload...)
			files[open.Name] = f
		case wire.KindLeft:
			left = append(left, string(payload))
		case wire.KindDone:
			r.Files, r.Left = files, left
			return
		}
	}
}

// judge finds out why a program ended.
func (l *launch) judge(r *Result, limits Limits) {
	used := l.used
	r.Usage.Memory = max(r.Usage.Memory, used.Memory)
	if r.Usage.Time == 0 { // the launcher was stopped with it, and said nothing
		r.Usage.Time, r.Usage.CPU = time.Since(l.begun), l.spent
	}
	if why := l.reason.Load(); why != nil {
		r.Reason = *why
		r.ExitCode, r.Signal = -1, "SIGKILL"
		r.Files, r.Left = memfs.FS{}, nil
		return
	}
	switch {
	case r.ExitCode == 0:
	case used.OutOfMemory:
		r.Reason = Memory
	case outOfCPU(r, limits):
		r.Reason = CPU
	case used.TooManyProcesses:
		r.Reason = Processes
	}
}
