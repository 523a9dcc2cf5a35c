package wire

import (
	"bytes"
	"context"
	"testing"

	"helve/tool"
	"helve/tool/storetest"
)

// TestStoreTravels: a store that is asked by frames keeps the rules of one that is
// called.
func TestStoreTravels(t *testing.T) {
	storetest.Run(t, func(*testing.T) tool.Store {
		host := tool.NewMemoryStore()
		return NewStore(func(ctx context.Context, a Ask) (Ask, error) {
			asked, err := travel(a)
			if err != nil {
				return Ask{}, err
			}
			given, _ := asked.Do(ctx, &tool.Runtime{Store: host})
			return travel(given)
		})
	})
}

// travel writes and reads a frame.
func travel(a Ask) (Ask, error) {
	var b bytes.Buffer
	if err := NewWriter(&b).Write(Frame{Kind: Want, Ask: &a}); err != nil {
		return Ask{}, err
	}
	f, err := NewReader(&b).Read()
	if err != nil {
		return Ask{}, err
	}
	return *f.Ask, nil
}
