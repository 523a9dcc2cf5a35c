package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"helve/sandbox/internal/cgroup"
	"helve/sandbox/internal/wire"
)

// minReducedABI is the least of Landlock that is a wall without namespaces: it keeps
// signals, and the abstract sockets of the machine, away.
const minReducedABI = 6

// neighbours are the runs of one user for whose processes there is room. More than its own
// share, a run has until it is looked at.
const neighbours = 8

// platform is what Linux has for a reduced run.
type platform struct {
	user   int           // of the machine; 0 where it is the parent's own
	cgroup *cgroup.Group // nil where there are none
	config *os.File      // to the launcher
	status *os.File      // from it
}

func (r *reduced) user() int { return r.platform.user }

// look says what a run has too much of. Of version 1 of cgroups, the kernel kills one
// process of many, and the rest would go on without.
func (r *reduced) look(limits Limits) Reason {
	if r.platform.cgroup == nil {
		return r.group.look(limits)
	}
	if used, err := r.platform.cgroup.Usage(); err == nil && used.OutOfMemory {
		return Memory
	}
	return ""
}

// tryReduced runs nothing, in all that a run would have.
func (s *Sandbox) tryReduced() error {
	_, err := s.runReduced(context.Background(), Spec{Args: []string{"/"}}, s.options.Limits)
	if !errors.Is(err, ErrExec) { // a folder is no program
		return cmp.Or(err, error(&UnavailableError{Stage: "try"}))
	}
	return nil
}

// prepare gets what a run has from its Sandbox. Where it succeeds, release gives it back.
func (r *reduced) prepare(ctx context.Context) (err error) {
	p := &r.platform
	if r.box.machine.users != nil {
		select {
		case p.user = <-r.box.machine.users:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if r.box.machine.cgroups.Version != 0 {
		if p.cgroup, err = r.box.machine.cgroups.New(); err != nil {
			r.release()
			return &UnavailableError{Stage: "make a cgroup", Errno: errnoOf(err), Hint: err.Error()}
		}
	}
	return nil
}

func (r *reduced) release() {
	p := &r.platform
	for _, f := range []*os.File{p.config, p.status} {
		if f != nil {
			f.Close()
		}
	}
	if p.cgroup != nil {
		if err := errors.Join(p.cgroup.Kill(), p.cgroup.Remove()); err != nil {
			r.box.log.Warn("a cgroup of a sandbox could not be removed", "error", err)
		}
	}
	if p.user != 0 {
		r.box.machine.users <- p.user
	}
}

// command is the launcher, which becomes the program.
func (r *reduced) command(Spec, Limits) (*exec.Cmd, error) {
	config, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r.platform.config = ours
	status, theirs, err := os.Pipe()
	if err != nil {
		config.Close()
		return nil, err
	}
	r.platform.status = status
	cmd := &exec.Cmd{
		Path:       "/proc/self/exe",
		Args:       []string{wire.Marker},
		Env:        []string{"GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1"},
		Dir:        "/",
		ExtraFiles: []*os.File{config, theirs},
		SysProcAttr: &syscall.SysProcAttr{
			Setsid:    true, // no terminal, and a group of its own
			Pdeathsig: syscall.SIGKILL,
		},
	}
	if user := uint32(r.platform.user); user != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: user}
	}
	return cmd, nil
}

// begin tells the launcher what to run, and waits until that runs.
func (r *reduced) begin(spec Spec, limits Limits) error {
	p := &r.platform
	run := wire.Run{
		Args: spec.Args, Env: reducedEnvironment(r.folder.path, spec.Env),
		CPU: int64((limits.CPU + time.Second - 1) / time.Second), FileSize: limits.FileSize,
		Processes: int64(limits.Processes),
	}
	if p.user == 0 { // those of the user's other programs count too, and of other runs
		run.Processes = int64(census(0, os.Geteuid()).user + neighbours*limits.Processes)
	}
	if p.cgroup == nil {
		run.Data = limits.Memory
	} else {
		err := p.cgroup.Add(r.group.id)
		if err == nil {
			err = p.cgroup.Limit(limits.Memory, limits.Processes+launcherTasks)
		}
		if err != nil {
			return &UnavailableError{Stage: "limit the cgroup", Errno: errnoOf(err), Hint: err.Error()}
		}
	}
	base := wire.Base{MinABI: minReducedABI, Reduced: r.folder.path}
	for _, m := range spec.ReadOnly {
		base.Mounts = append(base.Mounts, wire.Mount{Source: m.Source, Target: m.At()})
	}
	var out bytes.Buffer
	if err := errors.Join(wire.WriteJSON(&out, wire.KindBase, base), wire.WriteJSON(&out, wire.KindRun, run)); err != nil {
		return specError("%v", err)
	}
	if _, err := p.config.Write(out.Bytes()); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return p.begun()
}

// begun waits for the program to take the launcher's place, with which the status ends.
func (p *platform) begun() error {
	for _, wanted := range []wire.Kind{wire.KindWaiting, wire.KindStarted} {
		kind, payload, err := wire.Read(p.status)
		if err != nil {
			return &UnavailableError{Stage: "start the launcher", Hint: "it ended without a word: this program must be able to start itself again, so its file must be readable and executable by every user, and nothing in an init function may end it"}
		}
		if kind != wanted {
			return reducedRefusal(kind, payload)
		}
	}
	kind, payload, err := wire.Read(p.status)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return refusal(kind, payload)
}

// reducedRefusal has the hints that are other ones here.
func reducedRefusal(kind wire.Kind, payload []byte) error {
	err := refusal(kind, payload)
	var f wire.Failure
	var e *UnavailableError
	if errors.As(err, &e) && json.Unmarshal(payload, &f) == nil && f.Stage == "landlock" {
		e.Hint = "without namespaces the kernel needs Landlock in its sixth version at least (Linux 6.12), and \"landlock\" in its lsm= list"
	}
	return err
}

// used reads what the cgroup counted, and what it ended the run for.
func (r *reduced) used(result *Result) Reason {
	if r.platform.cgroup == nil {
		return ""
	}
	used, err := r.platform.cgroup.Usage()
	if err != nil {
		r.box.log.Warn("what a sandbox used is not known", "error", err)
	}
	result.Usage.Memory = max(result.Usage.Memory, used.Memory)
	switch {
	case used.OutOfMemory:
		return Memory
	case used.TooManyProcesses:
		return Processes
	}
	return ""
}

// mostMemory is the most that one process had.
func mostMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) << 10
	}
	return 0
}
