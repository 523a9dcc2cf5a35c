package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"helve/internal/jsontext"
)

// jsonKeys are the keys under which a call in JSON has its name and arguments.
type jsonKeys struct {
	name, arguments, id []string
	other               []string // that bare JSON may begin with as well

	required bool   // without arguments it is no call
	enough   string // a name under this key makes a call in spite of that
	object   bool   // arguments in a string are none
}

var commonKeys = jsonKeys{
	name:      []string{"name"},
	arguments: []string{"arguments", "parameters"},
	id:        []string{"id"},
}

// bareKeys are for JSON that no marker announces. {"name": "Alice"} is an answer.
var bareKeys = jsonKeys{
	name:      []string{"name"},
	arguments: []string{"arguments", "parameters"},
	id:        []string{"id"},
	required:  true,
}

// readJSON returns text as valid JSON: as it is, or mended. closed says that the
// model has ended the value by a marker, so that missing brackets may be added.
func readJSON(text string, closed bool) (string, []Repair, error) {
	if validJSON(text) {
		return text, nil, nil
	}
	repair := RepairJSON
	if closed {
		repair = repairClosed
	}
	value, repairs, err := repair([]byte(text))
	return string(value), repairs, err
}

// calls reads one call, or an array of them.
func (k *jsonKeys) calls(text string, closed bool) ([]Call, error) {
	value, repairs, err := readJSON(text, closed)
	if err != nil {
		return nil, err
	}
	var calls []Call
	if trimmed := strings.TrimSpace(value); trimmed[0] == '[' {
		for element := range elements(trimmed) {
			call, err := k.call(element)
			if err != nil {
				return nil, err
			}
			calls = append(calls, call)
		}
	} else {
		call, err := k.call(trimmed)
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
	if len(calls) > 0 {
		calls[0].Repairs = append(repairs, calls[0].Repairs...)
	}
	return calls, nil
}

var errNoName = errors.New(`the JSON has no string "name"`)

// call reads the object of one call. Of a key that is there twice, the last counts.
func (k *jsonKeys) call(object string) (Call, error) {
	if object[0] != '{' {
		return Call{}, errors.New("the JSON is not an object")
	}
	var call Call
	enough := false
	for key, value := range members(object) {
		switch {
		case slices.Contains(k.name, key):
			call.Name = ""
			enough = key == k.enough
			if value[0] == '"' {
				call.Name = strings.TrimSpace(unquote(value))
			}
		case slices.Contains(k.arguments, key):
			if k.object && value[0] != '{' {
				return Call{Name: call.Name}, fmt.Errorf("%q %w", key, errNoObject)
			}
			if err := call.setArguments(value); err != nil {
				return Call{Name: call.Name}, fmt.Errorf("%q %w", key, err)
			}
		case slices.Contains(k.id, key):
			if call.ID = value; value[0] == '"' {
				call.ID = unquote(value)
			}
		}
	}
	switch {
	case call.Name == "":
		return Call{}, errNoName
	case call.Arguments == nil && k.required && !enough:
		return Call{Name: call.Name}, errors.New("the JSON has no arguments")
	case call.Arguments == nil:
		call.Arguments = json.RawMessage("{}")
	}
	return call, nil
}

var errNoObject = errors.New("is not an object")

// setArguments takes a JSON object, or a string that holds one. Mends inside the
// string count from its text's beginning.
func (c *Call) setArguments(value string) error {
	if value[0] == '"' {
		inner, repairs, err := readJSON(unquote(value), false)
		if err != nil {
			return fmt.Errorf("is a string that holds no JSON: %w", err)
		}
		c.Repairs = append(c.Repairs, repairs...)
		value = strings.TrimSpace(inner)
	}
	if value[0] != '{' {
		return errNoObject
	}
	c.Arguments = json.RawMessage(value)
	return nil
}

// members yields the keys and values of a valid JSON object.
func members(object string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		at := skipSpace(object, 1)
		for object[at] != '}' {
			end := skipValue(object, at)
			key := unquote(object[at:end])
			at = skipSpace(object, skipSpace(object, end)+1) // the colon
			end = skipValue(object, at)
			if !yield(key, object[at:end]) {
				return
			}
			if at = skipSpace(object, end); object[at] == ',' {
				at = skipSpace(object, at+1)
			}
		}
	}
}

// elements yields the elements of a valid JSON array.
func elements(array string) iter.Seq[string] {
	return func(yield func(string) bool) {
		at := skipSpace(array, 1)
		for array[at] != ']' {
			end := skipValue(array, at)
			if !yield(array[at:end]) {
				return
			}
			if at = skipSpace(array, end); array[at] == ',' {
				at = skipSpace(array, at+1)
			}
		}
	}
}

// skipValue returns where the value ends that begins at at, in valid JSON.
func skipValue(s string, at int) int {
	switch s[at] {
	case '{', '[':
		for depth := 0; ; at++ {
			switch s[at] {
			case '"':
				at = skipString(s, at) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return at + 1
				}
			}
		}
	case '"':
		return skipString(s, at)
	}
	for at < len(s) && strings.IndexByte(" \t\r\n,]}", s[at]) < 0 {
		at++
	}
	return at
}

func skipString(s string, at int) int {
	for at = jsontext.SkipPlain(s, at+1); s[at] != '"'; at = jsontext.SkipPlain(s, at+1) {
		if s[at] == '\\' {
			at++
		}
	}
	return at + 1
}

func skipSpace(s string, at int) int {
	for at < len(s) && isSpace(s[at]) {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// unquote returns the text of a valid JSON string.
func unquote(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s[1 : len(s)-1]
	}
	var text string
	if err := json.Unmarshal([]byte(s), &text); err != nil {
		return ""
	}
	return text
}
