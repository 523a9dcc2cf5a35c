package takeout

import (
	"io/fs"
	"syscall"
)

// identity is which file it is, and when it was last changed in any way.
func identity(info fs.FileInfo) (inode, changed int64) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return int64(s.Ino), s.Ctim.Nano()
}
