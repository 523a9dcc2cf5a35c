package schema_test

import (
	"fmt"
	"log"

	"helve/schema"
)

// What does a Go type become?
func ExampleFor() {
	type SearchInput struct {
		Query string `json:"query" jsonschema:"minLength=1" jsonschema_description:"What to look for, in plain words"`
		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10"`
		Order string `json:"order,omitempty" jsonschema:"enum=asc,enum=desc"`
	}
	s, err := schema.For[SearchInput]()
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range s.Properties() {
		fmt.Printf("%s: %s, required %t, default %q\n", p.Name, p.Type, p.Required, p.Default)
	}
	// Output:
	// query: string, required true, default ""
	// limit: integer, required false, default "10"
	// order: string, required false, default ""
}
