package tool_test

import (
	"testing"

	"helve/tool"
	"helve/tool/storetest"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) tool.Store { return tool.NewMemoryStore() })
}
