package mcp_test

import (
	"encoding/json"
	"fmt"

	"helve/mcp"
	"helve/tool"
)

// A host reads what a server's tool sent for programs from the artifact of the call.
func ExampleOutput() {
	result := tool.WithArtifact("7 degrees", mcp.Output{Structured: json.RawMessage(`{"temperature":7}`)}) // of Executor.Execute

	if output, ok := result.Artifact.(mcp.Output); ok {
		var weather struct{ Temperature float64 }
		if err := json.Unmarshal(output.Structured, &weather); err != nil {
			fmt.Println(err)
		}
		fmt.Println(weather.Temperature)
	}
	// Output: 7
}
