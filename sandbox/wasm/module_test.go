package wasm

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"helve/sandbox"
)

func TestWhatCantBeRun(t *testing.T) {
	t.Parallel()
	ok := exits(0)
	for name, test := range map[string]struct {
		spec sandbox.Spec
		kind error
		want string
	}{
		"nothing":           {sandbox.Spec{}, sandbox.ErrSpec, "there is no module"},
		"a program":         {sandbox.Spec{Args: []string{"python3"}}, sandbox.ErrExec, `no file "python3"`},
		"not given":         {sandbox.Spec{Args: []string{"./x.wasm"}}, sandbox.ErrExec, `no file "x.wasm"`},
		"above":             {files("../x.wasm", ""), sandbox.ErrSpec, "without . and .."},
		"twice":             {files("x.wasm", "", "x.wasm", ""), sandbox.ErrSpec, "given twice"},
		"file and folder":   {files("x.wasm", "", "x.wasm/y", ""), sandbox.ErrSpec, "as the folder"},
		"too much":          {sandbox.Spec{Args: []string{"x.wasm"}, Files: files("x", "12345").Files, Limits: sandbox.Limits{Work: 4}}, sandbox.ErrSpec, "/work has 4"},
		"a bad limit":       {sandbox.Spec{Args: []string{"x.wasm"}, Limits: sandbox.Limits{Time: -1}}, sandbox.ErrSpec, "negative"},
		"a zero byte":       {sandbox.Spec{Args: []string{"x.wasm", "\x00"}}, sandbox.ErrSpec, "zero byte"},
		"a bad variable":    {sandbox.Spec{Args: []string{"x.wasm"}, Env: map[string]string{"a=b": ""}}, sandbox.ErrSpec, "environment"},
		"a relative mount":  {sandbox.Spec{Args: []string{"x.wasm"}, ReadOnly: []sandbox.Mount{{Source: "x"}}}, sandbox.ErrSpec, "absolute"},
		"a mount in work":   {sandbox.Spec{Args: []string{"x.wasm"}, ReadOnly: []sandbox.Mount{{Source: "/etc", Target: "/work/etc"}}}, sandbox.ErrSpec, `"/work" is there`},
		"a mount of root":   {sandbox.Spec{Args: []string{"x.wasm"}, ReadOnly: []sandbox.Mount{{Source: "/"}}}, sandbox.ErrSpec, "clean absolute"},
		"text":              {files("x.wasm", "#!/bin/sh"), sandbox.ErrExec, "no WebAssembly module"},
		"a component":       {files("x.wasm", "\x00asm\x0d\x00\x01\x00"), sandbox.ErrExec, "wasip1"},
		"too large":         {files("x.wasm", string(append(bytes.Clone(magic), make([]byte, mostModule)...))), sandbox.ErrSpec, "at most"},
		"a library":         {files("x.wasm", string(magic)), sandbox.ErrExec, "_start"},
		"half of one":       {files("x.wasm", string(ok[:len(ok)-4])), sandbox.ErrExec, "in the middle"},
		"a foreign import":  {files("x.wasm", strings.Replace(string(ok), "wasi_snapshot_preview1", "wasi_snapshot_preview9", 1)), sandbox.ErrExec, `from "wasi_snapshot_preview9"`},
		"no such function":  {files("x.wasm", strings.Replace(string(ok), "proc_exit", "proc_fork", 1)), sandbox.ErrExec, `"proc_fork"`},
		"another signature": {files("x.wasm", string(small(imported("proc_exit", 2), nil))), sandbox.ErrExec, "other parameters"},
		"invalid code":      {files("x.wasm", string(small(nil, nil, 0x10, 9))), sandbox.ErrExec, "not valid"},
		"a large table":     {files("x.wasm", string(small(nil, section(4, 1, 0x70, 0, 0xff, 0xff, 0xff, 0x7f)))), sandbox.ErrExec, "elements"},
		"a bomb of types":   {files("x.wasm", string(join(magic, section(1, 0xff, 0xff, 0xff, 0xff, 0x0f)))), sandbox.ErrExec, "announced"},
		"a bomb of locals":  {files("x.wasm", string(join(magic, section(10, 1, 7, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f)))), sandbox.ErrExec, "locals"},
		"a bomb of names":   {files("x.wasm", string(join(magic, section(7, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0)))), sandbox.ErrExec, "in the middle"},
		"much memory":       {sandbox.Spec{Args: []string{"x.wasm"}, Files: files("x.wasm", string(exits(0))).Files, Limits: sandbox.Limits{Memory: 1}}, sandbox.ErrSpec, "of memory; the limit is 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.spec.Args == nil && test.spec.Files != nil {
				test.spec.Args = []string{"x.wasm"}
			}
			_, err := box.Run(t.Context(), test.spec)
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A guest's memory is limited; its tables are of this process's memory too.
func TestATableDoesNotGrowForEver(t *testing.T) {
	t.Parallel()
	// table.grow by 16 million, and exit with 1 if that is not refused: i32.eq 4294967295.
	body := []byte{0xd0, 0x70, 0x41, 0x80, 0x80, 0x80, 0x08, 0xfc, 15, 0, 0x41, 0x7f, 0x47, 0x10, 0}
	m := small(imported("proc_exit", 1), section(4, 1, 0x70, 0, 1), body...)
	if r := tryModule(t, m); r.ExitCode != 0 || r.Reason != "" {
		t.Errorf("%+v %s", r, r.Stderr)
	}
}

func TestATrapIsAResult(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		module []byte
		want   string
	}{
		"unreachable": {small(nil, nil, 0), "unreachable"},
		"division":    {small(nil, nil, 0x41, 1, 0x41, 0, 0x6d, 0x1a), "divide by zero"},
		"recursion":   {small(nil, nil, 0x10, 0), "stack overflow"},
		"a bad address for the host": {
			// poll_oneoff of 2^28 subscriptions, of which the size is 0 modulo 2^32.
			small(imported("poll_oneoff", 3), nil, 0x41, 0, 0x41, 0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x01, 0x41, 0, 0x10, 0, 0x1a),
			"index out of range",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := tryModule(t, test.module)
			if r.ExitCode != 134 || r.Reason != "" || !strings.Contains(string(r.Stderr), test.want) {
				t.Errorf("%d %q %s", r.ExitCode, r.Reason, r.Stderr)
			}
			if strings.Contains(string(r.Stderr), "goroutine") || strings.Contains(string(r.Stderr), ".go:") {
				t.Errorf("it tells of this process: %s", r.Stderr)
			}
		})
	}
}

// A descriptor's number is an index of a table of wazero's.
func TestADescriptorCantHaveAnyNumber(t *testing.T) {
	t.Parallel()
	// exit(fd_renumber(3, 2147483647))
	imports := join([]byte{2}, imported("fd_renumber", 2)[1:], imported("proc_exit", 1)[1:])
	m := small(imports, nil, 0x41, 3, 0x41, 0xff, 0xff, 0xff, 0xff, 0x07, 0x10, 0, 0x10, 1)
	if r := tryModule(t, m); r.ExitCode != notSupported {
		t.Errorf("%+v", r)
	}
}

func tryModule(t *testing.T, m []byte) *sandbox.Result {
	t.Helper()
	spec := files("x.wasm", string(m))
	spec.Args = []string{"x.wasm"}
	r, err := box.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is read of a module is what it was, but for custom sections and the bounds of
// tables: read again it is the same, and the compiler takes both or none.
func FuzzReadModule(f *testing.F) {
	f.Add(exits(1))
	f.Add(spins)
	f.Add(small(nil, section(4, 2, 0x70, 0, 1, 0x6f, 1, 1, 2)))
	f.Add(join(magic, section(0, 4, 'n', 'a', 'm', 'e', 1)))
	f.Add(small(nil, join(section(4, 1, 0x70, 0, 2), section(6, 1, 0x7f, 0, 0x41, 1, 0x0b)), 1))
	f.Add(join(small(nil, nil), section(11, 1, 0, 0x41, 0, 0x0b, 2, 'h', 'i')))
	runtime := wazero.NewRuntimeWithConfig(f.Context(), wazero.NewRuntimeConfigInterpreter().WithMemoryLimitPages(mostPages))
	f.Cleanup(func() { runtime.Close(f.Context()) })
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := readModule(data, box.cache.offered)
		if err != nil {
			if !errors.Is(err, sandbox.ErrExec) && !errors.Is(err, sandbox.ErrSpec) {
				t.Fatal(err)
			}
			return
		}
		again, err := readModule(m.code, box.cache.offered)
		if err != nil || !bytes.Equal(again.code, m.code) {
			t.Fatalf("read again: %v\n%x\n%x", err, m.code, again.code)
		}
		compiled, err := runtime.CompileModule(t.Context(), m.code)
		if err == nil {
			compiled.Close(t.Context())
		}
	})
}

func TestTheGuestIsReadWhole(t *testing.T) {
	t.Parallel()
	m, err := readModule(guest, box.cache.offered)
	if err != nil || len(m.code) > len(guest) || m.pages == 0 {
		t.Fatal(err)
	}
	if custom := []byte("producers"); !bytes.Contains(guest, custom) || bytes.Contains(m.code, custom) {
		t.Error("its custom sections are still there")
	}
}
