package catalog

import (
	"crypto/sha256"
	"errors"
	"io"
)

// made is what came of the last good version of a file, or of the program's own tools.
// It is the same as long as its tools are.
type made struct {
	sum   [sha256.Size]byte
	file  *File
	value any  // []Found, *SetFile, *AgentFile or *Settings
	good  bool // nothing was wrong
}

// close closes the tools that want it.
func (m *made) close() error {
	found, _ := m.value.([]Found)
	var errs []error
	for _, f := range found {
		if c, ok := f.Tool.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}
