package yamlfile

import (
	"errors"
	"time"

	"go.yaml.in/yaml/v3"
)

// Duration is a time as people write it: 30s, 1m30s, 500ms. It is not negative.
type Duration time.Duration

// UnmarshalYAML reads it.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	value, err := time.ParseDuration(node.Value)
	if node.Kind != yaml.ScalarNode || err != nil || value < 0 {
		return errors.New("want a time with its unit, such as 30s, 500ms or 2m")
	}
	*d = Duration(value)
	return nil
}
