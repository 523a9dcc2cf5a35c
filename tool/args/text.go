package args

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"helve/internal/jsontext"
)

// String reads a string.
func String[T ~string](r *Reader) T {
	if r.word("null") {
		return ""
	}
	if r.peek() != '"' {
		r.fail("is not a string")
		return ""
	}
	return T(r.bytes())
}

// Bytes reads base64.
func Bytes[T ~[]byte](r *Reader) T {
	if r.word("null") {
		return nil
	}
	text := String[string](r)
	if r.err != nil {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		r.fail("is not base64: %w", err)
		return nil
	}
	return data
}

// Text reads a string into a type with UnmarshalText, such as a [time.Time].
func Text[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](r *Reader) (v T) {
	if r.word("null") {
		return v
	}
	if r.peek() != '"' {
		r.fail("is not a string")
		return v
	}
	if err := P(&v).UnmarshalText(r.bytes()); err != nil {
		r.fail("is refused: %w", err)
	}
	return v
}

// Raw reads any JSON as it is.
func Raw(r *Reader) json.RawMessage {
	raw := r.value()
	if r.err == nil && !json.Valid(raw) {
		r.fail("is not valid JSON")
	}
	if r.err != nil {
		return nil
	}
	return bytes.Clone(raw)
}

// JSON leaves a value to encoding/json: any, and types that decode themselves.
func JSON[T any](r *Reader) (v T) {
	raw := r.value()
	if r.err != nil {
		return v
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		r.fail("is refused: %w", err)
	}
	return v
}

// bytes reads a string whose opening quote comes next. Without escapes it is a part
// of the arguments. Bytes that are no UTF-8 become U+FFFD, as in encoding/json.
func (r *Reader) bytes() []byte {
	r.at++
	start, ascii := r.at, true
	for {
		r.at = jsontext.SkipPlain(r.data, r.at)
		if r.at >= len(r.data) {
			r.fail("is not valid JSON: a quotation mark is missing")
			return nil
		}
		switch c := r.data[r.at]; {
		case c == '"':
			text := r.data[start:r.at]
			r.at++
			if !ascii && !utf8.Valid(text) {
				text = validUTF8(text)
			}
			return text
		case c == '\\':
			return r.escaped(start)
		case c < ' ':
			r.fail("is not valid JSON: a string has a control character in it")
			return nil
		}
		ascii = false
		r.at++
	}
}

// validUTF8 puts U+FFFD in the place of each byte that is no UTF-8.
func validUTF8(text []byte) []byte { return []byte(string([]rune(string(text)))) }

// escaped reads the rest of a string from its first escape.
func (r *Reader) escaped(start int) []byte {
	out := bytes.Clone(r.data[start:r.at])
	for r.at < len(r.data) {
		c := r.data[r.at]
		switch {
		case c == '"':
			r.at++
			if !utf8.Valid(out) {
				out = validUTF8(out)
			}
			return out
		case c < ' ':
			r.fail("is not valid JSON: a string has a control character in it")
			return nil
		case c != '\\':
			out = append(out, c)
			r.at++
			continue
		}
		if out = r.escape(out); r.err != nil {
			return nil
		}
	}
	r.fail("is not valid JSON: a quotation mark is missing")
	return nil
}

// escape reads one escape and appends what it stands for.
func (r *Reader) escape(out []byte) []byte {
	r.at++
	if r.at >= len(r.data) {
		return out
	}
	c := r.data[r.at]
	r.at++
	switch c {
	case '"', '\\', '/':
		return append(out, c)
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'u':
		first, ok := r.hex(r.at)
		if !ok {
			break
		}
		r.at += 4
		if utf16.IsSurrogate(first) {
			if second, ok := r.low(); ok {
				if both := utf16.DecodeRune(first, second); both != utf8.RuneError {
					r.at += 6
					return utf8.AppendRune(out, both)
				}
			}
			first = utf8.RuneError
		}
		return utf8.AppendRune(out, first)
	}
	r.fail("is not valid JSON: a string has an unknown escape in it")
	return out
}

// low looks at an escape that may be the second half of a pair.
func (r *Reader) low() (rune, bool) {
	if r.at+1 >= len(r.data) || r.data[r.at] != '\\' || r.data[r.at+1] != 'u' {
		return 0, false
	}
	return r.hex(r.at + 2)
}

func (r *Reader) hex(at int) (rune, bool) {
	if at+4 > len(r.data) {
		return 0, false
	}
	for _, c := range r.data[at : at+4] {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(string(r.data[at:at+4]), 16, 16)
	return rune(n), err == nil
}
