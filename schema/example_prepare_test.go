package schema_test

import (
	"errors"
	"fmt"

	"helve/schema"
)

var search = schema.MustCompile(`{
	"type": "object",
	"properties": {
		"query": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1, "default": 10},
		"order": {"enum": ["asc", "desc"]}
	},
	"required": ["query"],
	"additionalProperties": false
}`)

// How do a model's arguments become ready for the tool?
func ExampleSchema_Prepare() {
	args, err := search.Prepare([]byte(`{"query": "leave"}`))
	fmt.Println(string(args), err)
	// Output:
	// {"query": "leave","limit":10} <nil>
}

// What is a model told about bad arguments?
func ExampleSchema_Prepare_violations() {
	_, err := search.Prepare([]byte(`{"limt": 5, "limit": 0, "order": "up"}`))
	var invalid *schema.ValidationError
	if errors.As(err, &invalid) {
		for _, v := range invalid.Violations {
			fmt.Println(v.Pointer, v.Message)
		}
	}
	// Output:
	// /limit must be at least 1, got 0
	// /limt unknown key "limt"; did you mean "limit"?
	// /order must be one of "asc", "desc"
	// /query is required
}

// How are values read that arrive as text?
func ExampleSchema_Coerce() {
	args, changes, err := search.Coerce([]byte(`{"query": "007", "limit": "5"}`))
	fmt.Println(string(args), err)
	for _, c := range changes {
		fmt.Printf("%s: %s became %s\n", c.Pointer, c.From, c.To)
	}
	// Output:
	// {"query":"007","limit":5} <nil>
	// /limit: "5" became 5
}
