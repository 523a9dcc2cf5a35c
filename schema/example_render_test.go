package schema_test

import (
	"fmt"

	"helve/schema"
)

// What does a provider get, and what is lost?
func ExampleSchema_Render() {
	s := schema.MustCompile(`{
		"type": "object",
		"properties": {
			"name": {"type": "string", "maxLength": 20},
			"age":  {"type": "integer"}
		},
		"required": ["name"]
	}`)
	out, findings := s.Render(schema.OpenAIStrict)
	fmt.Println(string(out))
	for _, f := range findings {
		fmt.Println(f.Pointer+":", f.Message)
	}
	// Output:
	// {"type":"object","properties":{"name":{"type":"string","description":"Constraint: maxLength 20."},"age":{"type":["integer","null"]}},"required":["name","age"],"additionalProperties":false}
	// /properties/name: maxLength can't be expressed for openai-strict; it moved into the description
}
