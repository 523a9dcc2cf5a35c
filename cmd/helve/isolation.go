package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"helve/sandbox"
	"helve/sandbox/wasm"
)

// isolation is what programs of others run in. It is made when the first of them is to
// run: most runs of helve need none.
type isolation struct {
	once   sync.Once
	runner isolated
	err    error
}

type isolated interface {
	sandbox.Runner
	io.Closer
}

// get makes it by start, and returns the same each time, also the error.
func (i *isolation) get(start func() (isolated, error)) (sandbox.Runner, error) {
	i.once.Do(func() { i.runner, i.err = start() })
	return i.runner, i.err
}

func (i *isolation) close() {
	i.once.Do(func() { i.err = errors.New("helve is ending") })
	if i.err == nil {
		_ = i.runner.Close() // nothing is in it that must be kept
	}
}

// programs is the sandbox of this process.
func (a *app) programs() (sandbox.Runner, error) {
	return a.box.get(func() (isolated, error) {
		o := sandbox.Options{Log: a.logger()}
		if s := a.boxSettings.Load(); s != nil {
			o.Level, o.Warm, o.Limits.Time = sandbox.Level(s.Sandbox.Level), s.Sandbox.Warm, s.Timeout
		}
		box, err := sandbox.New(o)
		if err != nil {
			return nil, err
		}
		return box, nil
	})
}

// modules is what WebAssembly modules run in. Where what was compiled can't be kept, they
// run all the same, and are compiled each time.
func (a *app) modules() (sandbox.Runner, error) {
	return a.wasm.get(func() (isolated, error) {
		o := wasm.Options{CacheDir: below(xdg("XDG_CACHE_HOME", ".cache"), "wasm"), Log: a.logger()}
		if s := a.boxSettings.Load(); s != nil {
			o.Limits.Time = s.Timeout
		}
		runtime, err := wasm.New(context.Background(), o)
		if err != nil && o.CacheDir != "" {
			a.logger().Warn("WebAssembly modules are compiled at each start: " + err.Error())
			o.CacheDir = ""
			runtime, err = wasm.New(context.Background(), o)
		}
		if err != nil {
			return nil, err
		}
		return runtime, nil
	})
}

// late is a runner that is made when something is to run in it.
type late func() (sandbox.Runner, error)

// Run makes late a [sandbox.Runner].
func (l late) Run(ctx context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	runner, err := l()
	if err != nil {
		return nil, err
	}
	return runner.Run(ctx, spec)
}
