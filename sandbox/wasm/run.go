package wasm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/sys"

	"helve/internal/excerpt"
	"helve/sandbox"
	"helve/sandbox/internal/memfs"
)

// aborted is the exit code of a guest that trapped: that of a program which SIGABRT ended.
const aborted = 128 + 6

// errTime is why a guest is stopped whose time is up.
var errTime = errors.New("out of time")

// run runs a module to its end.
func (r *Runtime) run(ctx context.Context, spec sandbox.Spec, limits sandbox.Limits, code *compiled) (*sandbox.Result, error) {
	mem := &memory{limit: uint64(limits.Memory) / page * page}
	if need := uint64(code.pages) * page; need > mem.limit {
		return nil, specError("the module begins with %d bytes of memory; the limit is %d", need, limits.Memory)
	}
	files := newTree(limits.Work, limits.Temp, limits.FileSize, now)
	unmount, err := files.mountAll(spec.ReadOnly)
	if err != nil {
		return nil, err
	}
	defer unmount()
	files.fill(spec.Files, moduleName(spec.Args[0]))

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(r.stopped, func() { stop(errClosed) })()
	ctx, cancel := context.WithTimeoutCause(ctx, limits.Time, errTime)
	defer cancel()
	out := newOutput(limits, stop)

	began := time.Now()
	exit, trap := r.call(ctx, code, configOf(ctx, spec, files, out), files, mem)
	took := time.Since(began)
	files.closeAll()

	result := &sandbox.Result{
		ExitCode: exit,
		Reason:   reasonOf(ctx, exit, mem),
		Usage:    sandbox.Usage{Time: took, Memory: int64(len(mem.data))},
		Level:    sandbox.WASM,
		Files:    memfs.FS{},
	}
	if trap != "" {
		out.stderr.Add([]byte(trap))
	}
	if result.Reason == "" {
		result.Files, result.Left = files.taken(limits)
	} else if result.Reason != sandbox.Memory {
		result.ExitCode = -1
	}
	result.Stdout, result.Stderr = out.stdout.Bytes(), out.stderr.Bytes()
	result.Truncated = out.stdout.Cut() || out.stderr.Cut()
	return result, nil
}

func configOf(ctx context.Context, spec sandbox.Spec, files *tree, out *output) wazero.ModuleConfig {
	config := wazero.NewModuleConfig().
		WithName("").
		WithStartFunctions().
		WithArgs(spec.Args...).
		WithStdin(bytes.NewReader(spec.Stdin)).
		WithStdout(&out.stdout).
		WithStderr(&out.stderr).
		WithFSConfig(wazero.NewFSConfig().(sysfs.FSConfig).WithSysFSMount(treeFS{tree: files}, "/"))
	env := map[string]string{"HOME": "/work", "PWD": "/work", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}
	maps.Copy(env, spec.Env)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		config = config.WithEnv(name, env[name])
	}
	return withClocks(ctx, config)
}

// stopped is the exit code of a guest that did not end by itself, until its reason is found.
const stopped = -1

// call starts the module and waits for its end: an exit code, and the text of a trap.
func (r *Runtime) call(ctx context.Context, code *compiled, config wazero.ModuleConfig, files *tree, mem *memory) (exit int, trap string) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("wasm: a run panicked", "digest", code.digest, "panic", p)
			exit, trap = aborted, "the module can't be run\n"
		}
	}()
	inside := context.WithValue(experimental.WithMemoryAllocator(ctx, mem), treeKey{}, files)
	guest, err := code.runtime.InstantiateModule(inside, code.code, config)
	if err == nil {
		defer guest.Close(context.WithoutCancel(ctx))
		_, err = guest.ExportedFunction("_start").Call(inside)
	}
	var ended *sys.ExitError
	switch {
	case err == nil:
		return 0, ""
	case !errors.As(err, &ended):
		return aborted, r.trapText(code, err)
	case ctx.Err() != nil && (ended.ExitCode() == sys.ExitCodeContextCanceled || ended.ExitCode() == sys.ExitCodeDeadlineExceeded):
		return stopped, ""
	}
	return int(ended.ExitCode() & 0xff), ""
}

// trapText is what a guest's author can use of a trap. What wazero adds for us, of this
// process, goes to the log.
func (r *Runtime) trapText(code *compiled, err error) string {
	text := err.Error()
	if head, _, ours := strings.Cut(text, "(recovered by wazero)"); ours {
		r.log.Error("wasm: a function of the host panicked", "digest", code.digest, "error", excerpt.Head(text, 4000))
		text = strings.TrimSpace(head)
	}
	return excerpt.Head(text, 4000) + "\n"
}

// reasonOf is why a guest was stopped. One whose memory could not grow, and that failed,
// failed for that: there is no more that a runtime can tell its host.
func reasonOf(ctx context.Context, exit int, mem *memory) sandbox.Reason {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errOutput):
		return sandbox.Output // also if it ended by itself at the call that failed
	case exit == stopped && errors.Is(cause, errTime):
		return sandbox.Timeout
	case exit == stopped:
		return sandbox.Canceled
	case exit != 0 && mem.refused:
		return sandbox.Memory
	}
	return ""
}

// fill puts files into /work. Their data is not copied before it is written to. There is
// room: [check] saw to it.
func (t *tree) fill(files []sandbox.File, module string) {
	for _, f := range files {
		if f.Name == module {
			continue
		}
		parent := t.work
		parts := strings.Split(f.Name, "/")
		for _, part := range parts[:len(parts)-1] {
			if parent.children[part] == nil {
				parent.put(part, t.newFolder(t.work.area))
				t.work.area.nodes--
			}
			parent = parent.children[part]
		}
		n := t.newNode(t.work.area)
		n.data, n.borrowed, n.origin = f.Data, true, f.Name
		n.executable = f.Mode&0o111 != 0
		parent.put(parts[len(parts)-1], n)
		n.area.nodes--
		n.area.bytes -= int64(len(f.Data))
	}
}

// taken are the files that are new, changed or moved, as far as the limits go.
func (t *tree) taken(limits sandbox.Limits) (memfs.FS, []string) {
	files, left := memfs.FS{}, []string(nil)
	bytes := limits.FileBytes
	var walk func(dir string, n *node)
	walk = func(dir string, n *node) {
		for _, name := range n.sorted() {
			child, at := n.children[name], path.Join(dir, name)
			switch size := int64(len(child.data)); {
			case child.folder():
				walk(at, child)
			case !child.changed && child.origin == at:
			case len(files) >= limits.Files:
				left = append(left, fmt.Sprintf("%s: there are more than %d files", at, limits.Files))
			case size > bytes:
				left = append(left, fmt.Sprintf("%s: its %d bytes are more than what is left of %d", at, size, limits.FileBytes))
			default:
				bytes -= size
				child.own() // one that was moved only has the caller's data
				files[at] = memfs.File{Data: slices.Clip(child.data), Exec: child.executable}
			}
		}
	}
	walk("", t.work)
	return files, left
}

// closeAll closes what a guest left open.
func (t *tree) closeAll() {
	for f := range t.open {
		f.Close()
	}
}
