package wasm

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"

	"helve/sandbox"
)

// Options say how a Runtime runs modules. The zero value is the default.
type Options struct {
	// CacheDir is a folder for compiled modules, made if it is not there; without it they
	// are compiled anew by each process. It must be of this user alone: see [New].
	CacheDir string

	// Limits are those of a run that says nothing else; zero fields are as in
	// [sandbox.DefaultLimits].
	Limits sandbox.Limits

	// Log gets a record of each run (what was run, how, and why it ended), at level Info.
	// Without it, [slog.Default] does.
	Log *slog.Logger
}

// Runtime runs modules. It keeps those that it compiled, as far as they fit, and is safe for
// concurrent use.
type Runtime struct {
	limits sandbox.Limits
	log    *slog.Logger
	cache  *cache

	stop    context.CancelFunc
	stopped context.Context

	mu     sync.Mutex // of closed, and of adding to runs
	closed bool
	runs   sync.WaitGroup
}

var _ sandbox.Runner = (*Runtime)(nil)

var errClosed = errors.New("wasm: the runtime is closed")

// New returns a Runtime. ctx is for New alone.
//
// What is in CacheDir is machine code that this process will jump into, so New wants it to
// be a folder that this user owns and nobody else may even read (mode 0700), below folders
// that nobody but this user and root can rename it in. Anything else is an error; without a
// CacheDir there is no such question. What an entry holds is checked against its SHA-256
// each time before it is used, and compiled anew where that is not right: a disk makes
// errors, and wazero looks at a part only. That sum is no defence against this user's other
// programs, which could as well replace helve; a guest has no way there.
func New(ctx context.Context, o Options) (*Runtime, error) {
	var d *disk
	if o.CacheDir != "" {
		var err error
		if d, err = openDisk(o.CacheDir); err != nil {
			return nil, err
		}
	}
	stopped, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Runtime{
		limits:  o.Limits.Or(sandbox.DefaultLimits()),
		log:     cmp.Or(o.Log, slog.Default()),
		stop:    stop,
		stopped: stopped,
	}
	var err error
	if r.cache, err = newCache(stopped, d, r.log); err != nil {
		stop()
		return nil, err
	}
	return r, nil
}

// Close stops the runs that go on, as if their contexts ended, waits for them, and lets go
// of what was compiled.
func (r *Runtime) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	r.runs.Wait()
	r.cache.close()
	return nil
}

// Run makes Runtime a [sandbox.Runner]. Args[0] names the module among the Spec's files, as
// a path below /work. An error is an [sandbox.ErrSpec], an
// [sandbox.ErrExec] or that of ctx, and means that nothing ran; that the module had to be
// compiled first does not count in Limits.Time.
func (r *Runtime) Run(ctx context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	if !r.begin() {
		return nil, errClosed
	}
	defer r.runs.Done()
	limits := spec.Limits.Or(r.limits)
	data, err := check(spec, limits)
	var result *sandbox.Result
	if err == nil {
		result, err = r.compiled(ctx, spec, limits, data)
	}
	sandbox.Audit(ctx, r.log, sandbox.WASM, spec, limits, result, err)
	return result, err
}

func (r *Runtime) compiled(ctx context.Context, spec sandbox.Spec, limits sandbox.Limits, module []byte) (*sandbox.Result, error) {
	code, err := r.cache.get(ctx, module)
	if err != nil {
		return nil, err
	}
	defer r.cache.put(code)
	return r.run(ctx, spec, limits, code)
}

func (r *Runtime) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.runs.Add(1)
	return true
}
