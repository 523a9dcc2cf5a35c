package asked_test

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"helve/mcp/internal/asked"
)

func Example() {
	var open asked.Open
	id, _ := jsonrpc.MakeID("q1")
	fmt.Println(open.Begin(id)) // the server asks
	fmt.Println(open.Begin(id)) // and again, without waiting
	written := open.Answer(id)
	// … the answer is written …
	written()
	fmt.Println(open.Begin(id))
	// Output:
	// <nil>
	// a request with that id is not answered yet
	// <nil>
}
