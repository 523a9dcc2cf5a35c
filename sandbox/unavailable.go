package sandbox

import (
	"errors"
	"fmt"
	"syscall"
)

var (
	// ErrUnavailable is for a machine that can't isolate as it was asked to: nothing ran.
	// It is found with [errors.Is]; [*UnavailableError] tells more.
	ErrUnavailable = errors.New("no isolation")

	// ErrSpec is for a [Spec] that can't be run: nothing ran.
	ErrSpec = errors.New("this can't be run")

	// ErrExec is for a program that is not there, or can't be executed: nothing ran.
	ErrExec = errors.New("the program can't be executed")
)

// UnavailableError says what is missing for isolation. It is an [ErrUnavailable].
type UnavailableError struct {
	Stage string        // what was being done, such as "mount proc"
	Errno syscall.Errno // what the system said; 0 where nothing was asked
	Hint  string        // the remedy, for a person
}

func (e *UnavailableError) Error() string {
	text := "no isolation: " + e.Stage
	if e.Errno != 0 {
		text += ": " + e.Errno.Error()
	}
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// Is makes it an [ErrUnavailable].
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// specError is an [ErrSpec] with the reason.
func specError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrSpec}, args...)...)
}

// errnoOf is what the system said; 0 where it said nothing.
func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	errors.As(err, &errno)
	return errno
}
