package oauth

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// checkPrivate trusts the folder: a user's profile on Windows is closed to other users,
// and the mode bits say nothing.
func checkPrivate(*os.File) error { return nil }

// tryLock locks a file until it is closed, if nobody else has.
func tryLock(f *os.File) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
