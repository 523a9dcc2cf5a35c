package httptool

import (
	"encoding/json"
	"errors"

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
		return appendValue(nil, value), nil
	}
	return s.appendFields(nil, value), nil
}

// appendFields writes value with only the chosen keys of its object, or of the
// objects in its list.
func (s selection) appendFields(b []byte, value any) []byte {
	list, many := value.([]any)
	o, one := value.(*object)
	switch {
	case one:
		return appendObject(b, o, s.fields)
	case !many:
		return appendValue(b, value)
	}
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.appendFields(b, e)
	}
	return append(b, ']')
}
