// Package landlock puts a thread, and all that it starts, under a rule of the kernel's
// Landlock: no file but those below the named paths, no network, no signal to the outside.
//
//	unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
//	err := landlock.Restrict([]landlock.Rule{
//		{Path: "/usr", Access: landlock.Read | landlock.Execute},
//		{Path: "/work", Access: landlock.Read | landlock.Write},
//	}, landlock.Options{MinABI: 3})
//
// In the sandbox it is the second wall, behind a root directory that holds little; where
// there are no namespaces it is the first. What the kernel can refuse grows from version to
// version of its interface, the ABI that [ABI] returns. Restrict asks for all that the
// running kernel has, and for nothing less than [Options.MinABI].
//
// Landlock doesn't hide what exists: stat works everywhere. Neither does it look after
// owner, mode, times and attributes of a file; package seccomp does.
package landlock
