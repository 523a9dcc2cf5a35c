package builtin_test

import (
	"context"
	"fmt"

	"helve/builtin"
	"helve/tool"
)

func ExampleCalculate() {
	calculate := builtin.Calculate()
	for _, arguments := range []string{`{"expression":"0.1 + 0.2"}`, `{"expression":"2^100"}`, `{"expression":"1 / (2 - 2)"}`} {
		result, err := calculate.Call(context.Background(), tool.Call{Name: "calculate", Arguments: []byte(arguments)})
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println(result.Text())
	}
	// Output:
	// 0.3
	// 1267650600228229401496703205376
	// error: column 3: division by zero
}
