// Package sandbox runs programs that nobody vouches for, so that whatever they do they
// can't read a secret, reach the network, leave a process behind or fill the disk.
//
//	box, err := sandbox.New(sandbox.Options{})
//	if err != nil {
//		return err // an *UnavailableError says what this machine lacks, and the remedy
//	}
//	defer box.Close()
//	result, err := box.Run(ctx, sandbox.Spec{
//		Args:  []string{"python3", "count.py", "--json"},
//		Files: []sandbox.File{{Name: "count.py", Data: script}},
//		Stdin: []byte("some words"),
//	})
//
// An error means that nothing ran. A program that fails, or that is stopped at a limit, is
// a [Result]: its exit code or signal, what it printed, the [Reason] it was stopped for,
// what it used, and the files it made.
//
// # Levels
//
// [Strict] is the default, on Linux alone and without any other program: namespaces, a root
// directory of little more than /usr, a system-call filter, Landlock, limits, and a user of
// its own where the parent is root. [StrictNoProc] is the same without /proc. [Reduced] is
// for an operator who asks for it by name. There is no level without isolation: where the
// wanted one can't be had, [New] returns an [UnavailableError] and nothing ever runs.
//
// Package helve/sandbox/wasm runs WebAssembly modules under the same [Spec] and [Result], on
// every system.
//
// # What a program finds
//
// Its directory is /work, with the [Spec]'s files in it; /tmp is there too, and both are
// memory of a fixed size. The rest is read-only: /usr and what [Spec.ReadOnly] adds. The
// environment holds PATH, HOME, TMPDIR, LANG and what [Spec.Env] adds, and nothing of the
// parent's. There is no network: even a socket can't be made.
//
// # The launcher
//
// A process with threads can't go into namespaces, so a Sandbox starts the program that it
// is a part of once more, under another name, and this package's initialization notices
// that and never returns to it. What other packages do before, in variables and in init
// functions, they do there too: with no environment, and with no access to anything yet.
//
// docs/sandbox.md tells what is defended against and what is not, with the attacks that
// were tried.
package sandbox
