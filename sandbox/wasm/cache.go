package wasm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"helve/sandbox"
)

// Bounds of what is kept of modules that nobody runs. A module's machine code takes about
// four times its size.
const (
	mostKept      = 32
	mostKeptBytes = 64 << 20 // of modules
	mostAtOnce    = 2        // that are being compiled
)

// compiled is a module that can be run.
type compiled struct {
	digest string // of the module as it was given
	size   int

	ready   chan struct{} // closed once the rest is there
	err     error
	runtime wazero.Runtime
	backing wazero.CompilationCache
	code    wazero.CompiledModule
	pages   uint32

	users int    // runs, and whoever compiles it
	used  uint64 // when, by the cache's count
}

// cache holds the compiled modules by their digest. Each has a wazero runtime of its own, so
// that it can be let go of without the others.
type cache struct {
	ctx     context.Context // ends what is being compiled
	disk    *disk           // or nil
	log     *slog.Logger
	offered map[string]api.FunctionDefinition
	slots   chan struct{}

	mu        sync.Mutex
	modules   map[string]*compiled
	count     uint64
	compiling sync.WaitGroup
}

func newCache(ctx context.Context, d *disk, log *slog.Logger) (*cache, error) {
	c := &cache{ctx: ctx, disk: d, log: log, slots: make(chan struct{}, mostAtOnce), modules: map[string]*compiled{}}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	host, err := compileHost(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("wasm: %w", err)
	}
	c.offered = host.ExportedFunctions()
	return c, nil
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// get returns a module to run, which is the caller's until it is put back. Who asks for one
// that is being compiled waits for it; who no longer waits does not stop the others.
func (c *cache) get(ctx context.Context, data []byte) (*compiled, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := c.begin(digestOf(data), data)
	select {
	case <-m.ready:
	case <-ctx.Done():
		c.put(m)
		return nil, ctx.Err()
	}
	if m.err != nil {
		c.put(m)
		return nil, m.err
	}
	return m, nil
}

func (c *cache) begin(digest string, data []byte) *compiled {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if m := c.modules[digest]; m != nil {
		m.users++
		m.used = c.count
		return m
	}
	m := &compiled{digest: digest, size: len(data), ready: make(chan struct{}), users: 2, used: c.count}
	c.modules[digest] = m
	data = bytes.Clone(data) // whoever gave it may be gone before it is compiled
	c.compiling.Go(func() {
		m.err = c.compile(m, data)
		c.mu.Lock()
		if m.err != nil {
			delete(c.modules, digest) // it may be another day's luck
		}
		c.mu.Unlock()
		close(m.ready)
		c.put(m)
	})
	return m
}

// put gives a module back, and lets go of what is too much.
func (c *cache) put(m *compiled) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m.users--
	idle := make([]*compiled, 0, len(c.modules))
	size := 0
	for _, m := range c.modules {
		if m.users == 0 {
			idle = append(idle, m)
			size += m.size
		}
	}
	slices.SortFunc(idle, func(a, b *compiled) int { return cmp.Compare(a.used, b.used) })
	for len(idle) > mostKept || size > mostKeptBytes && len(idle) > 1 {
		idle[0].close()
		delete(c.modules, idle[0].digest)
		size -= idle[0].size
		idle = idle[1:]
	}
}

// close waits for what is being compiled, and lets go of all. Nothing may be running.
func (c *cache) close() {
	c.compiling.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.modules {
		m.close()
	}
	clear(c.modules)
}

func (m *compiled) close() {
	ctx := context.Background()
	if m.runtime != nil {
		m.runtime.Close(ctx)
	}
	if m.backing != nil {
		m.backing.Close(ctx)
	}
}

// compile does the work. A compiler that panics at what nobody vouches for has refused it.
func (c *cache) compile(m *compiled, data []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("wasm: the compiler panicked", "digest", m.digest, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: the compiler can't read the module", sandbox.ErrExec)
		}
		if err != nil {
			m.close()
		}
	}()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-c.ctx.Done():
		return errClosed
	}
	read, err := readModule(data, c.offered)
	if err != nil {
		return err
	}
	m.pages = read.pages
	keep := func() {}
	if c.disk != nil {
		m.backing, keep = c.disk.open(digestOf(read.code), c.log)
	}
	if m.backing == nil {
		m.backing = wazero.NewCompilationCache()
	}
	m.runtime = wazero.NewRuntimeWithConfig(c.ctx, wazero.NewRuntimeConfig().
		WithCompilationCache(m.backing).
		WithCloseOnContextDone(true).
		WithCoreFeatures(api.CoreFeaturesV2).
		WithDebugInfoEnabled(false))
	host, err := compileHost(c.ctx, m.runtime)
	if err != nil {
		return fmt.Errorf("wasm: %w", err)
	}
	if _, err := m.runtime.InstantiateModule(c.ctx, host, wazero.NewModuleConfig()); err != nil {
		return fmt.Errorf("wasm: %w", err)
	}
	// With more than one worker the compiler looks at the context in between.
	ctx := experimental.WithCompilationWorkers(c.ctx, max(2, runtime.GOMAXPROCS(0)))
	if m.code, err = m.runtime.CompileModule(ctx, read.code); err != nil {
		if c.ctx.Err() != nil {
			return errClosed
		}
		return fmt.Errorf("%w: the module is not valid: %w", sandbox.ErrExec, err)
	}
	if err := c.fits(m.code); err != nil {
		return err
	}
	keep()
	return nil
}

// fits looks whether the functions that a module imports and exports are what they should
// be, so that starting it can only fail for what it does.
func (c *cache) fits(code wazero.CompiledModule) error {
	for _, f := range code.ImportedFunctions() {
		_, name, _ := f.Import()
		if have := c.offered[name]; !sameType(f, have.ParamTypes(), have.ResultTypes()) {
			return fmt.Errorf("%w: the module imports the function %s with other parameters or results than %s has", sandbox.ErrExec, name, wasi)
		}
	}
	if !sameType(code.ExportedFunctions()["_start"], nil, nil) {
		return fmt.Errorf("%w: the module's function _start has parameters or results", sandbox.ErrExec)
	}
	return nil
}

func sameType(f api.FunctionDefinition, params, results []api.ValueType) bool {
	return slices.Equal(f.ParamTypes(), params) && slices.Equal(f.ResultTypes(), results)
}
