package script

// Advice is the cause of a failed call in a sentence for the person who runs the tool:
// what to change, where the error itself tells the model what to do. It is found with
// [errors.As].
type Advice struct {
	Text string
	Err  error // what the sandbox said; it may be nil
}

// Error returns the sentence.
func (a *Advice) Error() string { return a.Text }

// Unwrap returns what the sandbox said.
func (a *Advice) Unwrap() error { return a.Err }
