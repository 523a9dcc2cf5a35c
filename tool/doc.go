// Package tool is what a model can call.
//
// A [Tool] is two methods: what it is, and how to call it. Most tools are typed
// Go functions:
//
//	type SearchInput struct {
//		Query string `json:"query" jsonschema:"minLength=1" jsonschema_description:"What to look for"`
//		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10"`
//	}
//
//	search, err := tool.New("search", "Search the handbook.",
//		func(ctx context.Context, in SearchInput) (string, error) { … })
//
// The input type becomes a JSON Schema, the model's arguments are checked
// against it before the function runs, and what the function returns becomes
// the result the model reads. [FromSchema] makes a tool from an explicit schema
// and a handler that gets raw JSON.
//
// Numbers reach the function as its types hold them: exactly in integers, and as a
// float64 in an any. Take a [encoding/json.RawMessage] where a number of any size
// must stay as it is.
//
// # Three sources that never mix
//
// The tool's name comes from the model and is looked up; arguments come from
// the model and are validated; everything else comes from the host by context
// and can't be written by a model. A function asks for it:
//
//	rt := tool.RuntimeFrom(ctx)           // call ID, state, store, configuration
//	user, ok := tool.Value[User](ctx)     // what the caller passed with agent.With
//
// # Results
//
// A string is text. A struct, map, slice, number or bool is JSON. A
// [message.Part], by value, or a slice of them passes through. [WithArtifact]
// adds a value that the host keeps and the model never sees. A [Result] is used
// as it is. What has no JSON form, such as a NaN, is an error for the model.
//
// # Errors
//
// An error is a result too: the model reads it and may try again. [Error] says
// what kind it is and keeps the text for the model apart from the cause for the
// log.
//
// # Questions
//
// A tool that needs a word from the person who uses it asks, and waits: [Confirm]
// for a yes or no, [Ask] for the fields of a struct, [Runtime.Ask] for everything
// else. Where nobody is there the error is [ErrNobody].
//
// # Writing your own Tool
//
// Any type with the two methods will do. Package tooltest checks that it keeps
// the rules.
package tool
