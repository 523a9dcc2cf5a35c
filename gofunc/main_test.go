package gofunc_test

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"helve/gofunc"
)

//go:embed testdata/tools.go.txt
var source string

// workspace and cache hold the folder of testdata, built once for all tests.
var workspace, cache string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gofunc")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	workspace, cache = filepath.Join(dir, "work"), filepath.Join(dir, "cache")
	folder := filepath.Join(workspace, "tools", "builtin")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		fmt.Println(err)
		return 1
	}
	if err := os.WriteFile(filepath.Join(folder, "tools.go"), []byte(source), 0o644); err != nil {
		fmt.Println(err)
		return 1
	}
	if _, err := gofunc.Build(context.Background(), folder, cache); err != nil {
		fmt.Println(err)
		return 1
	}
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Println(err)
		code = 1
	}
	return code
}
