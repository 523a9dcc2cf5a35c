package dialect

import (
	"errors"
	"strings"
)

// header is what stands before a body.
type header struct {
	name, id string
	n        int   // its length
	err      error // where it is none
}

var errNoHeader = errors.New("no tool's name follows the marker")

// nameBefore returns a function for [jsonBody.header]: it reads a name up to end.
func nameBefore(end string) func(*Decoder, string, bool) (header, verdict) {
	return func(_ *Decoder, s string, eof bool) (header, verdict) {
		stop := strings.IndexAny(s, "\n<>{}()\""+end[:1])
		switch {
		case stop < 0:
			return header{}, more
		case strings.HasPrefix(s[stop:], end):
			name := strings.TrimSpace(s[:stop])
			if name == "" {
				return header{n: stop, err: errNoHeader}, fail
			}
			return header{name: name, n: stop + len(end)}, done
		case !eof && strings.HasPrefix(end, s[stop:]):
			return header{}, more
		}
		return header{n: stop, err: errNoHeader}, fail
	}
}
