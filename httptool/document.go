package httptool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"helve/internal/jsonobject"
)

// object is a JSON object that keeps the order of its keys: a selection from it is
// then the same each time. It is a [jp.Keyed], which the JSONPath library reads.
type object struct {
	keys   []string
	values map[string]any
}

// Keys returns the keys in the order of the document.
func (o *object) Keys() []string { return o.keys }

// ValueForKey returns the value of a key.
func (o *object) ValueForKey(key string) (any, bool) {
	value, ok := o.values[key]
	return value, ok
}

// SetValueForKey sets the value of a key; a new one is the last.
func (o *object) SetValueForKey(key string, value any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

// RemoveValueForKey removes a key.
func (o *object) RemoveValueForKey(key string) {
	delete(o.values, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

// appendValue writes a value that decode read. It is linear, however deep the value
// is.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case *object:
		return appendObject(b, v, v.keys)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, e)
		}
		return append(b, ']')
	}
	return append(b, jsonobject.Marshal(value)...)
}

// appendObject writes those of keys that o has.
func appendObject(b []byte, o *object, keys []string) []byte {
	b = append(b, '{')
	first := true
	for _, key := range keys {
		value, ok := o.values[key]
		if !ok {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, jsonobject.Marshal(key)...), ':')
		b = appendValue(b, value)
	}
	return append(b, '}')
}

// decode reads JSON with objects in their order, and with numbers that a filter
// can compare and that come out as they went in.
func decode(document []byte) (any, error) {
	if !json.Valid(document) { // and no deeper than encoding/json goes
		var value any
		err := json.Unmarshal(document, &value)
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	return next(d)
}

// next reads one value.
func next(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			return nextList(d)
		}
		return nextObject(d)
	case json.Number:
		return number(v), nil
	}
	return token, nil
}

func nextList(d *json.Decoder) (any, error) {
	list := []any{}
	for d.More() {
		value, err := next(d)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := d.Token()
	return list, err
}

func nextObject(d *json.Decoder) (any, error) {
	o := &object{values: map[string]any{}}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, errors.New("a key must be a string")
		}
		value, err := next(d)
		if err != nil {
			return nil, err
		}
		o.SetValueForKey(name, value)
	}
	_, err := d.Token()
	return o, err
}

// exactDigits is how long a number may be that a float64 certainly keeps.
const exactDigits = 15

func number(n json.Number) any {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i
	}
	if f, err := n.Float64(); err == nil && len(n) <= exactDigits {
		return f
	}
	return n
}
