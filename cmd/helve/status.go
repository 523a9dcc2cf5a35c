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
	stop  chan struct{} // nil while nothing is waited for
	ended chan struct{}
}

// begin starts to wait for what, in place of what was waited for before.
func (s *status) begin(what string) {
	s.end()
	s.stop, s.ended = make(chan struct{}), make(chan struct{})
	go s.draw(what, s.stop, s.ended)
}

// end stops waiting and removes the line.
func (s *status) end() {
	if s.stop == nil {
		return
	}
	close(s.stop)
	<-s.ended
	s.stop = nil
}

func (s *status) draw(what string, stop, ended chan struct{}) {
	defer close(ended)
	start := time.Now()
	select {
	case <-stop:
		return
	case <-time.After(wonder):
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for i := 0; ; i++ {
		fmt.Fprintf(s.w, "%s%s%c waiting for %s, %.0f s%s", clearLine, faint, frames[i%len(frames)], oneLine(what), time.Since(start).Seconds(), plainText)
		select {
		case <-stop:
			fmt.Fprint(s.w, clearLine)
			return
		case <-tick.C:
		}
	}
}
