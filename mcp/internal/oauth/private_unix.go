//go:build unix

package oauth

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// checkPrivate refuses a file, or a folder, that somebody else could read or has made.
func checkPrivate(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user: it is not used", f.Name())
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		want := "600"
		if info.IsDir() {
			want = "700"
		}
		return fmt.Errorf("%s is open to other users (%#o) and may hold keys: run chmod %s %[1]s", f.Name(), mode, want)
	}
	return nil
}

// tryLock locks a file until it is closed, if nobody else has.
func tryLock(f *os.File) (bool, error) {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case nil:
			return true, nil
		case unix.EWOULDBLOCK:
			return false, nil
		case unix.EINTR:
		default:
			return false, err
		}
	}
}
