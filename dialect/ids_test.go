package dialect_test

import (
	"fmt"

	"helve/dialect"
)

func ExampleIDs() {
	var ids dialect.IDs
	ids.Take("call_1") // from an earlier answer
	for _, call := range []dialect.Call{{Name: "search"}, {Name: "search", ID: "call_3"}, {Name: "search"}} {
		fmt.Println(ids.For(&call))
	}
	// Output:
	// call_2
	// call_3
	// call_4
}
