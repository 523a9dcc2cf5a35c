package model

import "iter"

// relay passes an answer on to yield. An error before the first event is not
// passed on but returned: nobody has seen any of the answer, so another may take
// its place. Nil means that the answer was passed on, whatever its end.
func relay(answer iter.Seq2[Event, error], yield func(Event, error) bool) error {
	begun := false
	for event, err := range answer {
		if err != nil && !begun {
			return err
		}
		begun = true
		if !yield(event, err) || err != nil {
			return nil
		}
	}
	return nil
}
