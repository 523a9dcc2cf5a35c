package dataanalysis_test

import (
	"context"
	"fmt"
	"os"

	"helve/builtin/dataanalysis"
	"helve/tool"
)

// A model draws what a query returns and puts it into a workbook. The person finds
// both in the output folder; the host gets the picture as the artifact.
func ExampleSaved() {
	data, output, done := folders(map[string]string{"sales.csv": "region,amount\nNorth,10.50\nSouth,7.25\nNorth,4.00\n"})
	defer done()
	tools, err := dataanalysis.Tools(dataanalysis.Config{Data: data, Output: output})
	if err != nil {
		panic(err)
	}
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	result, err := registry.Execute(ctx, "plot_tool", []byte(`{"kind":"bar","width":400,"height":300,"sql":"SELECT region, SUM(amount) AS total FROM sales GROUP BY region"}`))
	if err != nil {
		panic(err)
	}
	picture := result.Artifact.(dataanalysis.Saved)
	fmt.Printf("%s, %s, begins with %q\n", picture.Path, picture.MediaType, picture.Data[1:4])

	result, err = registry.Execute(ctx, "excel_tool", []byte(`{"operation":"write","file":"totals.xlsx","columns":["region","total"],"rows":[["North",14.5],["South",7.25]]}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Artifact.(dataanalysis.Saved).Path)
	result, err = registry.Execute(ctx, "excel_tool", []byte(`{"operation":"read","file":"totals.xlsx","range":"A2:B3"}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Text())
	// Output:
	// total-by-region.png, image/png, begins with "PNG"
	// totals.xlsx
	// {"file":"totals.xlsx","folder":"output","sheet":"Sheet1","range":"A2:B3","rows":[["North",14.5],["South",7.25]]}
}

// folders makes a data folder of files, and an empty output folder.
func folders(files map[string]string) (data, output *os.Root, done func()) {
	dir, err := os.MkdirTemp("", "dataanalysis")
	if err != nil {
		panic(err)
	}
	both := [2]*os.Root{}
	for i, name := range []string{"/data", "/output"} {
		if err := os.Mkdir(dir+name, 0o700); err != nil {
			panic(err)
		}
		if both[i], err = os.OpenRoot(dir + name); err != nil {
			panic(err)
		}
	}
	for name, content := range files {
		if err := both[0].WriteFile(name, []byte(content), 0o600); err != nil {
			panic(err)
		}
	}
	return both[0], both[1], func() {
		both[0].Close()
		both[1].Close()
		os.RemoveAll(dir)
	}
}
