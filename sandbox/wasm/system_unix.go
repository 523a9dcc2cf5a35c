//go:build unix

package wasm

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// withoutWaiting makes opening a pipe return at once.
const withoutWaiting = syscall.O_NONBLOCK

func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// owner says whose a file is: ours, or root's, who can do all we can.
func owner(info fs.FileInfo) (ours, roots bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false, false
	}
	return int(stat.Uid) == os.Geteuid(), stat.Uid == 0
}

const hasOwners = true
