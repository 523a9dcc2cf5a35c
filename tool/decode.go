package tool

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decode fills in from args as encoding/json does. Arguments are mostly small
// objects of plain values, which encoding/json reads twice and with care that
// they do not need: that took a third of a whole call (docs/performance.md). A
// type without a plan, and arguments that its plan is not sure of, go there.
func decode(args json.RawMessage, in any, p plan) error {
	if p != nil {
		v := reflect.ValueOf(in).Elem()
		if p.fill(args, v) {
			return nil
		}
		v.SetZero() // what was filled before the doubt
	}
	return json.Unmarshal(args, in)
}

// plan says where the values of an object go: a struct's fields by their keys. It
// is nil for a type that holds anything but strings, numbers and booleans.
type plan map[string]int

func planFor(t reflect.Type) plan {
	if t.Kind() != reflect.Struct || decodesItself(t) {
		return nil
	}
	p := plan{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		key, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous, strings.Contains(options, "string"), decodesItself(f.Type):
			return nil
		case !f.IsExported(), tag == "-":
			continue
		case key == "":
			key = f.Name
		}
		if _, twice := p[key]; twice || !isPlain(f.Type.Kind()) {
			return nil
		}
		p[key] = i
	}
	return p
}

func decodesItself(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return pointer.Implements(reflect.TypeFor[json.Unmarshaler]()) || pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func isPlain(k reflect.Kind) bool {
	return k == reflect.String || k == reflect.Bool || k >= reflect.Int && k <= reflect.Uint64 || k == reflect.Float32 || k == reflect.Float64
}

// fill reports false where encoding/json might do anything else: on what is not
// JSON, an unknown key, null, an escape in a string, a number that does not fit.
func (p plan) fill(args []byte, v reflect.Value) bool {
	rest, ok := after(args, '{')
	if !ok {
		return false
	}
	if end, empty := after(rest, '}'); empty {
		return len(skipSpace(end)) == 0
	}
	for {
		var key, value []byte
		if key, rest, ok = quoted(skipSpace(rest)); !ok {
			return false
		}
		i, known := p[string(key)]
		if rest, ok = after(rest, ':'); !ok || !known {
			return false
		}
		rest = skipSpace(rest)
		if field := v.Field(i); field.Kind() == reflect.String {
			if value, rest, ok = quoted(rest); !ok {
				return false
			}
			field.SetString(string(value))
		} else if value, rest = word(rest); !setWord(field, value) {
			return false
		}
		if next, more := after(rest, ','); more {
			rest = next
			continue
		}
		rest, ok = after(rest, '}')
		return ok && len(skipSpace(rest)) == 0
	}
}

// after returns what follows c, with white space before it.
func after(data []byte, c byte) ([]byte, bool) {
	data = skipSpace(data)
	if len(data) == 0 || data[0] != c {
		return data, false
	}
	return data[1:], true
}

func skipSpace(data []byte) []byte {
	for len(data) > 0 && (data[0] == ' ' || data[0] == '\t' || data[0] == '\n' || data[0] == '\r') {
		data = data[1:]
	}
	return data
}

// quoted returns the text of a string that needs no decoding, and what follows
// it.
func quoted(data []byte) (text, rest []byte, ok bool) {
	if len(data) == 0 || data[0] != '"' {
		return nil, data, false
	}
	ascii := true
	for i := 1; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			text = data[1:i]
			return text, data[i+1:], ascii || utf8.Valid(text)
		case c == '\\' || c < ' ':
			return nil, data, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, data, false
}

// word returns a number, true or false, and what follows it.
func word(data []byte) (text, rest []byte) {
	i := 0
	for i < len(data) && data[i] != ',' && data[i] != '}' && data[i] > ' ' {
		i++
	}
	return data[:i], data[i:]
}

func setWord(field reflect.Value, text []byte) bool {
	switch kind := field.Kind(); {
	case kind == reflect.Bool:
		value := string(text) == "true"
		field.SetBool(value)
		return value || string(text) == "false"
	case !isNumber(text):
		return false
	case kind == reflect.Float32 || kind == reflect.Float64:
		n, err := strconv.ParseFloat(string(text), field.Type().Bits())
		if err == nil {
			field.SetFloat(n)
		}
		return err == nil
	case field.CanInt():
		n, err := strconv.ParseInt(string(text), 10, field.Type().Bits())
		if err == nil {
			field.SetInt(n)
		}
		return err == nil
	case field.CanUint():
		n, err := strconv.ParseUint(string(text), 10, field.Type().Bits())
		if err == nil {
			field.SetUint(n)
		}
		return err == nil
	}
	return false
}

// isNumber keeps from strconv what it reads and JSON does not have, such as +5,
// 05, 0x5 and Inf.
func isNumber(text []byte) bool {
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || digits[0] < '0' || digits[0] > '9' {
		return false
	}
	if digits[0] == '0' && len(digits) > 1 && digits[1] >= '0' && digits[1] <= '9' {
		return false
	}
	for i, c := range digits {
		switch {
		case c >= '0' && c <= '9':
		case c == '.':
			if i+1 == len(digits) || digits[i+1] < '0' || digits[i+1] > '9' {
				return false
			}
		case c != 'e' && c != 'E' && c != '+' && c != '-':
			return false
		}
	}
	return true
}
