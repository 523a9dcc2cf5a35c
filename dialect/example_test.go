package dialect_test

import (
	"errors"
	"fmt"

	"helve/dialect"
)

func ExampleRepairJSON() {
	value, repairs, err := dialect.RepairJSON([]byte(`{city: 'Zürich', "days": 3,}`))
	fmt.Println(string(value), err)
	for _, r := range repairs {
		fmt.Println(r.Offset, r.Kind)
	}

	_, _, err = dialect.RepairJSON([]byte(`{"command": "rm -r build`))
	fmt.Println(errors.Is(err, dialect.ErrTruncated))
	// Output:
	// {"city":"Zürich","days":3} <nil>
	// 1 unquoted
	// 7 single_quotes
	// 27 trailing_comma
	// true
}
