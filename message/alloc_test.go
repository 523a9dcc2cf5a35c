//go:build !race

// The race detector makes sync.Pool forget, and json.Valid has a pool.

package message_test

import (
	"testing"

	"helve/message"
)

func TestCheckAllocatesNothing(t *testing.T) {
	h := soundHistory(200)
	if n := testing.AllocsPerRun(20, func() { message.Check(h) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}
