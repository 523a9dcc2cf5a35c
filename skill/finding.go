package skill

import (
	"cmp"
	"slices"
	"strings"

	"helve/catalog"
)

// level says who hears of a finding, and how.
type level int

const (
	fatal  level = iota // the skill can't be used
	lost                // a part of the skill can't be used: an error
	wrong               // against the format, and used all the same: a warning, an error for Lint
	strict              // against the format, and so common that only Lint tells it
	advice              // within the format: a warning of Lint
)

type finding struct {
	level level
	catalog.Problem
}

// lenient is what who uses a skill is told.
func lenient(all []finding) []catalog.Problem {
	var problems []catalog.Problem
	for _, f := range all {
		if f.level <= wrong {
			f.Warning = f.level == wrong
			problems = append(problems, f.Problem)
		}
	}
	return byPlace(problems)
}

// linted is what who writes a skill is told.
func linted(all []finding) []catalog.Problem {
	var problems []catalog.Problem
	for _, f := range all {
		f.Warning = f.level == advice
		problems = append(problems, f.Problem)
	}
	return byPlace(problems)
}

func byPlace(problems []catalog.Problem) []catalog.Problem {
	slices.SortStableFunc(problems, func(a, b catalog.Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return problems
}
