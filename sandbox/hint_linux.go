package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"helve/sandbox/internal/wire"
)

// leastABI is the least of Landlock that is a wall: it knows truncate and renames.
const leastABI = 3

// unavailable is the error of a launcher that could not be started.
func unavailable(err error) error {
	e := &UnavailableError{Stage: "start the launcher", Errno: errnoOf(err)}
	switch e.Errno {
	case 0:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	case syscall.ENOSPC, syscall.EUSERS:
		e.Hint = "no user namespace can be made, whatever the message says of space: raise the sysctl user.max_user_namespaces, or allow them in the sandbox or container around this program"
	case syscall.EPERM, syscall.EACCES:
		e.Hint = "no user namespace may be made. " + userNamespaces()
	case syscall.EINVAL:
		e.Hint = "this kernel was built without one of the namespaces; Linux 5.12 or newer has them"
	}
	return e
}

// userNamespaces says how they can be allowed.
func userNamespaces() string {
	if restricted("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") {
		return `AppArmor restricts them: give this program a profile with the line "userns,", or set the sysctl kernel.apparmor_restrict_unprivileged_userns=0`
	}
	if data, err := os.ReadFile("/proc/sys/kernel/unprivileged_userns_clone"); err == nil && strings.TrimSpace(string(data)) == "0" {
		return "Set the sysctl kernel.unprivileged_userns_clone=1"
	}
	return "In Docker: --security-opt seccomp=PROFILE with one that allows them, and --security-opt systempaths=unconfined for /proc. As root in a container, the users from 231072 on must be mapped"
}

func restricted(path string) bool {
	data, err := os.ReadFile(path)
	return err == nil && strings.TrimSpace(string(data)) == "1"
}

// refusal is what a launcher said in the place of what it should.
func refusal(kind wire.Kind, payload []byte) error {
	var f wire.Failure
	if err := json.Unmarshal(payload, &f); err != nil {
		return fmt.Errorf("%w: the launcher said %q", ErrUnavailable, kind)
	}
	errno := syscall.Errno(f.Errno)
	switch kind {
	case wire.KindExec:
		return execError(f.Note, errno)
	case wire.KindFailed:
		return &UnavailableError{Stage: stage(f), Errno: errno, Hint: joined(f.Text, hint(f.Stage, errno))}
	}
	return fmt.Errorf("%w: the launcher said %q", ErrUnavailable, kind)
}

// joined are two texts, of which either may be missing.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

func stage(f wire.Failure) string {
	if f.Note == "" {
		return f.Stage
	}
	return f.Stage + " " + f.Note
}

// hint is the remedy for a stage that failed.
func hint(stage string, errno syscall.Errno) string {
	switch stage {
	case "mount proc":
		return "a container that masks parts of /proc forbids it; the level strict-noproc does without, and Docker's --security-opt systempaths=unconfined allows it"
	case "open":
		if errno == syscall.EACCES {
			return "programs run as a user of their own, who must be able to reach it: no folder above may be closed to others"
		}
		return "is it there?"
	case "landlock":
		return "the kernel needs Landlock in its third version at least (Linux 6.2), and \"landlock\" in its lsm= list"
	case "seccomp":
		return "the kernel needs CONFIG_SECCOMP_FILTER"
	case "fork":
		return "the limit of processes leaves no room for the program itself: raise it"
	case "root tmpfs", "private mounts", "copy mount", "mount attributes", "host name":
		return userNamespaces()
	}
	return ""
}

// execError is for a program that is not there, or is none.
func execError(program string, errno syscall.Errno) error {
	switch errno {
	case syscall.ENOENT:
		if strings.Contains(program, "/") {
			return fmt.Errorf("%w: %s: it is not there, or the interpreter that its first line names is not", ErrExec, program)
		}
		return fmt.Errorf("%w: %s is not in /usr/local/bin, /usr/bin or /bin", ErrExec, program)
	case syscall.EACCES:
		return fmt.Errorf("%w: %s: it is not marked as executable, or is a folder", ErrExec, program)
	case syscall.ENOEXEC:
		return fmt.Errorf("%w: %s: it is neither a program of this machine, nor does its first line name an interpreter (#!)", ErrExec, program)
	}
	return fmt.Errorf("%w: %s: %w", ErrExec, program, errno)
}

// procIsMissing says whether a lack of /proc alone is in the way.
func procIsMissing(err error) bool {
	var e *UnavailableError
	return errors.As(err, &e) && e.Stage == "mount proc"
}
