//go:build linux

package seccomp_test

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/seccomp"
)

// A thread goes under the filter for good; when its goroutine ends, so does it.
func ExampleInstall() {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			done <- err
			return
		}
		if err := seccomp.Install(seccomp.Filter(seccomp.Options{})); err != nil {
			done <- err
			return
		}
		_, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		done <- err
	}()
	fmt.Println(<-done)
	// Output: permission denied
}
