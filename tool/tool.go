package tool

import (
	"context"
	"encoding/json"
)

// Tool is something a model can call.
//
// Definition returns the same value every time. Call runs the tool once. The
// caller has checked the arguments against the definition's parameters; use
// [Invoke] to check and call in one step. Call may be used by many goroutines
// at once. It should return soon after ctx ends; if it does not, the executor
// answers the model without it. A returned error is for the model to read: see
// [Error]. With an error, of the Result only the artifact counts. The caller may
// use the result as its own, so no two calls share one.
//
// Optional abilities are separate one-method interfaces found by type
// assertion, such as [io.Closer] for a tool that holds a resource.
type Tool interface {
	Definition() Definition
	Call(ctx context.Context, call Call) (Result, error)
}

// Call is one call of a tool. ID identifies it within its run and may be empty
// outside one. Arguments is a JSON object; a tool reads it and changes nothing.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage
}
