//go:build linux

package landlock

import (
	"testing"
	"unsafe"
)

func TestHandled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		abi  int
		want rulesetAttr
		size uintptr
	}{
		{1, rulesetAttr{0x1fff, 0, 0}, 8},
		{2, rulesetAttr{0x3fff, 0, 0}, 8},
		{3, rulesetAttr{0x7fff, 0, 0}, 8},
		{4, rulesetAttr{0x7fff, 3, 0}, 16},
		{5, rulesetAttr{0xffff, 3, 0}, 16},
		{6, rulesetAttr{0xffff, 3, 3}, 24},
		{7, rulesetAttr{0xffff, 3, 3}, 24},
		{8, rulesetAttr{0xffff, 3, 3}, 24},
		{9, rulesetAttr{0x1ffff, 3, 3}, 24},
		{10, rulesetAttr{0x1ffff, 15, 3}, 24},
		{99, rulesetAttr{0x1ffff, 15, 3}, 24},
	} {
		if got := handled(test.abi); got != test.want {
			t.Errorf("ABI %d: %#x, want %#x", test.abi, got, test.want)
		}
		if got := attrSize(test.abi); got != test.size {
			t.Errorf("ABI %d: %d bytes, want %d", test.abi, got, test.size)
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	const devices = 1<<6 | 1<<11 | 1<<15 // MAKE_CHAR, MAKE_BLOCK, IOCTL_DEV
	all := Read | Execute | Write
	if got := all.rights() | devices; got != 0x1ffff {
		t.Errorf("all rights but those of devices: %#x", got&^devices)
	}
	if all.rights()&devices != 0 {
		t.Errorf("%#x has rights for devices", all.rights())
	}
	if got := Read.rights() | Execute.rights(); got != 0xd {
		t.Errorf("read and execute: %#x", got)
	}
	if unsafe.Sizeof(rulesetAttr{}) != 24 || unsafe.Offsetof(pathAttr{}.fd) != 8 {
		t.Error("the structures are not the kernel's")
	}
}

// TestOlderABIs: whatever an older kernel would be asked for, this one takes too.
func TestOlderABIs(t *testing.T) {
	t.Parallel()
	for abi := 1; abi <= ABI(); abi++ {
		fd, err := create(handled(abi), abi)
		if err != nil {
			t.Errorf("ABI %d: %v", abi, err)
			continue
		}
		for _, path := range []string{"/", "/dev/null"} {
			if err := add(fd, Rule{path, Read | Execute | Write}, handled(abi).files); err != nil {
				t.Errorf("ABI %d, %s: %v", abi, path, err)
			}
		}
		closeFD(t, fd)
	}
}
