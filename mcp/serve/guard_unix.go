//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package serve

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Guard returns standard output, for the protocol alone, and leads to standard error
// what anybody else writes there from now on: one line that a library prints would end
// the connection. It holds for the programs that this one starts too. Call it first,
// and once.
func Guard() (stdout *os.File, err error) {
	fd, err := unix.FcntlInt(os.Stdout.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("mcp: guarding standard output: %w", err)
	}
	if err := redirect(unix.Stderr, unix.Stdout); err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("mcp: guarding standard output: %w", err)
	}
	os.Stdout = os.Stderr
	return os.NewFile(uintptr(fd), "stdout of the protocol"), nil
}
