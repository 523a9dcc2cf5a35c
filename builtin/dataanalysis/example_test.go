package dataanalysis_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"helve/builtin/dataanalysis"
	"helve/tool"
)

// A model writes SQL over the files of a folder.
func ExampleTools() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "sales.csv"), []byte("region,amount\nNorth,120.5\nSouth,80.25\nNorth,19.5\n"), 0o644)

	data, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer data.Close()
	tools, err := dataanalysis.Tools(dataanalysis.Config{Data: data})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, sql := range []string{
		"",
		"SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY total DESC",
		"DELETE FROM sales",
	} {
		args, _ := json.Marshal(map[string]string{"sql": sql})
		result, err := registry.Execute(context.Background(), "sql_tool", args)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Print(result.Text())
	}
	// Output:
	// sales (sales.csv, 3 rows): region TEXT, amount REAL
	// region,total
	// North,140.0
	// South,80.25
	// permission_denied: this statement would change something: the data can only be read. Write one SELECT.
}

// The host has the whole result with its types, whatever the model is shown.
func ExampleResult() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "people.jsonl"), []byte(`{"name":"Ann","age":30,"zip":"007"}`+"\n"), 0o644)
	data, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer data.Close()
	tools, err := dataanalysis.Tools(dataanalysis.Config{Data: data})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := registry.Execute(context.Background(), "sql_tool", json.RawMessage(`{"sql":"SELECT * FROM people"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	whole := result.Artifact.(dataanalysis.Result)
	fmt.Printf("%q %#v\n", whole.Columns, whole.Rows[0])
	// Output: ["name" "age" "zip"] []interface {}{"Ann", 30, "007"}
}
