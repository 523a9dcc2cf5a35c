package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrTruncated says that the text ended before its JSON value did. The value
// must not be used.
var ErrTruncated = errors.New("dialect: the JSON is cut off: its value does not end")

// maxDepth bounds how deep arrays and objects may nest in JSON that needs
// mending.
const maxDepth = 512

// Repair is one mend: what was wrong, and at which byte of the text.
type Repair struct {
	Offset int        `json:"offset"`
	Kind   RepairKind `json:"kind"`
}

// RepairKind names what was wrong.
type RepairKind string

const (
	ByteOrderMark    RepairKind = "byte_order_mark"   // at the start of the text
	Fence            RepairKind = "fence"             // a code fence or the word json around the value
	Comment          RepairKind = "comment"           // of the forms //, /* */ and #
	TrailingComma    RepairKind = "trailing_comma"    // before a closer
	MissingComma     RepairKind = "missing_comma"     // between two members
	ExtraCloser      RepairKind = "extra_closer"      // behind the value, one for each
	SingleQuotes     RepairKind = "single_quotes"     // around a string
	Unquoted         RepairKind = "unquoted"          // a key or a word; text in YAML that needs quotes
	PythonLiteral    RepairKind = "python_literal"    // True, False or None
	Number           RepairKind = "number"            // +5, .5 or 5.
	InvalidEscape    RepairKind = "invalid_escape"    // in a string; one entry stands for all in that string
	ControlCharacter RepairKind = "control_character" // raw in a string; one entry stands for all in that string
	InvalidUTF8      RepairKind = "invalid_utf8"      // in a string; one entry stands for all in that string
	InnerQuote       RepairKind = "inner_quote"       // raw in a string; one entry stands for all in that string
	MissingCloser    RepairKind = "missing_closer"    // at the end of a call that the model has closed, one for each
)

// RepairJSON reads text as one JSON value and mends what models get wrong; the
// package documentation says what that is. Valid JSON comes back as it is, the
// same bytes and no repairs. Else text must hold an object or an array: it comes
// back without white space, with keys in their order and even if they repeat,
// with numbers as they were written, and with the mends in the order of their
// offsets. The result is valid JSON and UTF-8.
//
// The error is [ErrTruncated] where text ends too early. Any other says at which
// byte, counted from 0, the text can't be read, and holds nothing of the text
// but that byte's character.
//
// RepairJSON takes time linear in the text, and memory of a few bytes for each
// byte of it. It does not change text.
func RepairJSON(text []byte) (json.RawMessage, []Repair, error) {
	// encoding/json lets bytes through that are not UTF-8.
	if json.Valid(text) && utf8.Valid(text) {
		return text, nil, nil
	}
	r := newRepairer(text)
	if err := r.document(); err != nil {
		return nil, nil, err
	}
	return r.out, r.repairs, nil
}

// repairer goes through in once, from left to right, and writes out.
type repairer struct {
	in      []byte
	at      int
	out     []byte
	repairs []Repair
	closers []byte // of the containers that are open
	closed  bool   // the model was done: missing closers may be added
	tail    int    // from here on in holds nothing but closers and white space
	looks   int    // how often a byte was looked at; tests hold it linear
}

func newRepairer(text []byte) *repairer {
	return &repairer{in: text, out: make([]byte, 0, len(text)+len(text)/8)}
}

func (r *repairer) mend(kind RepairKind, offset int) {
	r.repairs = append(r.repairs, Repair{offset, kind})
}

// peek returns the next byte. Where there is none the value is cut off: nobody
// asks who is not inside it or in front of it.
func (r *repairer) peek() (byte, error) {
	r.looks++
	if r.at >= len(r.in) {
		return 0, ErrTruncated
	}
	return r.in[r.at], nil
}

func (r *repairer) unexpected() error {
	left := len(r.in) - r.at
	if left == 0 || left == 1 && r.in[r.at] == '/' { // half of a comment's opener
		return ErrTruncated
	}
	c, _ := utf8.DecodeRune(r.in[r.at:])
	return fmt.Errorf("dialect: not JSON: unexpected %q at byte %d", c, r.at)
}

func (r *repairer) document() error {
	r.opening()
	c, err := r.peek()
	if err != nil {
		return err
	}
	if c != '{' && c != '[' {
		// To mend a bare word would make JSON of any prose.
		return r.unexpected()
	}
	if err := r.value(); err != nil {
		return err
	}
	r.closing()
	if r.at < len(r.in) {
		return r.unexpected()
	}
	return nil
}

func (r *repairer) value() error {
	c, err := r.peek()
	switch {
	case err != nil:
		return err
	case c == '{':
		return r.container('}', r.member)
	case c == '[':
		return r.container(']', r.value)
	case c == '"' || c == '\'':
		return r.string(true)
	}
	return r.word()
}

// container reads what is between an opener, which is next, and its closer.
func (r *repairer) container(closer byte, element func() error) error {
	if len(r.closers) == maxDepth {
		return fmt.Errorf("dialect: the JSON nests deeper than %d at byte %d", maxDepth, r.at)
	}
	r.closers = append(r.closers, closer)
	r.out = append(r.out, r.in[r.at])
	r.at++
	for first := true; ; first = false {
		done, err := r.separator(closer, first)
		if err != nil {
			return err
		}
		if done {
			r.out = append(r.out, closer)
			r.closers = r.closers[:len(r.closers)-1]
			return nil
		}
		if err := element(); err != nil {
			return err
		}
	}
}

// separator goes to the next element, or behind the closer and reports that.
func (r *repairer) separator(closer byte, first bool) (done bool, err error) {
	end := r.at
	r.space()
	if !first && r.closerIsMissing(closer) {
		r.mend(MissingCloser, min(r.at, len(r.in)-1))
		return true, nil
	}
	c, err := r.peek()
	if err != nil {
		return false, err
	}
	if c == closer {
		r.at++
		return true, nil
	}
	if first {
		return false, nil
	}
	if c != ',' {
		last := r.in[end-1]
		adjacent := r.at == end && last != '}' && last != ']'
		if adjacent || !mayLackComma(c, closer) {
			return false, r.unexpected()
		}
		r.mend(MissingComma, r.at)
		r.out = append(r.out, ',')
		return false, nil
	}
	comma := r.at
	r.at++
	r.space()
	c, err = r.peek()
	if err != nil {
		return false, err
	}
	if c == closer {
		// In front of the repairs of comments that stand between the two.
		r.mendInOrder(TrailingComma, comma)
		r.at++
		return true, nil
	}
	r.out = append(r.out, ',')
	return false, nil
}

// mayLackComma reports whether the comma was forgotten in front of c. A bare word,
// or what stands right behind a string, is rather part of a string with quotes
// inside ("say " now " twice").
func mayLackComma(c, closer byte) bool {
	if c == '"' || c == '\'' {
		return true
	}
	return closer == ']' && (c == '{' || c == '[' || '0' <= c && c <= '9')
}

// mendInOrder is mend for an offset that may lie before the last ones. There are
// only comments behind it.
func (r *repairer) mendInOrder(kind RepairKind, offset int) {
	i := len(r.repairs)
	for i > 0 && r.repairs[i-1].Offset > offset {
		r.looks++
		i--
	}
	r.repairs = append(r.repairs, Repair{})
	copy(r.repairs[i+1:], r.repairs[i:])
	r.repairs[i] = Repair{offset, kind}
}

// member reads a key, a colon and a value.
func (r *repairer) member() error {
	c, err := r.peek()
	if err != nil {
		return err
	}
	if c == '"' || c == '\'' {
		err = r.string(false)
	} else {
		err = r.bareKey()
	}
	if err != nil {
		return err
	}
	r.space()
	if c, err = r.peek(); err != nil {
		return err
	}
	if c != ':' {
		return r.unexpected()
	}
	r.out = append(r.out, ':')
	r.at++
	r.space()
	return r.value()
}
