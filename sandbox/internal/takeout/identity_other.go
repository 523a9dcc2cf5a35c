//go:build unix && !linux

package takeout

import (
	"io/fs"
	"syscall"
)

// identity is which file it is. When it was changed is in another place on each system.
func identity(info fs.FileInfo) (inode, changed int64) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return int64(s.Ino), 0
}
