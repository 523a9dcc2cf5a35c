//go:build unix

package catalog

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign says why a file may be somebody else's trap: "" is for one that belongs to
// this user, or to root, and that not everybody may write. Root is often somebody
// else's guest, in a container or by sudo: for it the owner of the folder it stands in
// counts too.
func foreign(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 && int(stat.Uid) != os.Getuid() && !(os.Getuid() == 0 && ownsHere(stat.Uid)) {
		return "belongs to another user"
	}
	if info.Mode().Perm()&0o002 != 0 {
		return "may be written by everybody"
	}
	return ""
}

// ownsHere reports whether the folder that the process is in belongs to that user.
func ownsHere(uid uint32) bool {
	info, err := os.Stat(".")
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == uid
}
