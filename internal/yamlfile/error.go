package yamlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one thing that is wrong in a file. Line and Column count from 1, columns in
// characters; 0 means that there is no place to name.
type Error struct {
	File         string
	Line, Column int
	Message      string // what is wrong
	Hint         string // how to mend it; may be empty
	Unknown      string // the key at fault, where it is none that is known
}

func (e *Error) Error() string {
	s := e.Place() + ": " + e.Message
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// Place is FILE:LINE:COLUMN, as editors and terminals make links of it.
func (e *Error) Place() string {
	switch {
	case e.Line == 0:
		return e.File
	case e.Column == 0:
		return fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
}

// Errors is all that is wrong in a file, in the order of the lines.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find each.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

func (e Errors) sort() {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
