package mcp

import (
	"fmt"
	"io"
	"testing"

	"helve/mcp/internal/stdio"
)

// A program that was not sent a call whole has not run it; any other error leaves it open.
func TestWhatAProgramMayHaveRun(t *testing.T) {
	t.Parallel()
	_, watch := program{}.watch(t.Context())
	if watch.ran(fmt.Errorf("calling: %w", fmt.Errorf("%w: broken pipe", stdio.ErrNotWritten))) {
		t.Error("a call that was not written may have run")
	}
	if !watch.ran(io.EOF) {
		t.Error("a call whose answer did not come has not run")
	}
}
