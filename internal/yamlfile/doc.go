// Package yamlfile reads the YAML files that people write for helve, strictly: a
// key that nobody reads, a value of the wrong type, a key given twice or a variable
// that is not set is an error with its line and column, and says how to mend it. All
// errors of a file are found at once.
//
// A file's shape is a Go struct. Its yaml tags name the keys; a key without omitempty
// is required. A [time.Duration] is written as 30s, and an int64 is always that. The
// same struct makes the JSON Schema that editors check the file by
// ([Schema]), so what is accepted and what is documented can't differ.
//
// ${NAME} in a value is that environment variable, ${NAME:-default} the default where
// it is not set, and $${ a plain ${. Keys are never expanded.
//
// What a file may cost is bounded: its size, its depth, and how many values its
// anchors and aliases amount to.
package yamlfile
