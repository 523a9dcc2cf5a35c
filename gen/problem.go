package gen

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Problem is something in a package's source that no tool can be made of.
// Message says what it is and how to mend it, in words for the developer.
type Problem struct {
	Pos     token.Position
	Message string
}

// Error writes file:line:column: message.
func (p Problem) Error() string { return p.Pos.String() + ": " + p.Message }

// Problems are all that is wrong in a package, in the order of the source.
type Problems []Problem

// Error writes a problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

// ErrNoTools says that no function of a package is marked.
var ErrNoTools = errors.New("no function is marked: write //helve:tool on the last line of a function's doc comment")

// problem notes something that is wrong at pos.
func (p *program) problem(pos token.Pos, format string, args ...any) {
	p.problemAt(p.position(pos), format, args...)
}

func (p *program) problemAt(pos token.Position, format string, args ...any) {
	found := Problem{pos, fmt.Sprintf(format, args...)}
	if !slices.Contains(p.problems, found) {
		p.problems = append(p.problems, found)
	}
}

// failed returns the problems that were found, or nil.
func (p *program) failed() error {
	if len(p.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(p.problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return p.problems
}
