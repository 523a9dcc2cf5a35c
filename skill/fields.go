package skill

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"helve/catalog"
	"helve/internal/excerpt"
	"helve/internal/nearest"
)

// What the format allows, in characters.
const (
	maxName          = 64
	maxDescription   = 1024
	maxCompatibility = 500
)

// draft is a skill that is being read.
type draft struct {
	file     string
	skill    *Skill
	findings []finding
	misspelt map[string]*yaml.Node // keys that may be meant to be the ones they are here by
}

// note keeps a finding at a value of the frontmatter; nil is the file as a whole.
func (d *draft) note(level level, at *yaml.Node, hint, format string, args ...any) {
	problem := catalog.Problem{File: d.file, Message: fmt.Sprintf(format, args...), Hint: hint}
	if at != nil {
		problem.Line, problem.Column = at.Line, at.Column
	}
	d.findings = append(d.findings, finding{level, problem})
}

const (
	keyName          = "name"
	keyDescription   = "description"
	keyLicense       = "license"
	keyCompatibility = "compatibility"
	keyMetadata      = "metadata"
	keyAllowedTools  = "allowed-tools"
	keyHidden        = "disable-model-invocation"
)

var formatKeys = []string{keyName, keyDescription, keyLicense, keyCompatibility, keyMetadata, keyAllowedTools}

// knownKeys are those that mean something here.
var knownKeys = append([]string{keyHidden}, formatKeys...)

// fields reads the frontmatter of a skill in a folder of that name. It reports whether
// the skill can be used.
func (d *draft) fields(root *yaml.Node, folder string) bool {
	if root == nil {
		root = &yaml.Node{Kind: yaml.MappingNode, Line: 2, Column: 1}
	}
	if root.Kind != yaml.MappingNode {
		d.note(fatal, root, "write it as lines of key: value", "the frontmatter is no list of keys and values")
		return false
	}
	values := d.pairs(root)
	d.name(values[keyName], folder)
	usable := d.description(values[keyDescription])
	s := d.skill
	s.License = d.text(keyLicense, values[keyLicense])
	s.Compatibility = d.compatibility(values[keyCompatibility])
	s.Metadata = d.metadata(values[keyMetadata])
	s.AllowedTools = d.allowedTools(values[keyAllowedTools])
	s.Hidden = d.hidden(values[keyHidden])
	return usable
}

// pairs returns the values by their keys; of two with one key the first counts.
func (d *draft) pairs(root *yaml.Node) map[string]*yaml.Node {
	values := map[string]*yaml.Node{}
	var unknown []*yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		name := excerpt.Of(key.Value, maxName)
		switch {
		case values[key.Value] != nil:
			d.note(wrong, key, "keep one of them", "the key %s is there already, in line %d, which counts", name, values[key.Value].Line)
			continue
		case key.Value == keyHidden:
			d.note(advice, key, "", "%s is no part of the format: some programs refuse the skill for it", name)
		case !slices.Contains(formatKeys, key.Value):
			unknown = append(unknown, key)
		}
		values[key.Value] = value
	}
	for _, key := range unknown {
		d.unknown(key, values)
	}
	return values
}

// unknown reports a key that the format does not have. One that is a known one misspelt is
// told to whoever uses the skill: allowed-tools that is not understood allows everything.
func (d *draft) unknown(key *yaml.Node, values map[string]*yaml.Node) {
	absent := slices.DeleteFunc(slices.Clone(knownKeys), func(known string) bool { return values[known] != nil })
	name := excerpt.Of(key.Value, maxName)
	near := nearest.Name(key.Value, absent)
	if near == "" {
		d.note(strict, key, "put what is your own below metadata", "unknown key %q", name)
		return
	}
	if d.misspelt == nil {
		d.misspelt = map[string]*yaml.Node{}
	}
	d.misspelt[near] = key
	d.note(wrong, key, "did you mean "+near+"?", "unknown key %q, which has no effect", name)
}

// meant is a hint for a key that is missing: one that is there and looks like it, or what
// else to do.
func (d *draft) meant(key, otherwise string) string {
	if near := d.misspelt[key]; near != nil {
		return fmt.Sprintf("did you mean %s, in line %d, to be it?", excerpt.Of(near.Value, maxName), near.Line)
	}
	return otherwise
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" }

// text returns the text of a value, and "" where there is none. A number or a boolean
// counts as what was written.
func (d *draft) text(key string, node *yaml.Node) string {
	switch {
	case node == nil:
		return ""
	case node.Kind != yaml.ScalarNode || isNull(node):
		d.note(wrong, node, "", "%s must be text", key)
		return ""
	case node.ShortTag() != "!!str":
		d.note(wrong, node, fmt.Sprintf("put it in quotes: \"%s\"", excerpt.Of(node.Value, maxName)), "%s must be text", key)
	}
	return strings.TrimSpace(node.Value)
}

// name is the folder's where the skill gives none that can be used.
func (d *draft) name(node *yaml.Node, folder string) {
	if node == nil {
		d.note(wrong, nil, d.meant(keyName, "add name: "+excerpt.Of(folder, maxName)), "name is missing")
	}
	name := d.text(keyName, node)
	if name == "" {
		d.skill.Name = normal(folder)
		return
	}
	for _, fault := range nameFaults(name) {
		d.note(wrong, node, "", "%s", fault)
	}
	if normal(name) != normal(folder) {
		d.note(wrong, node, "rename one of them", "the name %q is not that of the folder, %q", excerpt.Of(name, maxName), excerpt.Of(folder, maxName))
	}
	d.skill.Name = normal(name)
	if !isSpeakable(d.skill.Name) {
		d.skill.Name = normal(folder)
	}
}

func (d *draft) description(node *yaml.Node) bool {
	description := d.text(keyDescription, node)
	d.skill.Description = description
	switch n := utf8.RuneCountInString(description); {
	case n == 0:
		d.note(fatal, node, d.meant(keyDescription, "say what the skill does and when to use it: models choose by it"), "description is missing")
		return false
	case n > maxDescription:
		d.note(wrong, node, "", "description has %d characters, and at most %d are allowed", n, maxDescription)
	}
	return true
}

func (d *draft) compatibility(node *yaml.Node) string {
	text := d.text(keyCompatibility, node)
	switch n := utf8.RuneCountInString(text); {
	case node == nil:
	case n == 0:
		d.note(wrong, node, "leave it out", "compatibility is empty")
	case n > maxCompatibility:
		d.note(wrong, node, "", "compatibility has %d characters, and at most %d are allowed", n, maxCompatibility)
	}
	return text
}

func (d *draft) metadata(node *yaml.Node) map[string]string {
	if node == nil {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		d.note(wrong, node, "write it as lines of key: value", "metadata must be keys and values")
		return nil
	}
	metadata := map[string]string{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			d.note(wrong, key, "", "a key of metadata must be text")
			continue
		}
		if _, twice := metadata[key.Value]; twice {
			d.note(wrong, key, "keep one of them", "the key %s is in metadata already", excerpt.Of(key.Value, maxName))
			continue
		}
		metadata[key.Value] = d.text("metadata."+excerpt.Of(key.Value, maxName), value)
	}
	return metadata
}

func (d *draft) allowedTools(node *yaml.Node) []string {
	if node == nil {
		return nil
	}
	d.skill.allowedLine = node.Line
	if node.Kind == yaml.SequenceNode {
		d.note(wrong, node, "write it as text, the names with spaces between them", "allowed-tools must be text, not a list")
		patterns := []string{}
		for _, n := range node.Content {
			patterns = append(patterns, patternsOf(d.text(keyAllowedTools, n))...)
		}
		return patterns
	}
	return patternsOf(d.text(keyAllowedTools, node))
}

func (d *draft) hidden(node *yaml.Node) bool {
	if node == nil {
		return false
	}
	if node.Kind != yaml.ScalarNode || node.Value != "true" && node.Value != "false" {
		d.note(wrong, node, "write true or false", "%s must be a boolean", keyHidden)
		return true // who wrote it meant something by it
	}
	return node.Value == "true"
}
