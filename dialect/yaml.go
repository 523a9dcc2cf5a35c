package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"helve/schema"
	"helve/tool"
)

// maxYAML bounds the bytes of a body in YAML: in memory it takes a hundred times
// as many.
const maxYAML = 4 << 20

var errNotYAML = errors.New("the YAML can't be read")

// readYAML returns arguments in YAML, a mapping, as JSON. Aliases are refused:
// a few lines of them stand for gigabytes.
func readYAML(text string, def *tool.Definition) (json.RawMessage, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return json.RawMessage("{}"), nil
	case len(text) > maxYAML:
		return nil, fmt.Errorf("the YAML is longer than %d bytes", maxYAML)
	}
	var document, more yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&document); err == io.EOF {
		return json.RawMessage("{}"), nil // comments
	} else if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotYAML, err)
	}
	if decoder.Decode(&more) != io.EOF {
		return nil, errors.New("more than one YAML document")
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%w as names with values", errNotYAML)
	}
	var y yamlReader
	if err := y.mapping(document.Content[0], parametersOf(def)); err != nil {
		return nil, err
	}
	return y.out, nil
}

// yamlReader writes YAML's nodes as JSON.
type yamlReader struct {
	out   []byte
	depth int
}

func (y *yamlReader) value(n *yaml.Node, p schema.Property, known bool) error {
	if y.depth++; y.depth > maxDepth {
		return fmt.Errorf("the YAML nests deeper than %d", maxDepth)
	}
	defer func() { y.depth-- }()
	switch n.Kind {
	case yaml.MappingNode:
		parameters := map[string]schema.Property{}
		for _, property := range p.Properties() {
			parameters[property.Name] = property
		}
		return y.mapping(n, parameters)
	case yaml.SequenceNode:
		items, known := p.Items()
		y.out = append(y.out, '[')
		for i, item := range n.Content {
			if i > 0 {
				y.out = append(y.out, ',')
			}
			if err := y.value(item, items, known); err != nil {
				return err
			}
		}
		y.out = append(y.out, ']')
		return nil
	case yaml.ScalarNode:
		y.out = append(y.out, yamlScalar(n, p, known)...)
		return nil
	}
	return errors.New("the YAML has an alias")
}

func (y *yamlReader) mapping(n *yaml.Node, parameters map[string]schema.Property) error {
	seen := map[string]bool{}
	y.out = append(y.out, '{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return errors.New("a key in the YAML is no name")
		}
		if seen[key.Value] {
			return fmt.Errorf("the key %q is there twice", key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			y.out = append(y.out, ',')
		}
		y.out = append(append(y.out, quote(key.Value)...), ':')
		p, known := parameters[key.Value]
		if err := y.value(n.Content[i+1], p, known); err != nil {
			return err
		}
	}
	y.out = append(y.out, '}')
	return nil
}

// yamlScalar is a scalar as JSON. What YAML takes for a number or a word of its own
// is text where the schema wants text, and where JSON would write it otherwise:
// 007 and 0x1f are no less exact as text.
func yamlScalar(n *yaml.Node, p schema.Property, known bool) json.RawMessage {
	literal := ""
	switch n.ShortTag() {
	case "!!null":
		literal = "null"
	case "!!bool":
		literal = strings.ToLower(n.Value)
	case "!!int", "!!float":
		if literal = n.Value; !known || p.Allows("string") {
			break
		}
		literal = jsonNumber(n.Value)
	}
	if literal == "" || !json.Valid([]byte(literal)) || known && p.Allows("string") && !p.Allows(jsonType(literal[0])) {
		return jsonString(n.Value)
	}
	return json.RawMessage(literal)
}
