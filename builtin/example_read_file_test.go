package builtin_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"helve/builtin"
	"helve/tool"
)

// The tool reads what is in the folder and nothing above it.
func ExampleReadFile() {
	dir, err := os.MkdirTemp("", "notes")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "plan.txt"), []byte("Plant the oak.\n"), 0o600); err != nil {
		panic(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		panic(err)
	}
	defer root.Close()

	readFile := builtin.ReadFile(root)
	for _, arguments := range []string{`{"path":"plan.txt"}`, `{"path":"../plan.txt"}`} {
		result, err := readFile.Call(context.Background(), tool.Call{Name: "read_file", Arguments: []byte(arguments)})
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Print(result.Text())
	}
	// Output:
	// Plant the oak.
	// error: permission_denied: path "../plan.txt" leaves the folder the tool may read: write a path relative to that folder
}
