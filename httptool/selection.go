package httptool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/ohler55/ojg/jp"
)

// selection is the part of a JSON answer that the model gets.
type selection struct {
	path   jp.Expr // nil: all
	text   string
	fields []string
}

func newSelection(r Response, wrong *problems) selection {
	s := selection{text: r.Select, fields: r.Fields}
	if r.Select == "" {
		return s
	}
	path, err := jp.ParseString(r.Select)
	if err != nil {
		wrong.add("/response/select", "%q is no JSONPath: %v: write it as $.results[*]", r.Select, err)
	} else if len(path) == 0 || path[0] != jp.Root('$') {
		wrong.add("/response/select", "a JSONPath begins with $, the whole answer: write $.%s", r.Select)
	}
	s.path = path
	return s
}

// none says whether the model gets all.
func (s selection) none() bool { return s.path == nil && len(s.fields) == 0 }

// errNothing is for a path to one value, in an answer that has none there.
var errNothing = errors.New("nothing is there")

// of returns the selected part of document. A path that can name many values
// gives a list, even of one or none.
func (s selection) of(document []byte) (json.RawMessage, error) {
	value, err := decode(document)
	if err != nil {
		return nil, err
	}
	if s.path != nil {
		found := s.path.Get(value)
		switch {
		case !s.path.Normal():
			value = found
			if found == nil {
				value = []any{}
			}
		case len(found) == 0:
			return nil, errNothing
		default:
			value = found[0]
		}
	}
	if len(s.fields) == 0 {
		return toJSON(value), nil
	}
	return s.keep(value), nil
}

// keep writes value with only the chosen keys of its object, or of the objects
// in its list.
func (s selection) keep(value any) json.RawMessage {
	switch v := value.(type) {
	case map[string]any:
		var all []member
		for _, name := range s.fields {
			if field, ok := v[name]; ok {
				all = append(all, member{name, toJSON(field)})
			}
		}
		return writeMembers(all)
	case []any:
		list := make([]json.RawMessage, len(v))
		for i, e := range v {
			list[i] = s.keep(e)
		}
		return toJSON(list)
	}
	return toJSON(value)
}

// exactDigits is how long a number may be that a float64 certainly keeps.
const exactDigits = 15

// decode reads JSON with numbers that a filter can compare and that come out as
// they went in.
func decode(document []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	if d.More() {
		return nil, errors.New("not valid JSON: more than one value")
	}
	return withNumbers(value), nil
}

func withNumbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = withNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = withNumbers(e)
		}
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil && len(v) <= exactDigits {
			return f
		}
	}
	return value
}
