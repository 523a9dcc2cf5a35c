package skill

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"helve/catalog"
	"helve/internal/yamlfile"
)

// inFirst is a key in the first column, and what stands behind it; indented is one further
// right.
var (
	inFirst  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*:[ \t]*(.*)$`)
	indented = regexp.MustCompile(`^[ \t]+([A-Za-z][A-Za-z0-9_-]*):(?:[ \t\r]|$)`)
)

// unindented reads YAML that is none because keys of the skill are indented, as if they
// were not, and says so.
func (d *draft) unindented(data []byte) (*yaml.Node, bool) {
	lines := strings.Split(string(data), "\n")
	var found []finding
	below := true // a key that has its value already, or none: what is indented is no part of it
	for i, line := range lines {
		if m := inFirst.FindStringSubmatch(strings.TrimRight(line, " \t\r")); m != nil {
			below = m[1] != "" && !strings.ContainsAny(m[1][:1], "|>&!#")
			continue
		}
		m := indented.FindStringSubmatch(line)
		if m == nil || !below || !slices.Contains(knownKeys, strings.ToLower(m[1])) {
			continue
		}
		lines[i] = strings.TrimLeft(line, " \t")
		found = append(found, finding{wrong, catalog.Problem{
			File: d.file, Line: i + 1, Column: 1 + len(line) - len(lines[i]),
			Message: "the key " + m[1] + " is indented", Hint: "begin it in the first column",
		}})
	}
	if found == nil {
		return nil, false
	}
	text := []byte(strings.Join(lines, "\n"))
	root, err := yamlfile.Tree(d.file, text)
	if err != nil {
		quoted, _ := quote(text)
		again := err
		if root, err = yamlfile.Tree(d.file, quoted); err != nil {
			return nil, false
		}
		d.noteError(wrong, again, "put the value in quotes")
	}
	d.findings = append(d.findings, found...)
	return root, true
}
