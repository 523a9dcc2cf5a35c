package mend

import "strconv"

// check says whether the SDK can decode a value where it wants a certain type. null it
// takes everywhere.
type check func(value []byte) bool

// misfit says whether key is one of fields, and value none that fits.
func misfit(fields map[string]check, key, value []byte) bool {
	fits, known := fields[string(key)]
	return known && !fits(value)
}

func isNull(v []byte) bool    { return string(v) == "null" }
func isText(v []byte) bool    { return first(v) == '"' || isNull(v) }
func isBoolean(v []byte) bool { return string(v) == "true" || string(v) == "false" || isNull(v) }

// isInteger wants digits alone: the SDK refuses 1.0 and 1e3.
func isInteger(v []byte) bool {
	if isNull(v) {
		return true
	}
	_, err := strconv.ParseInt(string(v), 10, 64)
	return err == nil
}

func isNumber(v []byte) bool {
	if isNull(v) {
		return true
	}
	_, err := strconv.ParseFloat(string(v), 64)
	return err == nil
}

// isMeta wants an object without a number that no float64 holds.
func isMeta(v []byte) bool {
	if isNull(v) {
		return true
	}
	return first(v) == '{' && numbersFit(v)
}

// numbersFit says whether the SDK could decode each number of a value.
func numbersFit(v []byte) bool {
	for i := 0; i < len(v); {
		switch c := v[i]; {
		case c == '"':
			if i = skipString(v, i); i < 0 {
				return false
			}
		case c == '-' || '0' <= c && c <= '9':
			end := skipValue(v, i)
			if end < 0 || !isNumber(v[i:end]) {
				return false
			}
			i = end
		default:
			i++
		}
	}
	return true
}

// isListOf makes the check of a list of one of its elements.
func isListOf(element check) check {
	return func(v []byte) bool {
		if isNull(v) {
			return true
		}
		c := cursor{v, 1}
		for e, ok := c.element(); ok; e, ok = c.element() {
			if !element(e) {
				return false
			}
		}
		return first(v) == '['
	}
}

// isObjectOf makes the check of an object of those of its members.
func isObjectOf(fields map[string]check) check {
	return func(v []byte) bool {
		if isNull(v) {
			return true
		}
		c := cursor{v, 1}
		for key, value, ok := c.member(); ok; key, value, ok = c.member() {
			if misfit(fields, key, value) {
				return false
			}
		}
		return first(v) == '{'
	}
}

var (
	isAnnotations = isObjectOf(map[string]check{
		"audience": isListOf(isText), "lastModified": isText, "priority": isNumber,
	})
	isIcons = isListOf(isObjectOf(map[string]check{
		"src": isText, "mimeType": isText, "sizes": isListOf(isText), "theme": isText,
	}))
)
