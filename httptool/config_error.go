package httptool

import (
	"errors"
	"fmt"
)

// ConfigError is one thing that is wrong with a [Config]. [New] joins all it
// finds with [errors.Join].
type ConfigError struct {
	Pointer string // the key, as a JSON Pointer: /query/page
	Message string // what is wrong, and how to mend it
}

func (e *ConfigError) Error() string { return e.Pointer[1:] + ": " + e.Message }

// problems collects what is wrong with a Config, so that its author reads all of
// it at once.
type problems struct {
	environment []string // values that it put into the Config
	all         []error
}

func (p *problems) add(pointer, format string, args ...any) {
	p.all = append(p.all, &ConfigError{pointer, fmt.Sprintf(format, args...)})
}

func (p *problems) err() error { return errors.Join(p.all...) }
