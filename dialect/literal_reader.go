package dialect

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"helve/schema"
)

// literalReader is a place in arguments that are written as literals, and the JSON
// of what stands before it. A [literalExtent] has matched the brackets and capped
// their depth.
type literalReader struct {
	in         string
	at         int
	out        []byte
	parameters map[string]schema.Property // of the tool, by name
}

func (r *literalReader) space() { r.at = skipSpace(r.in, r.at) }

// peek returns the next byte, or 0 at the end.
func (r *literalReader) peek() byte {
	if r.at < len(r.in) {
		return r.in[r.at]
	}
	return 0
}

// next goes over c, if that comes next.
func (r *literalReader) next(c byte) bool {
	if r.at < len(r.in) && r.in[r.at] == c {
		r.at++
		return true
	}
	return false
}

// key writes a key and its colon.
func (r *literalReader) key(name string) { r.out = append(append(r.out, quote(name)...), ':') }

// items reads items with commas between them, up to and with the closer. comma
// says that one stands behind the last.
func (r *literalReader) items(closer byte, item func() error) (n int, comma bool, err error) {
	for {
		r.space()
		if r.next(closer) {
			return n, comma, nil
		}
		if n > 0 {
			if !comma {
				return n, comma, r.unexpected()
			}
			r.out = append(r.out, ',')
		}
		if err := item(); err != nil {
			return n, comma, err
		}
		n++
		r.space()
		comma = r.next(',')
	}
}

func (r *literalReader) unexpected() error {
	if r.at >= len(r.in) {
		return errors.New("the arguments end too early")
	}
	c, _ := utf8.DecodeRuneInString(r.in[r.at:])
	return fmt.Errorf("unexpected %q in the arguments", c)
}
