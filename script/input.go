package script

import (
	"encoding/json"
	"fmt"
	"strings"

	"helve/internal/jsonobject"
	"helve/schema"
)

// How arguments arrive, as tool.yaml says it. Without a word it is JSON.
const (
	inputJSON      = "json"
	inputArguments = "arguments"
)

// line is the arguments in one line of JSON, so that a shell can read it.
func line(arguments []byte) []byte {
	if len(arguments) == 0 {
		return []byte("{}\n")
	}
	return append(jsonobject.Compact(arguments), '\n')
}

// maxFlag is less than the longest argument that Linux gives to a program, 128 KiB.
const maxFlag = 100 << 10

// flags are the arguments as --name=value, in the order of the parameters: text as it
// is, everything else as JSON. Null is left out, as is what was not given. Name and value
// are one argument, so that no value is taken for another name.
func flags(parameters *schema.Schema, arguments []byte) ([]string, error) {
	given := map[string]json.RawMessage{}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return nil, fmt.Errorf("the arguments are no JSON object: %w", err)
		}
	}
	var flags []string
	for _, p := range parameters.Properties() {
		value, ok := given[p.Name]
		delete(given, p.Name)
		if !ok || jsonobject.IsNull(value) {
			continue
		}
		text := string(jsonobject.Compact(value))
		if jsonobject.IsString(value) {
			if err := json.Unmarshal(value, &text); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		switch {
		case strings.ContainsRune(text, 0):
			return nil, fmt.Errorf("%s holds the character NUL (\\u0000), which can't be passed on: leave it out", p.Name)
		case len(text) > maxFlag:
			return nil, fmt.Errorf("%s is %d bytes long, and at most %d can be passed on", p.Name, len(text), maxFlag)
		}
		flags = append(flags, "--"+p.Name+"="+text)
	}
	for name := range given {
		return nil, fmt.Errorf("%.100q is no parameter", name)
	}
	return flags, nil
}
