package tooltest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// prompt is far more than a tool needs to see that its context has ended, and
// less than a test waits for.
const prompt = 10 * time.Second

// meanwhile is how long a call runs before its context ends, if it does not
// return sooner.
const meanwhile = 10 * time.Millisecond

func checkCancel(s *subject) error {
	for _, args := range s.examples {
		if err := s.returns("whose context had ended before", args, true); err != nil {
			return err
		}
		if err := s.returns("whose context ended while it ran", args, false); err != nil {
			return err
		}
	}
	return nil
}

// returns makes a call and cancels it, before it starts or once the tool's code
// runs. Whether the call succeeds is the tool's affair.
func (s *subject) returns(which string, args json.RawMessage, before bool) error {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	if before {
		cancel()
	}
	reached := func() { time.AfterFunc(meanwhile, cancel) } // cancelled by now is no harm
	done := make(chan error, 1)
	go func() {
		_, _, err := s.invoke(ctx, args, reached)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(prompt):
		return fmt.Errorf("the call %s, %s, did not return within %v", args, which, prompt)
	}
}
