package tooltest_test

import (
	"context"
	"fmt"

	"helve/tool"
	"helve/tool/tooltest"
)

// A tool of one's own is checked in one line. In a test, tooltest.Run does the
// same with a subtest for each rule.
func ExampleCheck() {
	type Input struct {
		City string `json:"city"`
	}
	weather := tool.Must(tool.New("weather", "Tell the weather in a city.",
		func(_ context.Context, in Input) (string, error) { return "Sunny in " + in.City, nil }))

	fmt.Println(tooltest.Check(weather, `{"city":"Oslo"}`))
	// Output: <nil>
}

// lazy is a tool whose author forgot to say what it is for.
type lazy struct{}

func (lazy) Definition() tool.Definition { return tool.Definition{Name: "lazy"} }

func (lazy) Call(context.Context, tool.Call) (tool.Result, error) { return tool.Text("done"), nil }

func ExampleCheck_broken() {
	fmt.Println(tooltest.Check(lazy{}))
	// Output: definition: tool lazy: give it a description: the model chooses tools by it
}
