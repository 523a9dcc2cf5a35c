//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package serve

import "os"

// Guard returns standard output, for the protocol alone, and leads to standard error
// what is written to [os.Stdout] from now on. Call it first, and once.
func Guard() (stdout *os.File, err error) {
	stdout = os.Stdout
	os.Stdout = os.Stderr
	return stdout, nil
}
