package gen_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"helve/gen"
)

// How does a program find out which tools a folder of Go code has?
func ExampleGenerate() {
	dir, err := os.MkdirTemp("", "tools")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	source := `package handbook

// SearchHandbook looks in the handbook. query is what to look for.
//
//helve:tool read_only
func SearchHandbook(query string) string { return "Nothing on " + query + "." }
`
	_ = os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/handbook\n"), 0o644)
	_ = os.WriteFile(filepath.Join(dir, "handbook.go"), []byte(source), 0o644)

	file, err := gen.Generate(context.Background(), dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range file.Tools {
		fmt.Printf("%s is func %s of package %s\n", t.Name, t.Function, file.Package)
	}
	stale, err := file.Stale()
	fmt.Println(stale != "", err)
	changed, err := file.Write()
	fmt.Println(changed, err)
	// Output:
	// search_handbook is func SearchHandbook of package example.com/handbook
	// true <nil>
	// true <nil>
}
