// Package schema knows what arguments a tool takes.
//
// A [Schema] comes from a Go type ([For]) or from a JSON Schema document
// ([Compile]). It checks what a model sent, puts in defaults, reads text as
// the type that is wanted, and renders itself for a provider.
//
//	s, err := schema.For[SearchInput]()
//	args, err := s.Prepare(raw) // defaults, then every violation at once
//
// # From a Go type
//
// The schema says what encoding/json decodes into the type, and nothing else:
//
//   - A struct is an object that takes no other keys, in the order of its
//     fields. Embedded structs are part of it.
//   - A field is required, unless it has omitempty or omitzero, is a pointer,
//     or has a default. The tag jsonschema:"required" makes it so.
//   - Slices, arrays, [Set], maps with string keys, nested and generic
//     structs are what they look like. A struct that is used twice, or that
//     holds itself, is under $defs.
//   - time.Time is a string of the format date-time, []byte is a string of
//     base64, types with UnmarshalText are strings. time.Duration is an
//     integer of nanoseconds, as encoding/json reads it, and says so.
//   - any and json.RawMessage take any JSON.
//   - A type with a method JSONSchema() *jsonschema.Schema
//     (github.com/invopop/jsonschema) says its own, for example a union by
//     anyOf; JSONSchemaExtend(*jsonschema.Schema) changes the inferred one.
//
// Everything else is an error that names the field: channels, functions,
// complex numbers, interfaces with methods, maps with other keys, types that
// decode their own JSON without saying its schema, two keys that differ in
// letter case only.
//
// Tags say more about a field. A comma ends a keyword; within a pattern it is
// written \\, and text with commas goes into its own tag:
//
//	Query string   `json:"query" jsonschema:"minLength=1,example=leave"`
//	Limit int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10"`
//	Order string   `json:"order,omitempty" jsonschema:"enum=asc,enum=desc"`
//	Towns []string `json:"towns" jsonschema:"minItems=1" jsonschema_description:"Towns, in order"`
//
// The keywords are title, description, default, enum, example, required,
// minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf,
// minLength, maxLength, pattern, format, minItems, maxItems and uniqueItems.
// On a slice, those that concern its elements are set on the elements. An
// unknown keyword, or one that does not suit the type, is an error.
//
// # Checking
//
// [Schema.Prepare] is on the way of every tool call. A reader compiled from
// the schema accepts the common valid document in one pass without
// allocation. Whatever it isn't sure of goes to a full validator
// (github.com/santhosh-tekuri/jsonschema), which knows all drafts and finds
// every violation. Formats and content encodings are checked, not only noted.
//
// A [ValidationError] is written for a model, in plain words with JSON
// pointers. A document that is not JSON at all is a [SyntaxError].
//
// Two things are violations although JSON Schema allows them, because
// encoding/json would mix up the values: a key given twice, and an undeclared
// key that equals a declared one but for letter case.
//
// Numbers are compared exactly and never pass through a float. Documents are
// limited to 16 MiB, 128 levels and, where the full validator is needed,
// 262,144 values; numbers to 1,000 digits.
//
// # Providers
//
// [Schema.Render] derives the copy that a provider accepts. What can't be
// expressed goes into the description, and a [Finding] tells the author.
package schema
