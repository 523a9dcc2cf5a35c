// Package wasm runs WebAssembly modules that nobody vouches for, on every system, under the
// same [sandbox.Spec] and [sandbox.Result] as programs.
//
//	runtime, err := wasm.New(ctx, wasm.Options{CacheDir: dir})
//	if err != nil {
//		return err
//	}
//	defer runtime.Close()
//	result, err := runtime.Run(ctx, sandbox.Spec{
//		Args:  []string{"count.wasm", "--json"},
//		Files: []sandbox.File{{Name: "count.wasm", Data: module}},
//		Stdin: []byte("some words"),
//	})
//
// A module is a command for WASI preview 1, as compilers make for wasip1: Go with
// GOOS=wasip1 GOARCH=wasm, Rust with the target wasm32-wasip1, C with wasi-sdk. It has no
// system calls. What it can ask for at all is WASI's functions, and they are answered from
// memory: no file of this machine is ever opened but those of [sandbox.Spec.ReadOnly],
// through an [os.Root] of each; there are no symbolic links, no devices, no sockets, no
// processes, and of the environment only what the Spec adds.
//
// # What a module finds
//
// Its folder / holds work, with the Spec's files but the module itself, and tmp; both are
// memory of a fixed size, gone with the run. The rest is read-only. HOME and PWD are /work,
// and TMPDIR is /tmp. WASI knows no current folder, so a relative path of a C or Rust
// program arrives as one below /: what is not found there is looked for in /work.
//
// The clocks go in whole milliseconds. A finer one would let a module measure, through what
// its own memory accesses take, what else is in the caches of the processor: it shares this
// process, and its secrets, with helve.
//
// # Limits
//
// Time is the only limit of what it computes; there is no other process whose CPU time
// could be told apart, and Limits.CPU and Limits.Processes have no meaning. Memory is that
// of the module; /work and /tmp come on top, and what this process needs to serve it, which
// is at the worst as much again. A module whose memory may not grow is told so,
// and if it fails after that, the reason is [sandbox.Memory].
//
// A module that traps ends with exit code 134, as a program does that aborts, and the trap
// is the end of its standard error.
//
// # Compiling
//
// A module is compiled to machine code when it is first run, which takes seconds for one of
// some megabytes. [Options.CacheDir] keeps the code. That code runs in this process as it
// is, so whoever can write there is helve: see [New] for what is checked.
package wasm
