package main

import (
	"fmt"
	"io"
	"time"
)

const (
	faint     = "\x1b[2m"
	plainText = "\x1b[0m"
	clearLine = "\r\x1b[K"

	wonder  = 400 * time.Millisecond // a wait shorter than this needs no words
	refresh = 120 * time.Millisecond
)

// status is the last line of a terminal while something is waited for. It is
// gone before anything else is printed. It is for one goroutine.
type status struct {
	w     io.Writer
	hold  func() bool   // whether something else has the screen; nil for never
	stop  chan struct{} // nil while nothing is waited for
	ended chan bool     // whether something was drawn
}

// begin starts to wait for what, in place of what was waited for before. The text
// that stands in the last line, if there is some, keeps its line.
func (s *status) begin(what string, inLine bool) {
	s.end()
	s.stop, s.ended = make(chan struct{}), make(chan bool, 1)
	go func(stop chan struct{}, ended chan bool) { ended <- s.draw(what, inLine, stop) }(s.stop, s.ended)
}

// end stops waiting and removes the line. It reports whether there was one.
func (s *status) end() (drawn bool) {
	if s.stop == nil {
		return false
	}
	close(s.stop)
	s.stop = nil
	return <-s.ended
}

func (s *status) draw(what string, inLine bool, stop chan struct{}) (drawn bool) {
	start := time.Now()
	select {
	case <-stop:
		return false
	case <-time.After(wonder):
	}
	if inLine {
		fmt.Fprintln(s.w)
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for i := 0; ; i++ {
		if s.hold == nil || !s.hold() {
			fmt.Fprintf(s.w, "%s%s%c waiting for %s, %.0f s%s", clearLine, faint, frames[i%len(frames)], oneLine(what), time.Since(start).Seconds(), plainText)
		}
		select {
		case <-stop:
			fmt.Fprint(s.w, clearLine)
			return true
		case <-tick.C:
		}
	}
}
