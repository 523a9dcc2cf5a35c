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
	end  bool // keep the end
	cut  bool
}

func newOutput(limits sandbox.Limits, stop func(error)) *output {
	o := &output{limits: limits, stop: stop}
	o.stdout.all, o.stderr.all, o.stderr.end = o, o, true
	return o
}

// Write keeps the beginning, or the end. The error at the end does not stop a guest, which may go on
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
	most := s.all.limits.Output
	room := most - len(s.kept)
	switch {
	case len(b) <= room:
		s.kept = append(s.kept, b...)
		return
	case !s.end:
		s.kept = append(s.kept, b[:max(room, 0)]...)
	case len(b) >= most:
		s.kept = append(s.kept[:0], b[len(b)-most:]...)
	default:
		s.kept = append(s.kept[:0], s.kept[len(b)-room:]...)
		s.kept = append(s.kept, b...)
	}
	s.cut = true
}
