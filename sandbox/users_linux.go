package sandbox

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

const (
	firstUser = 231072 // as subordinate users begin on most systems, of nobody on this one
	mostUsers = 64     // at once, of one process
	blocks    = 1024   // of so many users, so that two processes share them seldom
)

// newUsers are user numbers, one for each run of a parent that is root: the limit of
// processes is counted for each user of the machine, and does not hold for root.
func newUsers() (chan int, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	var first, count int
	for i, path := range []string{"/proc/self/uid_map", "/proc/self/gid_map"} {
		f, n, own, err := spare(path)
		switch {
		case err != nil:
			return nil, err
		case own: // root of a container that has no other user: somebody else outside
			return nil, nil
		case i == 0:
			first, count = f, n
		case f != first:
			return nil, &UnavailableError{Stage: "choose a user", Hint: "the users and the groups that are mapped into this container differ: map the same"}
		}
	}
	users := make(chan int, mostUsers)
	first += os.Getpid() % (count / mostUsers) * mostUsers
	for i := range mostUsers {
		users <- first + i
	}
	return users, nil
}

// spare finds user numbers that nobody has, among those that are mapped into this user
// namespace: on the machine itself all are, in a container some. Own says that there is
// but one, which is not the machine's root.
func spare(path string) (first, count int, own bool, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, false, &UnavailableError{Stage: "choose a user", Errno: errnoOf(err), Hint: err.Error()}
	}
	return spareIn(string(data))
}

func spareIn(ranges string) (first, count int, own bool, err error) {
	lines := 0
	for line := range strings.Lines(ranges) {
		var inside, outside, n int
		if _, err := fmt.Sscan(line, &inside, &outside, &n); err != nil {
			continue
		}
		lines++
		if inside <= firstUser && firstUser+blocks*mostUsers <= inside+n {
			return firstUser, blocks * mostUsers, false, nil
		}
		if last := min(n, blocks*mostUsers) / mostUsers * mostUsers; last > 0 && inside+n-last > 0 {
			first, count = inside+n-last, last // the last of them: the first have names
		}
		own = inside == 0 && outside != 0 && n == 1
	}
	if count > 0 {
		return first, count, false, nil
	}
	if lines == 1 && own {
		return 0, 0, true, nil
	}
	return 0, 0, false, &UnavailableError{Stage: "choose a user", Errno: syscall.EPERM, Hint: "this is root, and no other users are mapped into this container: map at least 64, or run as somebody else than root"}
}
