package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"helve/schema"
)

// Option sets how the host runs a tool. Each option is the field of
// [Definition] with its name.
type Option func(*Definition)

// ReturnDirect makes the tool's answer the end of the run, if every call of that
// turn asks for it.
func ReturnDirect() Option { return func(d *Definition) { d.ReturnDirect = true } }

// Sequential makes the tool run alone among the calls of one answer.
func Sequential() Option { return func(d *Definition) { d.Sequential = true } }

// ReadOnly says that the tool changes nothing.
func ReadOnly() Option { return func(d *Definition) { d.ReadOnly = true } }

// Idempotent says that calling the tool again does no more harm than calling it
// once.
func Idempotent() Option { return func(d *Definition) { d.Idempotent = true } }

// Timeout bounds each call of the tool, in place of the executor's limit.
func Timeout(d time.Duration) Option { return func(def *Definition) { def.Timeout = d } }

// New makes a tool of a Go function.
//
// In is what the model fills: a struct whose fields carry json and jsonschema
// tags (see package schema), or a map with string keys. fn gets it after the
// arguments were validated and defaults applied. Out is what the model reads, by
// the rules in the package documentation. What fn needs from the host it takes
// from ctx: [RuntimeFrom], [Value].
//
// The error names the field that can't be described to a model, such as a
// channel, and the remedy.
func New[In, Out any](name, description string, fn func(context.Context, In) (Out, error), options ...Option) (Tool, error) {
	if fn == nil {
		return nil, fmt.Errorf("tool %s: its function is nil", name)
	}
	parameters, err := parametersOf(reflect.TypeFor[In]())
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", name, err)
	}
	if err := checkOutput(reflect.TypeFor[Out]()); err != nil {
		return nil, fmt.Errorf("tool %s: %w", name, err)
	}
	format := formatter[Out]()
	fields := planFor(reflect.TypeFor[In]())
	call := func(ctx context.Context, args json.RawMessage) (Result, error) {
		var in In
		if err := decode(args, &in, fields); err != nil {
			return Result{}, decodeError(name, err)
		}
		out, err := fn(ctx, in)
		if err != nil {
			return failed(out), err
		}
		return format(out)
	}
	return newFunction(name, description, parameters, reflect.TypeFor[Out](), call, options)
}

// Must returns t, and panics if err is not nil. It is for tools that are part of
// the program: tool.Must(tool.New(…)).
func Must(t Tool, err error) Tool {
	if err != nil {
		panic(err)
	}
	return t
}

// FromSchema makes a tool of an explicit JSON Schema, whose root must be an
// object, and a handler that gets the arguments as JSON, valid against that
// schema and with its defaults applied. What fn returns becomes the result by
// the rules in the package documentation.
func FromSchema[Out any](name, description string, parameters []byte, fn func(ctx context.Context, args json.RawMessage) (Out, error), options ...Option) (Tool, error) {
	if fn == nil {
		return nil, fmt.Errorf("tool %s: its function is nil", name)
	}
	s, err := schema.Compile(parameters)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", name, err)
	}
	if err := checkOutput(reflect.TypeFor[Out]()); err != nil {
		return nil, fmt.Errorf("tool %s: %w", name, err)
	}
	format := formatter[Out]()
	call := func(ctx context.Context, args json.RawMessage) (Result, error) {
		out, err := fn(ctx, args)
		if err != nil {
			return failed(out), err
		}
		return format(out)
	}
	return newFunction(name, description, s, reflect.TypeFor[Out](), call, options)
}

type function struct {
	definition Definition
	call       func(context.Context, json.RawMessage) (Result, error)
	output     output
}

func newFunction(name, description string, parameters *schema.Schema, out reflect.Type, call func(context.Context, json.RawMessage) (Result, error), options []Option) (Tool, error) {
	f := &function{
		definition: Definition{Name: name, Description: description, Parameters: parameters},
		call:       call,
		output:     output{of: out},
	}
	if err := f.definition.Check(); err != nil {
		return nil, err
	}
	for _, option := range options {
		if option != nil {
			option(&f.definition)
		}
	}
	return f, nil
}

func (f *function) Definition() Definition { return f.definition }

func (f *function) Call(ctx context.Context, call Call) (Result, error) {
	return f.call(ctx, call.Arguments)
}

// decodeError is for what a schema can't say and Go can, such as a number that
// does not fit an int8 in a type with a schema of its own.
func decodeError(name string, err error) error {
	e := &Error{Kind: KindInvalidParameters, Message: "Invalid parameters for " + name + ": " + err.Error(), Err: err}
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		e.Message = fmt.Sprintf("Invalid parameters for %s: %s does not fit %s.", name, mismatch.Field, mismatch.Type)
	}
	return e
}
