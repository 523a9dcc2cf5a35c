package jsonc

import "fmt"

// Kind is what a value is.
type Kind string

// The kinds of values, as they are called in messages.
const (
	Object Kind = "an object"
	Array  Kind = "an array"
	String Kind = "text"
	Number Kind = "a number"
	Bool   Kind = "true or false"
	Null   Kind = "null"
)

// Value is one value of a file.
type Value struct {
	Kind     Kind
	Text     string // a String's, decoded; a Number, true, false and null as they stand there
	Members  []Member
	Elements []*Value
	Place
}

// Member is a name in an object and its value. A name may be there twice.
type Member struct {
	Name  string
	Value *Value
	Place // of the name
}

// Place is where something begins. Both count from 1, columns in characters.
type Place struct{ Line, Column int }

// Get returns the first member of that name, or nil, also of a value that is no object.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Error says why a text can't be read, and where.
type Error struct {
	Place
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }
