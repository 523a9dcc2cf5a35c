package sandbox_test

import (
	"context"
	"fmt"

	"helve/sandbox"
)

func ExampleProbe() {
	report := sandbox.Probe(context.Background())
	for _, f := range report.Features {
		if f.Name == "wasm" {
			fmt.Println(f.Name, f.OK)
		}
	}
	// Output: wasm true
}
