package sandbox

import (
	"errors"
	"testing"
)

func TestSpareUsers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, ranges string
		first, count int
		own, refused bool
	}{
		{"the machine itself", "         0          0 4294967295\n", 231072, 65536, false, false},
		{"a rootless container", "0 1000 1\n1 100000 65536\n", 1, 65536, false, false},
		{"a container with few users", "0 1000 1\n1 100000 200\n", 9, 192, false, false},
		{"root alone, who is somebody else", "0 1000 1\n", 0, 0, true, false},
		{"root alone, who is root", "0 0 1\n", 0, 0, false, true},
		{"nothing", "", 0, 0, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			first, count, own, err := spareIn(test.ranges)
			if first != test.first || count != test.count || own != test.own || errors.Is(err, ErrUnavailable) != test.refused {
				t.Errorf("got %d, %d, %v, %v", first, count, own, err)
			}
		})
	}
}
