package problems

import (
	"context"
	"net/url"

	"helve/gen/testdata/other"
	"helve/message"
	"helve/tool"
)

type (
	decodes struct{}
	says    struct{}
	secret  struct{ ID tool.CallID }
	bad     struct {
		Done  chan int `json:"done"`
		Name  string   `json:"name" jsonschema:"minlength=3"`
		Same  int      `json:"same"`
		Other int      `json:"SAME"`
		Num   int      `json:"num,string"`
		When  url.URL  `json:"when"`
		Comma []string `json:"comma" jsonschema:"description=Cities, comma separated"`
	}
	// wrong has no schema that is one.
	//
	//helve:schema {"type":"strin"}
	wrong string
)

func (*decodes) UnmarshalJSON([]byte) error { return nil }
func (says) JSONSchema() any                { return nil }

// Twice is here.
//
//helve:tool
func Twice() {}

// Again is the same tool.
//
//helve:tool name=twice
func Again() {}

//helve:tool
func NoComment() {}

// Options are wrong.
//
//helve:tool nam=x readonly read_only=yes timeout=soon timeout=3s name=
func Options() {}

// Name is wrong.
//
//helve:tool name=get/name
func Name() {}

// Method has a receiver.
//
//helve:tool
func (says) Method() {}

// Generic has types.
//
//helve:tool
func Generic[T any](v T) {}

// Results are too many.
//
//helve:tool
func Results() (int, string) { return 0, "" }

// Channel has no JSON.
//
//helve:tool
func Channel() (map[string][]chan int, error) { return nil, nil }

// Part is no value.
//
//helve:tool
func Part() *message.Image { return nil }

// Kinds can't be described.
//
// Args:
//
//	querry: what to look for
//	nothing: is not there
//
//helve:tool
func Kinds(query string, a chan int, b func(), c complex128, d map[int]string, e map[string]struct{}, f interface{ Read() }, g decodes, h says, i secret, j **int, _ int, k wrong, l Missing, m uintptr) {
}

// Fields can't be described.
//
//helve:tool
func Fields(in bad) {}

// Defaults are wrong. n is a count (default many). t is a time (default 1h). e is given (default 7).
//
//helve:tool
func Defaults(n int, t float64, e Side) {}

// Side is left or right.
type Side string

const (
	Left  Side = "left"
	Right Side = "right"
)

// Context comes late.
//
//helve:tool
func Context(n int, ctx context.Context, rt tool.Runtime, ids ...tool.CallID) {}

//helve:tool

// Gap has an empty line.
func Gap() {}

// Type is no function.
//
//helve:tool
type Type struct{}

// Typo is one.
//
//helve:tol
func Typo() {}

//helve:schema {}
func schemaOfAFunction() {}

// Foreign takes a type of another package.
//
//helve:tool
func Foreign(in other.Public) {}
