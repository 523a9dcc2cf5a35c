package args

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"helve/tool"
)

// maxDepth bounds nesting, so that no arguments overflow the stack. The schema
// allows less.
const maxDepth = 1000

// Reader reads the arguments of one call. It is for one goroutine.
type Reader struct {
	tool  string
	data  []byte
	at    int
	depth int

	err  error    // the first
	path []string // of the keys that lead to it, the innermost first
}

// New returns a reader of the arguments of a call of the named tool. Nothing at
// all is an object without keys.
func New(tool string, arguments json.RawMessage) *Reader {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	return &Reader{tool: tool, data: arguments}
}

// Err returns what was wrong with the arguments as a [*tool.Error] of
// [tool.KindInvalidParameters], and nil if everything was read.
func (r *Reader) Err() error {
	if r.err == nil {
		if r.space(); r.at < len(r.data) {
			r.fail("something follows the arguments")
		}
	}
	if r.err == nil {
		return nil
	}
	text := r.err.Error()
	if len(r.path) > 0 {
		slices.Reverse(r.path)
		text = strings.Join(r.path, ".") + " " + text
		r.path = nil
	}
	return &tool.Error{Kind: tool.KindInvalidParameters, Message: "Invalid parameters for " + r.tool + ": " + text + ".", Err: r.err}
}

// fail notes what is wrong, unless something was wrong before.
func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// space skips white space.
func (r *Reader) space() {
	for r.at < len(r.data) {
		switch r.data[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// peek returns the first byte of what comes next, or 0 at the end and after an
// error.
func (r *Reader) peek() byte {
	if r.err != nil {
		return 0
	}
	if r.space(); r.at < len(r.data) {
		return r.data[r.at]
	}
	return 0
}

// word reads null, true or false if it comes next.
func (r *Reader) word(w string) bool {
	if r.peek() != w[0] || len(r.data)-r.at < len(w) || string(r.data[r.at:r.at+len(w)]) != w {
		return false
	}
	r.at += len(w)
	return true
}

// open begins an object or an array. It reports false for null and for what is
// neither.
func (r *Reader) open(bracket byte, kind string) bool {
	if r.word("null") || r.err != nil {
		return false
	}
	if r.peek() != bracket {
		r.fail("is not %s", kind)
		return false
	}
	r.at++
	if r.depth++; r.depth > maxDepth {
		r.fail("is nested too deeply")
	}
	return r.err == nil
}

// more reports whether another value follows, and goes over what is between.
func (r *Reader) more(first bool, bracket byte) bool {
	c := r.peek()
	switch {
	case r.err != nil:
		return false
	case c == bracket:
		r.at++
		r.depth--
		return false
	case first:
		return true
	case c == ',':
		r.at++
		return true
	}
	r.fail("is not valid JSON: %q or a comma is missing", bracket)
	return false
}
