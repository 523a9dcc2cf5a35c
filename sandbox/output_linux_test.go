package sandbox

import (
	"strings"
	"sync"
	"testing"
)

// TestNothingThatWasPrintedIsLost has programs that print just before they end, so that the
// end is known before the print was read.
func TestNothingThatWasPrintedIsLost(t *testing.T) {
	t.Parallel()
	s := newBox(t, Options{Warm: 4})
	const size = 60 << 10
	spec := Spec{Args: []string{"/usr/bin/head", "-c", "61440", "/dev/zero"}}
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			for range 25 {
				r, err := s.Run(t.Context(), spec)
				if err != nil || len(r.Stdout) != size || strings.Trim(string(r.Stdout), "\x00") != "" {
					t.Errorf("%d bytes, %v", len(r.Stdout), err)
				}
			}
		})
	}
	runs.Wait()
}
