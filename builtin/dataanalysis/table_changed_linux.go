package dataanalysis

import (
	"io/fs"
	"syscall"
)

// changeTime is when the system last saw the file change, in nanoseconds.
func changeTime(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctim.Nano()
	}
	return 0
}
