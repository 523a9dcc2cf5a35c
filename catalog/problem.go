package catalog

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"helve/internal/yamlfile"
)

// Problem is one thing that is wrong in a workspace.
type Problem struct {
	File    string `json:"file"` // below the workspace's folder, with slashes
	Line    int    `json:"line,omitzero"`
	Column  int    `json:"column,omitzero"`
	Message string `json:"message"`          // what is wrong
	Hint    string `json:"hint,omitempty"`   // how to mend it
	Warning bool   `json:"warning,omitzero"` // all works, but maybe not as it was meant

	// Undefined names what the file does not define because of this, such as a server,
	// where its source knows that.
	Undefined string `json:"undefined,omitempty"`
}

// Error is the problem in a line: FILE:LINE:COLUMN: what is wrong: how to mend it.
func (p *Problem) Error() string {
	return (&yamlfile.Error{File: p.File, Line: p.Line, Column: p.Column, Message: p.Message, Hint: p.Hint}).Error()
}

// Place is FILE:LINE:COLUMN.
func (p *Problem) Place() string {
	return (&yamlfile.Error{File: p.File, Line: p.Line, Column: p.Column}).Place()
}

// problemsOf takes apart what a source or a reader said of file.
func problemsOf(file string, err error) []Problem {
	var placed *yamlfile.Error
	var known *Problem
	switch several, joined := err.(interface{ Unwrap() []error }); {
	case err == nil:
		return nil
	case joined:
		var all []Problem
		for _, one := range several.Unwrap() {
			all = append(all, problemsOf(file, one)...)
		}
		return all
	case errors.As(err, &placed):
		return []Problem{{File: placed.File, Line: placed.Line, Column: placed.Column, Message: placed.Message, Hint: placed.Hint}}
	case errors.As(err, &known):
		return []Problem{*known}
	}
	return []Problem{{File: file, Message: err.Error()}}
}

func sortProblems(all []Problem) {
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
