package executor

import (
	"context"
	"time"

	"helve/tool"
)

// standstill keeps the time that a call waits for its host's answers from counting: a
// person who thinks is no fault of the tool. Of several questions that are open at once
// the first stops the clock, and the last to be answered starts it again.
type standstill struct {
	attempt *attempt
	host    func(context.Context, tool.CallID, []tool.Question) ([]tool.Answer, error)

	open int           // questions; guarded by attempt.mu, as what follows
	left time.Duration // of the call's time, while there are some
}

// ask puts questions to the host. It ends with the call, whatever context the tool gave.
func (s *standstill) ask(ctx context.Context, id tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
	if err := s.begin(); err != nil {
		return nil, err
	}
	defer s.end()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.attempt.AfterFunc(cancel)()
	return s.host(ctx, id, questions)
}

// begin stops the clock. A call that has its outcome, or whose time is over, can't ask.
func (s *standstill) begin() error {
	a := s.attempt
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.state != running && a.err != nil:
		return a.err
	case a.state != running:
		return context.Canceled
	case s.open == 0:
		left := time.Until(a.until)
		if left <= 0 {
			return context.DeadlineExceeded // the watch is about to say so
		}
		s.left = left
		a.deadline, a.until = time.Time{}, time.Time{}
	}
	s.open++
	return nil
}

// end lets the clock run on. A call that was stopped meanwhile keeps its outcome.
func (s *standstill) end() {
	a := s.attempt
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.open--; s.open > 0 || a.state != running {
		return
	}
	a.deadline = time.Now().Add(s.left)
	a.until = a.deadline
	a.crew.lookBy(a.until)
}
