package builtin_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/builtin"
	"helve/executor"
	"helve/tool"
)

// TestReadFilePartPassesTheExecutorWhole: the note that says where to read on is
// at the end of a part, and must not be cut off with it.
func TestReadFilePartPassesTheExecutorWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.txt"), []byte(strings.Repeat("a line of text\n", 100_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	registry, err := tool.NewRegistry(builtin.ReadFile(root))
	if err != nil {
		t.Fatal(err)
	}
	call := tool.Call{ID: "1", Name: "read_file", Arguments: json.RawMessage(`{"path":"long.txt"}`)}
	r := executor.New(executor.Config{Tools: registry}).Execute(context.Background(), []tool.Call{call})[0]
	if r.Err != nil || !strings.Contains(r.Output.Text(), "offset") || strings.Contains(r.Output.Text(), "[cut:") {
		t.Errorf("error %v, the end is %q", r.Err, r.Output.Text()[max(0, len(r.Output.Text())-120):])
	}
}
