package catalog

import (
	"crypto/sha256"
	"errors"
	"io"
	"sync"
)

// made is what came of the last good version of a file, or of the program's own tools.
// It is the same as long as its tools are.
type made struct {
	sum   [sha256.Size]byte
	file  *File
	value any  // []Found, *SetFile, *AgentFile or *Settings
	good  bool // nothing was wrong

	version uint64 // where its source is Changing
}

func (m *made) close() error { return closeAll(m.closers()) }

// closers are the tools that want to be closed, and what they share.
func (m *made) closers() []io.Closer {
	var all []io.Closer
	found, _ := m.value.([]Found)
	for _, f := range found {
		if c, ok := f.Tool.(io.Closer); ok {
			all = append(all, c)
		}
		if f.Closer != nil {
			all = append(all, f.Closer)
		}
	}
	return all
}

func closeAll(all []io.Closer) error {
	errs := make([]error, len(all))
	var closing sync.WaitGroup
	for i, c := range all {
		closing.Go(func() { errs[i] = c.Close() })
	}
	closing.Wait()
	return errors.Join(errs...)
}
