package schema

import (
	"bytes"
	"encoding/json"
)

// Validate checks a JSON document and changes nothing. The error is a
// *ValidationError with every violation, or a *SyntaxError when value is not
// JSON at all.
func (s *Schema) Validate(value []byte) error {
	a := acceptor{src: value}
	if a.document(s.root) {
		return nil
	}
	v, err := parse(value)
	if err != nil {
		return err
	}
	return s.check(v)
}

// Prepare makes a call's arguments ready for the tool's code: it puts in
// defaults and validates. Empty arguments are {}. The result is args itself
// when nothing had to change, so neither may be changed afterwards.
//
// Two spellings are put right on the way, because the code behind would
// stumble over them: null for an optional key that can't be null is taken
// out, and 5.0 is 5 where the schema wants an integer.
//
// Errors are as for Validate. Keys that occur twice, and undeclared keys that
// differ from a declared one in letter case only, are violations even when
// the schema allows other keys: encoding/json would take them for the
// declared one.
func (s *Schema) Prepare(args []byte) (json.RawMessage, error) {
	a := acceptor{src: args, fill: true}
	if a.document(s.root) {
		return a.result(), nil
	}
	v, err := parseArguments(args, s.root)
	if err != nil {
		return nil, err
	}
	n := normalizer{fallback: func(s *shape) (*value, error) { return s.fallbackValue(), nil }}
	duplicates := report{}
	checkDuplicates(v, &location{}, &duplicates) // before normalize drops any
	if err := n.normalize(v, []*shape{s.root}); err != nil {
		return nil, err
	}
	if err := s.check(v, duplicates.list...); err != nil {
		return nil, err
	}
	if !v.changed {
		return v.raw, nil
	}
	return v.appendJSON(nil), nil
}

// parseArguments is parse with nothing, and null where it says nothing, read
// as an empty object.
func parseArguments(args []byte, root *shape) (*value, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = []byte("{}")
	}
	v, err := parse(args)
	if err != nil {
		return nil, err
	}
	if v.kind == typeNull && root.types&(typeNull|typeObject) == typeObject {
		return parse([]byte("{}"))
	}
	return v, nil
}

// check validates a parsed document in full.
func (s *Schema) check(v *value, found ...Violation) error {
	t := translator{doc: s.doc}
	t.list = found
	checkNumbers(v, &location{}, &t.report)
	if s.branching {
		checkCost(v, s.root, &t.report)
	}
	if len(t.list) > len(found) {
		return t.err() // too much for the full validator
	}
	checkDuplicates(v, &location{}, &t.report)
	checkKeys(v, []*shape{s.root}, &location{}, &t.report)
	t.validate(s.full, v)
	return t.err()
}
