package yamlfile

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// variable is ${NAME} or ${NAME:-default}, and $${ which stands for itself. What else
// begins with ${ is a mistake.
var variable = regexp.MustCompile(`\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}|\$\{[^}]*\}?`)

// expand puts the environment's values in. A variable that is empty counts as one
// that is not set: an empty key is no key.
func expand(s string, env func(string) (string, bool)) (expanded string, err error) {
	if !strings.Contains(s, "${") {
		return s, nil
	}
	expanded = variable.ReplaceAllStringFunc(s, func(found string) string {
		if found == "$${" {
			return "${"
		}
		parts := variable.FindStringSubmatch(found)
		name, fallback := parts[1], parts[2]
		if name == "" {
			err = cmp.Or(err, fmt.Errorf("%s is no variable: write ${NAME} or ${NAME:-default}, and $${ for the text itself", found))
			return found
		}
		if value, ok := env(name); ok && value != "" {
			return value
		}
		if fallback != "" {
			return fallback[len(":-"):]
		}
		err = cmp.Or(err, fmt.Errorf("the environment variable %s is not set: set it, or give a default: ${%s:-…}", name, name))
		return found
	})
	return expanded, err
}

// shortestHidden is the length of a value from where on errors don't show it. To hide
// a shorter one would make riddles of them.
const shortestHidden = 4

// remembering is env, of which the document notes what it answered.
func (d *Document) remembering(env func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := env(name)
		if ok && value != "" {
			d.environment[value] = name
		}
		return value, ok
	}
}

// Environment returns what the environment put into the file, by the names of the
// variables.
func (d *Document) Environment() map[string]string {
	byName := map[string]string{}
	for value, name := range d.environment {
		byName[name] = value
	}
	return byName
}

// values returns what the environment put in, the longest first: it may hold another.
func (d *Document) values() []string {
	return slices.SortedFunc(maps.Keys(d.environment), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
}

// hide writes ${NAME} for each value of the environment in text, as it is, quoted or
// escaped for a URL.
func (d *Document) hide(text string) string {
	for _, value := range d.values() {
		if len(value) < shortestHidden {
			continue
		}
		quoted := strconv.Quote(value)
		for _, form := range []string{value, quoted[1 : len(quoted)-1], url.QueryEscape(value), url.PathEscape(value)} {
			text = strings.ReplaceAll(text, form, "${"+d.environment[value]+"}")
		}
	}
	return text
}
