package gofunc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"helve/catalog"
	"helve/gofunc"
	"helve/tool"
)

// How does a Go function in a workspace become a tool?
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	folder := filepath.Join(dir, "tools", "builtin")
	_ = os.MkdirAll(folder, 0o755)
	_ = os.WriteFile(filepath.Join(folder, "double.go"), []byte(`package tools

// Double doubles a number.
//
//helve:tool
func Double(n int) int { return 2 * n }
`), 0o644)

	// A person does this once, after each change: helve gen tools/builtin
	cache := filepath.Join(dir, "cache")
	if _, err := gofunc.Build(ctx, folder, cache); err != nil {
		fmt.Println(err)
		return
	}

	// And from then on the workspace has the tool.
	c, err := catalog.Load(ctx, catalog.Options{Dir: dir, Sources: []catalog.Source{gofunc.Source(gofunc.Options{Cache: cache})}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range c.Entries() {
		result, err := tool.Invoke(ctx, e.Tool, tool.Call{Arguments: []byte(`{"n":21}`)})
		fmt.Println(e.Tool.Definition().Name, e.Kind, e.Place(), result.Text(), err)
		fmt.Println(e.Tool.(interface{ Close() error }).Close())
	}
	// Output:
	// double go tools/builtin/double.go:6 42 <nil>
	// <nil>
}
