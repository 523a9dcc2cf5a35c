package dialect

import (
	"bytes"
	"encoding/json"
)

// repairClosed is [RepairJSON] for a value of which a marker shows that the model
// was done with it, for text that is not valid. Closers that are missing at its
// end are added. A string, a word or a number that reaches the end may be cut
// nevertheless, and so may be what follows a comma, a colon or an opener: all
// that is ErrTruncated, as ever.
func repairClosed(text []byte) (json.RawMessage, []Repair, error) {
	r := newRepairer(text)
	r.closed = true
	r.tail = len(bytes.TrimRight(text, "}] \t\r\n"))
	if err := r.document(); err != nil {
		return nil, nil, err
	}
	return r.out, r.repairs, nil
}

// closerIsMissing reports whether what is next shows that closer was forgotten:
// the end, or the closer of what is around it.
func (r *repairer) closerIsMissing(closer byte) bool {
	if !r.closed || r.at < r.tail {
		return false
	}
	r.looks++
	if r.at == len(r.in) {
		return true
	}
	around := len(r.closers) - 2
	return r.in[r.at] != closer && around >= 0 && r.in[r.at] == r.closers[around]
}
