//go:build unix

package catalog

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign says why a file may be somebody else's trap: "" is for one that belongs to
// this user, or to root, and that nobody else may write.
func foreign(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 && int(stat.Uid) != os.Getuid() {
		return "belongs to another user"
	}
	if info.Mode().Perm()&0o002 != 0 {
		return "may be written by everybody"
	}
	return ""
}
