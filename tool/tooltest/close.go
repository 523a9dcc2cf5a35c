package tooltest

import (
	"fmt"
	"io"
)

func checkClose(s *subject) error {
	closer, ok := s.tool.(io.Closer)
	if !ok {
		return nil
	}
	if err := closer.Close(); err != nil {
		return fmt.Errorf("closing the tool: %w", err)
	}
	for _, args := range s.examples {
		if err := s.returns("after Close", args, false); err != nil {
			return err
		}
	}
	return nil
}
