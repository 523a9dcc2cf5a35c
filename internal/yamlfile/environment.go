package yamlfile

import (
	"fmt"
	"regexp"
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
			err = orFirst(err, fmt.Errorf("%s is no variable: write ${NAME} or ${NAME:-default}, and $${ for the text itself", found))
			return found
		}
		if value, ok := env(name); ok && value != "" {
			return value
		}
		if fallback != "" {
			return fallback[len(":-"):]
		}
		err = orFirst(err, fmt.Errorf("the environment variable %s is not set: set it, or give a default: ${%s:-…}", name, name))
		return found
	})
	return expanded, err
}

func orFirst(first, other error) error {
	if first != nil {
		return first
	}
	return other
}
