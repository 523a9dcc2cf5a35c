package mcp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"helve/internal/jsonc"
)

// variable is what several programs write: ${NAME}, ${NAME:-default}, ${env:NAME},
// ${input:id}, ${workspaceFolder}. $NAME is text: it may be for a shell.
var (
	variable     = regexp.MustCompile(`\$\{[^}]*\}?`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// expand puts the values of variables in. One that is empty counts as one that is not set:
// an empty key is no key.
func (s *jsonServer) expand(text string) (string, *fault) {
	var wrong *fault
	expanded := variable.ReplaceAllStringFunc(text, func(found string) string {
		inside, closed := strings.CutSuffix(found[2:], "}")
		if !closed {
			wrong = cmp.Or(wrong, &fault{"", "a ${ is not closed", "write ${NAME}"})
			return found
		}
		value, err := s.value(inside)
		wrong = cmp.Or(wrong, err)
		return value
	})
	return expanded, wrong
}

func (s *jsonServer) value(inside string) (string, *fault) {
	switch kind, id, _ := strings.Cut(inside, ":"); {
	case inside == "workspaceFolder":
		return s.file.Dir, nil
	case inside == "workspaceFolderBasename":
		return filepath.Base(s.file.Dir), nil
	case inside == "userHome":
		return s.variable("HOME", "")
	case kind == "env":
		return s.variable(id, "")
	case kind == "input":
		return s.input(id)
	}
	name, otherwise, hasDefault := strings.Cut(inside, ":-")
	value, err := s.variable(name, ", or give a default: ${"+name+":-…}")
	if err != nil && hasDefault && variableName.MatchString(name) {
		return otherwise, nil
	}
	return value, err
}

func (s *jsonServer) variable(name, more string) (string, *fault) {
	if !variableName.MatchString(name) {
		return "", &fault{"", fmt.Sprintf("${%.60s} is no variable", name), "write ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id} or ${workspaceFolder}"}
	}
	value, ok := s.file.Env(name)
	if !ok || value == "" {
		return "", &fault{"", "the environment variable " + name + " is not set", "set it" + more}
	}
	s.environment[name] = value
	return value, nil
}

// input is what an editor would ask a person for. Here it is the variable of the same
// name, or else its default.
func (s *jsonServer) input(id string) (string, *fault) {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, wordsApart.ReplaceAllString(id, "${1}_${2}"))
	if !variableName.MatchString(name) {
		name = "_" + name
	}
	if value, err := s.variable(name, ""); err == nil {
		return value, nil
	}
	if otherwise, ok := s.defaultInput(id); ok {
		return otherwise, nil
	}
	return "", &fault{"", fmt.Sprintf("an editor would ask for the input %.60q, and helve does not", id), "set the environment variable " + name}
}

// wordsApart is where a word begins in githubToken.
var wordsApart = regexp.MustCompile(`([a-z0-9])([A-Z])`)

func (s *jsonServer) defaultInput(id string) (string, bool) {
	if s.inputs == nil {
		return "", false
	}
	for _, input := range s.inputs.Elements {
		if name := input.Get("id"); name == nil || name.Text != id {
			continue
		}
		otherwise := input.Get("default")
		if otherwise != nil && otherwise.Kind == jsonc.String {
			return otherwise.Text, true
		}
	}
	return "", false
}
