// Package seccomp says which system calls a program in the sandbox may make, and tells the
// kernel.
//
//	unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
//	err := seccomp.Install(seccomp.Filter(seccomp.Options{Memory: true}))
//
// It is an allow-list. A call that is not on it fails as if the kernel didn't know it, with
// ENOSYS, so that libraries fall back to an older one; what people are known to try fails
// with EPERM, and so with a message that says something; and a call by another
// architecture's numbers, which the list knows nothing of, ends the process.
//
// policy.go is the list, made to be read. The numbers_ files hold what the calls are
// numbered on each architecture, and program.go makes from both what the kernel runs: a
// binary search by number, with the arguments looked at in the leaves. The kernel
// finds out for itself which numbers are allowed whatever their arguments, and doesn't run
// the program for them at all.
//
// A filter sees the registers, not the memory they point into. That's why calls that take
// their flags behind a pointer, clone3 and openat2, are unknown here, and why no
// datagram socket can be had: its address is behind a pointer too.
package seccomp
