package httptool_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"helve/catalog"
	"helve/httptool"
	"helve/netpolicy"
)

// How do the tools in tools/native/ get into a catalog?
func ExampleSource() {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "tools", "native", "weather.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		fmt.Println(err)
		return
	}
	err = os.WriteFile(file, []byte(`
name: weather
description: The weather of a city.
api_url: https://weather.example/{city}
parameters:
  city: {type: strng, required: true}
`), 0o644)
	if err != nil {
		fmt.Println(err)
		return
	}

	c, err := catalog.Load(context.Background(), catalog.Options{
		Dir:     dir,
		Sources: []catalog.Source{httptool.Source(netpolicy.Policy{})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range c.Problems() {
		fmt.Println(p.Error())
	}
	// Output:
	// tools/native/weather.yaml:6:16: parameters/city/type: "strng" is no type: did you mean string? there are string, integer, number, boolean, array, object, null
}
