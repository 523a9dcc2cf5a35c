//go:build unix

package gofunc

import (
	"fmt"
	"io/fs"
	"syscall"
)

// private returns an error if anybody but the user may write to dir. Root may write
// anywhere.
func private(dir string, info fs.FileInfo, user int) error {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int(s.Uid) != user {
		return fmt.Errorf("%s, where programs are kept, is another user's (number %d): name a folder of your own in XDG_CACHE_HOME, and", dir, s.Uid)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf(`others may write to %s, where programs are kept: "chmod go-w %s" ends that, and`, dir, dir)
	}
	return nil
}
