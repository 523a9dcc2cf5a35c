package wasm

import (
	"errors"

	"helve/sandbox"
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

// stream is standard output or standard error.
type stream struct {
	all  *output
	kept []byte
	cut  bool
}

func newOutput(limits sandbox.Limits, stop func(error)) *output {
	o := &output{limits: limits, stop: stop}
	o.stdout.all, o.stderr.all = o, o
	return o
}

// Write keeps the beginning. The error at the end does not stop a guest, which may go on
// after it, but the call that it is in: one can be told to write the same memory a million
// times.
func (s *stream) Write(b []byte) (int, error) {
	s.keep(b)
	if s.all.total += len(b); s.all.total > s.all.limits.OutputTotal {
		s.all.stop(errOutput)
		return 0, errOutput
	}
	return len(b), nil
}

func (s *stream) keep(b []byte) {
	room := s.all.limits.Output - len(s.kept)
	if len(b) > room {
		s.cut = true
		b = b[:max(room, 0)]
	}
	s.kept = append(s.kept, b...)
}
