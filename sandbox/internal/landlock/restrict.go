//go:build linux

package landlock

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Options say what is too little.
type Options struct {
	// MinABI is the oldest interface that will do. A kernel with an older one, or with
	// none, is an error, and nothing is restricted. Less than 1 counts as 1.
	MinABI int
}

// A Rule gives access to a file, or to a directory and all below it.
type Rule struct {
	Path   string // symbolic links are followed; a path that doesn't exist is left out
	Access Access
}

// Access is what may be done, as a set of bits.
type Access uint8

const (
	// Read is to read files and list directories.
	Read Access = 1 << iota

	// Execute is to run files. It needs Read for scripts, and mostly for programs.
	Execute

	// Write is to write, make, rename, cut and remove files, and to connect to the
	// sockets among them. It isn't to make devices, nor to control them by ioctl.
	Write
)

// ABI returns the version of Landlock's interface, 0 if the kernel has none or it was
// turned off at boot.
func ABI() int {
	version, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// Restrict takes from the calling thread, and from all that it starts from then on, every
// access that Landlock knows of, and gives back what the rules name. There is no way
// back, and other threads of the process go on as before, so the caller has locked its
// thread and doesn't unlock it. NO_NEW_PRIVS must be set, or else the error is EPERM.
//
// The error says at which step, and wraps a [unix.Errno] if the kernel refused. After an
// error the thread is as it was.
func Restrict(rules []Rule, o Options) error {
	abi := ABI()
	if least := max(o.MinABI, 1); abi < least {
		return fmt.Errorf("landlock: this kernel has ABI %d, and %d is the least that will do", abi, least)
	}
	attr := handled(abi)
	ruleset, err := create(attr, abi)
	if err != nil {
		return fmt.Errorf("landlock: create a ruleset for ABI %d: %w", abi, err)
	}
	defer unix.Close(ruleset)
	for _, r := range rules {
		if err := add(ruleset, r, attr.files); err != nil {
			return fmt.Errorf("landlock: rule for %q: %w", r.Path, err)
		}
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset), 0, 0); errno != 0 {
		return fmt.Errorf("landlock: restrict the thread: %w", errno)
	}
	return nil
}

func create(attr rulesetAttr, abi int) (int, error) {
	fd, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), attrSize(abi), 0)
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// add opens what the rule names and gives it the access that the ruleset handles.
func add(ruleset int, r Rule, handled uint64) error {
	fd, err := open(r.Path)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	access := r.Access.rights() & handled
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= fileRights
	}
	if access == 0 {
		return errors.New("it gives no access")
	}
	attr := pathAttr{access: access, fd: int32(fd)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset),
		unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// open is for the file itself, not for what is in it.
func open(path string) (int, error) {
	for {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}
