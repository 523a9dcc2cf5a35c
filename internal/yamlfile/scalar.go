package yamlfile

import (
	"fmt"
	"reflect"
	"regexp"
	"time"

	"go.yaml.in/yaml/v3"
)

// readScalar reads text, a number or a boolean. What it says of a wrong value never
// shows one that came out of the environment.
func (r *reader) readScalar(node *yaml.Node, v reflect.Value) {
	want := wanted(v.Kind())
	if node.Kind != yaml.ScalarNode {
		r.fail(node, unquoted(node), "want %s, not %s", want, whatIs(node))
		return
	}
	hidden := r.expandOne(node)
	if v.Kind() == reflect.String {
		if !hidden && node.ShortTag() != "!!str" && node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 {
			r.fail(node, fmt.Sprintf("put it in quotes: \"%s\"", node.Value), "want text, not %s", whatIs(node))
			return
		}
		v.SetString(node.Value)
		return
	}
	if hidden {
		node.Tag = "" // it is what its text says now
	}
	if leadingZero.MatchString(node.Value) {
		r.fail(node, "write it without the 0 in front, which some read as octal", "want %s", want)
		return
	}
	if err := node.Decode(v.Addr().Interface()); err != nil || !fits(node, v.Kind()) {
		what := whatIs(node)
		if hidden {
			what = "what the environment says"
		}
		r.fail(node, "", "want %s, not %s", want, what)
	}
}

// unquoted is the remedy for {name}, which YAML takes for a key without a value.
func unquoted(node *yaml.Node) string {
	if node.Kind != yaml.MappingNode || node.Style&yaml.FlowStyle == 0 || len(node.Content) != 2 {
		return ""
	}
	key, value := node.Content[0], node.Content[1]
	if key.Kind != yaml.ScalarNode || !isNull(value) || value.Value != "" {
		return ""
	}
	return fmt.Sprintf("write \"{%s}\" in quotes", key.Value)
}

var leadingZero = regexp.MustCompile(`^[-+]?0[0-9]`)

// readDuration reads a [time.Duration] as people write it: 30s, 1m30s, 500ms. It may
// not be negative.
func (r *reader) readDuration(node *yaml.Node, v reflect.Value) {
	if node.Kind == yaml.ScalarNode {
		r.expandOne(node)
	}
	d, err := time.ParseDuration(node.Value)
	if node.Kind != yaml.ScalarNode || err != nil || d < 0 {
		r.fail(node, "", "want a time with its unit, such as 30s, 500ms or 2m")
		return
	}
	v.SetInt(int64(d))
}

// fits keeps the library from reading yes as true and 1.0 as 1.
func fits(node *yaml.Node, kind reflect.Kind) bool {
	switch kind {
	case reflect.Bool:
		return node.ShortTag() == "!!bool"
	case reflect.Float64:
		return node.ShortTag() == "!!float" || node.ShortTag() == "!!int"
	default:
		return node.ShortTag() == "!!int"
	}
}

func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

func whatIs(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	}
	switch node.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return fmt.Sprintf("the boolean %.40s", node.Value)
	case "!!int", "!!float":
		return fmt.Sprintf("the number %.40s", node.Value)
	case "!!timestamp":
		return fmt.Sprintf("the date %.40s", node.Value)
	}
	return fmt.Sprintf("the text %.40q", node.Value)
}

// expandOne puts variables into a scalar and reports whether there were any.
func (r *reader) expandOne(node *yaml.Node) bool {
	value, err := expand(node.Value, r.env)
	if err != nil {
		r.fail(node, "", "%v", err)
	}
	changed := value != node.Value
	node.Value = value
	return changed
}

// expandAll does it to all values below node; keys stay as they are.
func (r *reader) expandAll(node *yaml.Node) {
	switch node.Kind {
	case yaml.ScalarNode:
		if r.expandOne(node) {
			node.Tag = "!!str"
		}
	case yaml.SequenceNode:
		for _, c := range node.Content {
			r.expandAll(c)
		}
	case yaml.MappingNode:
		for i := 1; i < len(node.Content); i += 2 {
			r.expandAll(node.Content[i])
		}
	}
}
