package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"helve/schema"
	"helve/tool"
)

const maxToolFile = 16 << 20 // bytes

const (
	wantTool  = `{"name": …, "description": …, "parameters": …}`
	wantTools = "[" + wantTool + "]"
)

// toolFile reads the definitions in a JSON file: an array of {"name",
// "description", "parameters"}, each bare or as a request to a provider has it.
// Its errors say where they are. Parameters that are no JSON Schema are an error,
// too, or where warn is given a warning, and then the tool takes any object.
func toolFile(ctx context.Context, name string, warn io.Writer) ([]tool.Definition, error) {
	data, err := readFile(ctx, name, maxToolFile)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, usage("--tools: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // a byte order mark
	place := func(at int, err error) error {
		line := 1 + bytes.Count(data[:min(at, len(data))], []byte("\n"))
		return usage("--tools: %s:%d: %w", name, line, err)
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(data, &elements); err != nil {
		if len(bytes.TrimSpace(data)) == 0 {
			err = errors.New("it is empty")
		}
		return nil, place(offset(err), inWords(err, wantTools))
	}
	if elements == nil {
		return nil, place(0, fmt.Errorf("want %s, not null", wantTools))
	}
	definitions := []tool.Definition{}
	numbers := map[string]int{}
	at := 0
	for i, raw := range elements {
		at += bytes.Index(data[at:], raw) // elements are bytes of data, in its order
		d, err := parseTool(raw)
		var bad *badSchemaError
		if errors.As(err, &bad) && warn != nil {
			what := "values are read without a schema"
			if lenient, findings, lenientErr := schema.CompileLenient(bad.parameters); lenientErr == nil && lenient.Root().Allows("object") {
				d.Parameters, what = lenient, findings[0].Message
			} else {
				d.Parameters = anyObject
			}
			fmt.Fprintf(warn, "helve: %s; %s\n", printable(place(at, fmt.Errorf("tool %d: %w", i+1, err)).Error()), printable(what))
			err = nil
		}
		if n, taken := numbers[d.Name]; taken && err == nil {
			err = fmt.Errorf("tool %d is called %s already", n, d.Name)
		}
		if err != nil {
			return nil, place(at+offset(err), fmt.Errorf("tool %d: %w", i+1, inWords(err, wantTool)))
		}
		numbers[d.Name] = i + 1
		definitions = append(definitions, d)
		at += len(raw)
	}
	return definitions, nil
}

var anyObject = schema.MustCompile(`{"type":"object"}`)

// badSchemaError says that a tool's parameters are no JSON Schema.
type badSchemaError struct {
	tool       string
	parameters json.RawMessage
	err        error
}

func (e *badSchemaError) Error() string { return "the parameters of " + e.tool + ": " + e.err.Error() }
func (e *badSchemaError) Unwrap() error { return e.err }

// wireTool is a tool as it is written; in a request to a provider the rest is
// under "function".
type wireTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Function    *wireTool       `json:"function"`
}

func parseTool(raw json.RawMessage) (tool.Definition, error) {
	if err := checkKeys(raw, 0); err != nil {
		return tool.Definition{}, err
	}
	var t wireTool
	if err := json.Unmarshal(raw, &t); err != nil {
		return tool.Definition{}, err
	}
	if t.Function != nil {
		t = *t.Function
	}
	if t.Name == "" {
		return tool.Definition{}, errors.New("it has no name")
	}
	d := tool.Definition{Name: t.Name, Description: t.Description}
	if len(t.Parameters) == 0 || string(t.Parameters) == "null" {
		return d, nil
	}
	s, err := schema.Compile(t.Parameters)
	if err != nil {
		return d, &badSchemaError{t.Name, t.Parameters, err}
	}
	if root := s.Root(); !root.Allows("object") {
		return d, fmt.Errorf("the parameters of %s must have the type object, not %s", t.Name, cmp.Or(root.Type, "none"))
	}
	d.Parameters = s
	return d, nil
}

// offset is where in the JSON an error of encoding/json is.
func offset(err error) int {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	var key *unknownKeyError
	switch {
	case errors.As(err, &key):
		return key.at
	case errors.As(err, &syntax):
		return int(syntax.Offset)
	case errors.As(err, &typ):
		return int(typ.Offset)
	}
	return 0
}

// inWords says of an error of encoding/json what is wanted in the place.
func inWords(err error, want string) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("this is not JSON: %w", syntax)
	case errors.As(err, &typ) && typ.Type.Kind() == reflect.String:
		return fmt.Errorf("%s must be a string, not %s", typ.Field, typ.Value)
	case errors.As(err, &typ) && typ.Field != "":
		return fmt.Errorf("%s must be an object, not %s", typ.Field, typ.Value)
	case errors.As(err, &typ):
		return fmt.Errorf("want %s, not %s", want, typ.Value)
	}
	return err
}
