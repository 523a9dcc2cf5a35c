// Package cgroup limits how much memory and how many processes a run may have, all of its
// processes together, by the control groups of Linux.
//
//	mode := cgroup.Probe()
//	group, err := mode.New()
//	if err != nil {
//		return err // mode.Version is 0, and mode.Reason says why
//	}
//	defer group.Remove()
//	if err := group.Limit(512<<20, 64); err != nil {
//		return err
//	}
//	// start a process that waits, then:
//	err = group.Add(pid)
//	…
//	err = group.Kill()
//	usage, err := group.Usage()
//
// # What can be had
//
// [Probe] finds out by making a group, limiting it and removing it: that a hierarchy is
// mounted says little, since a machine may have cgroup v2 and keep its controllers in v1.
// Version 2 is best: it kills a group as a whole. Version 1 is usual for root in older
// containers. An unprivileged user mostly gets nothing, and [Watch] is what is left: it
// adds up the memory of a tree of processes again and again, and says when it is too much.
//
// Groups are made below the one that this process is in, so that its own limits hold for
// them too. In version 2 a group with processes can't pass controllers on. A process that
// is alone in its group therefore moves into a group below it, "helve-host"; one that is
// not makes its groups beside its own, if it may.
//
// # Groups that are left behind
//
// A group is a directory, "helve-<pid>-<n>", and stays when its maker is killed. Each maker
// holds a lock (flock) on its groups, which ends with it, however it ends. Probe kills and
// removes the groups below the same place that nobody holds. A lock is sure where the
// process id in the name is not: ids are used again, and another container counts its own.
//
// On systems other than Linux this package is empty.
package cgroup
