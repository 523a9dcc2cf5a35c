//go:build linux

package landlock

import "golang.org/x/sys/unix"

// rulesetAttr is struct landlock_ruleset_attr. The types of package unix are not used: their
// fields have changed names, and grow with the kernel.
type rulesetAttr struct {
	files  uint64 // LANDLOCK_ACCESS_FS_*, from ABI 1
	net    uint64 // LANDLOCK_ACCESS_NET_*, from ABI 4
	scoped uint64 // LANDLOCK_SCOPE_*, from ABI 6
}

// attrSize is how many bytes of it a kernel knows. An older one refuses more.
func attrSize(abi int) uintptr {
	switch {
	case abi < 4:
		return 8
	case abi < 6:
		return 16
	}
	return 24
}

// pathAttr is struct landlock_path_beneath_attr, which is packed: its 12 bytes lie as they
// do here, and the kernel doesn't look at the 4 after them.
type pathAttr struct {
	access uint64
	fd     int32
}

const (
	readRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	writeRights = unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
		unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX

	// fileRights are those that a rule for what is no directory may give.
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE |
		unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX

	// firstRights are the 13 of ABI 1, EXECUTE to MAKE_SYM.
	firstRights = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
)

func (a Access) rights() uint64 {
	var rights uint64
	if a&Read != 0 {
		rights |= readRights
	}
	if a&Execute != 0 {
		rights |= unix.LANDLOCK_ACCESS_FS_EXECUTE
	}
	if a&Write != 0 {
		rights |= writeRights
	}
	return rights
}

// handled is all that a kernel of that ABI can refuse. No rule ever gives back the network,
// the scopes, devices or the ioctls of devices.
func handled(abi int) rulesetAttr {
	attr := rulesetAttr{files: firstRights}
	if abi >= 2 {
		attr.files |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		attr.files |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 4 {
		attr.net |= unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= 5 {
		attr.files |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		attr.scoped |= unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	if abi >= 9 {
		attr.files |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	}
	if abi >= 10 {
		attr.net |= unix.LANDLOCK_ACCESS_NET_BIND_UDP | unix.LANDLOCK_ACCESS_NET_CONNECT_SEND_UDP
	}
	return attr
}
