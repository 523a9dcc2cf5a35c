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
// It is started with the first call, and once for all tools of the folder. A workspace
// that is loaded again has the same tools, as long as the folder is what it was. Calls
// go to the program over pipes, many at a time; a call that is canceled is canceled
// there. If the program dies, the calls in flight fail with [tool.KindUnavailable], the end of its
// standard error is in their cause, and the next call starts it again. It ends with the
// last of its tools that is closed, and in any case with helve, also where that is
// killed; with it ends what it started, unless that left its process group.
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
// cases nothing is written into the folder but helve_gen.go, and that only in a module
// and once all has gone well.
//
// # What counts as a change
//
// The files of the folder, and what else the program was made of: the sources of all
// packages that it imports, unless they are in the module cache or Go's own, so those
// of its module, of a module that go.mod replaces by a folder, of a vendor folder; the
// files that go:embed names in any of them; go.mod, go.sum and go.work. A file that is
// new counts as one that was changed.
//
// What the go command takes from elsewhere is not covered: its own version, its
// environment variables (GOFLAGS, CGO_CFLAGS and the like), and of cgo the libraries and
// the headers in other folders. Without a module neither is the source of helve, nor
// hidden folders, which are not compiled in there. After such a change build the folder
// again by hand.
//
// The cache keeps the newest three programs of a folder, so that a chat that began with
// one can go on with it. What was built once is current again when the sources are.
package gofunc
