package args_test

import (
	"fmt"

	"helve/tool/args"
)

// How does generated code read the arguments of a call?
func Example() {
	var city string
	var days int
	r := args.New("forecast", []byte(`{"city":"Zürich","days":3}`))
	for o := r.Object(); o.Next(); {
		switch string(o.Key) {
		case "city":
			city = args.String[string](r)
		case "days":
			days = args.Int[int](r)
		default:
			r.Skip()
		}
	}
	fmt.Println(city, days, r.Err())
	// Output: Zürich 3 <nil>
}
