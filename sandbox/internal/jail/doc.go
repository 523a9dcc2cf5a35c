// Package jail is the launcher's side of a sandbox: what the program that uses helve does
// when it is started once more, as the first process of new namespaces. It is Linux alone;
// elsewhere the package is empty.
//
// The steps, and their order, are those of docs/sandbox.md:
//
//  1. The root: copies of the mounts that may be read, on a small tmpfs (root_linux.go).
//  2. Word that a run is awaited. A sandbox that was started in advance waits here.
//  3. What the run has of its own: /work with its files, /tmp (work_linux.go).
//  4. Limits, no capabilities, Landlock, the system-call filter, on this one thread
//     (confine_linux.go).
//  5. The program, forked from this thread, which hands its confinement on
//     (start_linux.go).
//  6. Its end: all else is killed, files are handed out, and this process ends, with
//     which the kernel takes down what is left (reap_linux.go, takeout_linux.go).
//
// There is one Go runtime and one exec before the program's own. The launcher's binary is
// in no directory that the program sees.
package jail
