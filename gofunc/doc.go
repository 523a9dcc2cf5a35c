// Package gofunc lets a workspace have tools that are Go functions: a Go developer
// drops a file into tools/builtin, marks a function //helve:tool (see package gen), and
// has a tool.
//
// A program that is compiled can't take in Go source. So the folder becomes a program
// of its own, in two steps that never happen at once:
//
//   - [Build], which is what "helve gen tools/builtin" does, reads the folder, compiles
//     a small program of it with the Go toolchain and keeps that in the user's cache,
//     under a digest of the sources. It is the act of a person, and the moment to decide
//     whether to trust the folder.
//   - [Source] looks the digest of the folder up in that cache. What was never built, or
//     has changed since, is a problem that says what to run. A workspace alone can have
//     nothing compiled and nothing run.
//
// # The program
//
// It is started with the first call, and once for all tools of the folder. Calls go to
// it over pipes, many at a time; a call that is canceled is canceled there. If the
// program dies, the calls in flight fail with [tool.KindUnavailable], the end of its
// standard error is in their cause, and the next call starts it again. It ends with the
// last of its tools that is closed, with all that it started, and in any case with
// helve.
//
// Its environment holds what a program needs to run on this machine, such as PATH, HOME
// and TZ, and no key; builtin.go_env in helve.yaml adds names. It is no sandbox: the functions may do
// what the user may do.
//
// # Which module
//
// A folder in a Go module is compiled as a package of that module, which requires
// helve. A folder without one gets a module of its own in the cache, that requires the
// helve which builds it; it can import nothing else but Go's own packages. In both
// cases nothing is written into the folder but helve_gen.go, and that only in a module.
package gofunc
