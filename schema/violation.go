package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxViolations = 50 // reported of one document
	maxShown      = 80 // runes of one value in a message
)

// ValidationError lists everything that is wrong with a document, in a
// stable order. It is written for a model: plain words, no long values.
type ValidationError struct {
	Violations []Violation `json:"violations"`
	Omitted    int         `json:"omitted,omitempty"` // how many more there are
}

// Violation is one thing wrong with a document.
type Violation struct {
	Pointer string `json:"pointer"` // RFC 6901, into the document; of a missing key, where it should be
	Keyword string `json:"-"`       // the schema keyword that was broken, such as "minimum"
	Message string `json:"message"` // "must be at least 1, got 0"
}

func (v Violation) String() string {
	if v.Pointer == "" {
		return v.Message
	}
	return v.Pointer + ": " + v.Message
}

func (e *ValidationError) Error() string {
	var b strings.Builder
	for i, v := range e.Violations {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(v.String())
	}
	if e.Omitted > 0 {
		fmt.Fprintf(&b, "; and %d more", e.Omitted)
	}
	return b.String()
}

// report collects violations. The zero value is ready to use.
type report struct{ list []Violation }

func (r *report) add(at *location, keyword, format string, args ...any) {
	r.list = append(r.list, Violation{Pointer: at.pointer(), Keyword: keyword, Message: fmt.Sprintf(format, args...)})
}

// err sorts, drops what was found twice, and caps the list.
func (r *report) err() error {
	if len(r.list) == 0 {
		return nil
	}
	sortViolations(r.list)
	list := slices.CompactFunc(r.list, func(a, b Violation) bool {
		return a.Pointer == b.Pointer && a.Keyword == b.Keyword && (a.Message == b.Message || a.Keyword == "additionalProperties")
	})
	e := &ValidationError{Violations: list}
	if len(list) > maxViolations {
		e.Violations, e.Omitted = list[:maxViolations], len(list)-maxViolations
	}
	return e
}

func sortViolations(list []Violation) {
	slices.SortStableFunc(list, func(a, b Violation) int {
		if c := comparePointers(a.Pointer, b.Pointer); c != 0 {
			return c
		}
		if c := strings.Compare(a.Keyword, b.Keyword); c != 0 {
			return c
		}
		return strings.Compare(a.Message, b.Message)
	})
}

// comparePointers orders array positions by number: /a/2 before /a/10.
func comparePointers(a, b string) int {
	for a != "" && b != "" {
		var x, y string
		x, a = firstToken(a)
		y, b = firstToken(b)
		if x == y {
			continue
		}
		m, errX := strconv.Atoi(x)
		n, errY := strconv.Atoi(y)
		if errX == nil && errY == nil && m != n {
			return m - n
		}
		return strings.Compare(x, y)
	}
	return len(a) - len(b)
}

func firstToken(pointer string) (token, rest string) {
	token, rest, found := strings.Cut(pointer[1:], "/")
	if !found {
		return token, ""
	}
	return token, "/" + rest
}

func overLimit(pointer, message string) error {
	return &ValidationError{Violations: []Violation{{Pointer: pointer, Keyword: "limit", Message: message}}}
}

// location is the way from a document's root to a value, built on the way
// down and turned into a pointer only when there is something to report.
type location struct {
	parent *location
	token  string
}

func (l *location) child(token string) *location { return &location{l, token} }

func (l *location) index(i int) *location { return &location{l, strconv.Itoa(i)} }

func (l *location) pointer() string {
	if l == nil || l.parent == nil {
		return ""
	}
	return l.parent.pointer() + "/" + escapeToken(shorten(l.token))
}

func escapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// shorten cuts text for a message.
func shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxShown {
		return text
	}
	runes := []rune(text)
	return string(runes[:maxShown-1]) + "…"
}
