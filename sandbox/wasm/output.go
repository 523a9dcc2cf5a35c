package wasm

import (
	"errors"

	"helve/sandbox"
	"helve/sandbox/internal/kept"
)

// errOutput is why a guest is stopped that prints too much.
var errOutput = errors.New("too much output")

// output collects what a guest prints.
type output struct {
	limits sandbox.Limits
	stop   func(error)
	total  int

	stdout, stderr stream
}

// stream is standard output, of which the beginning is kept, or standard error, of which
// the end is.
type stream struct {
	kept.Text
	all *output
}

func newOutput(limits sandbox.Limits, stop func(error)) *output {
	o := &output{limits: limits, stop: stop}
	o.stdout = stream{kept.Text{Most: limits.Output}, o}
	o.stderr = stream{kept.Text{Most: limits.Output, End: true}, o}
	return o
}

// Write keeps a part. The error at the end does not stop a guest, which may go on after it,
// but the call that it is in: one can be told to write the same memory a million times.
func (s *stream) Write(b []byte) (int, error) {
	s.Add(b)
	if s.all.total += len(b); s.all.total > s.all.limits.OutputTotal {
		s.all.stop(errOutput)
		return 0, errOutput
	}
	return len(b), nil
}
