package library

import (
	"fmt"
	"regexp"
	"strings"

	"helve/internal/nearest"
)

// placeholder is {name}, or {{name}} for that itself.
var placeholder = regexp.MustCompile(`\{\{[A-Za-z_][\w-]*\}\}|\{[A-Za-z_][\w-]*\}`)

// check says which placeholder of text is for none of names.
func check(text string, names []string) error {
	for _, found := range placeholder.FindAllString(text, -1) {
		name := found[1 : len(found)-1]
		if name[0] == '{' || contains(names, name) {
			continue
		}
		if near := nearest.Name(name, names); near != "" {
			return fmt.Errorf("nothing has the name of %s: did you mean {%s}?", found, near)
		}
		return fmt.Errorf("nothing has the name of %s: write {%s} for these characters themselves", found, found)
	}
	return nil
}

// expand puts values into the placeholders of text. One without a value is empty.
func expand(text string, values map[string]string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "{{") {
			return found[1 : len(found)-1]
		}
		return values[found[1:len(found)-1]]
	})
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
