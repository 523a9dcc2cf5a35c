package tool

import (
	"encoding/json"
	"errors"
	"reflect"

	"helve/message"
)

// formatter returns how values of type Out become results. It is chosen when the
// tool is made, so that a call of the commonest types boxes nothing.
func formatter[Out any]() func(Out) (Result, error) {
	if f, ok := any(textResult).(func(Out) (Result, error)); ok {
		return f
	}
	if f, ok := any(ownResult).(func(Out) (Result, error)); ok {
		return f
	}
	return func(out Out) (Result, error) { return resultOf(out) }
}

func textResult(s string) (Result, error) { return Text(s), nil }

func ownResult(r Result) (Result, error) { return r, r.err }

// resultOf turns what a function returned into what the model reads (document
// 002, section 2).
func resultOf(v any) (Result, error) {
	switch v := v.(type) {
	case Result:
		return v, v.err
	case *Result:
		if v != nil {
			return *v, v.err
		}
	case string:
		return Text(v), nil
	case []message.Part:
		return Result{Content: v}, nil
	case message.ToolResult:
		return fromToolResult(v)
	case message.Part:
		return Result{Content: []message.Part{v}}, nil
	case error:
		return Result{}, v
	}
	return fromKind(v)
}

// fromKind serves named strings and slices of one kind of part, and writes the
// rest as JSON.
func fromKind(v any) (Result, error) {
	rv := reflect.ValueOf(v)
	switch {
	case rv.Kind() == reflect.String && !rv.Type().Implements(marshaler) && !rv.Type().Implements(textMarshaler):
		return Text(rv.String()), nil
	case rv.Kind() == reflect.Slice && rv.Type().Elem().Implements(partType):
		parts := make([]message.Part, rv.Len())
		for i := range parts {
			parts[i], _ = rv.Index(i).Interface().(message.Part)
		}
		return Result{Content: parts}, nil
	}
	data, err := marshal(v)
	if err != nil {
		return Result{}, notJSON(err)
	}
	return Text(string(data)), nil
}

// fromToolResult serves a tool that builds the whole tool message itself. Its
// CallID and Name are the executor's to set.
func fromToolResult(r message.ToolResult) (Result, error) {
	if r.IsError {
		return Result{Artifact: r.Artifact}, &Error{Kind: KindExecution, Message: r.Text()}
	}
	return Result{Content: r.Content, Artifact: r.Artifact}, nil
}

// failed is the result of a function that returned an error: the artifact is for
// the host, who may need it then more than ever.
func failed(out any) Result {
	r, _ := out.(Result)
	return Result{Artifact: r.Artifact}
}

func notJSON(err error) error {
	what := "a value that has no JSON form"
	var value *json.UnsupportedValueError
	var kind *json.UnsupportedTypeError
	switch {
	case errors.As(err, &value) && value.Value.CanFloat():
		what = "the number " + value.Str + ", which JSON can't hold"
	case errors.As(err, &value):
		what = "a value that contains itself, which JSON can't hold"
	case errors.As(err, &kind):
		what = "a " + kind.Type.String() + ", which has no JSON form"
	}
	return &Error{Kind: KindExecution, Message: "The tool returned " + what + ".", Err: err}
}
