// Package args reads the arguments of a call without reflection. It is for the
// code that "helve gen" writes; people write [helve/tool.New].
//
// A [Reader] goes over a JSON object once, from its beginning to its end. There is
// a function for each kind of Go type, and what holds other values takes the
// function for them:
//
//	r := args.New("search", raw)
//	for o := r.Object(); o.Next(); {
//		switch string(o.Key) {
//		case "query":
//			in.query = args.String[string](r)
//		case "tags":
//			in.tags = args.Slice[[]string](r, args.String)
//		default:
//			r.Skip()
//		}
//	}
//	if err := r.Err(); err != nil { … }
//
// It makes of valid arguments what encoding/json makes of them, with one
// difference on purpose: a key counts in its own letter case alone. null is the
// zero value. After the first thing that does not fit, nothing more is read and
// every function returns zero values; [Reader.Err] says what it was.
//
// The caller has checked the arguments against the tool's schema, so few errors
// are left: a number that the schema allows and the Go type can't hold, or a text
// that a type with UnmarshalText refuses. Any other input gets an error too, and
// no input makes a panic.
package args
