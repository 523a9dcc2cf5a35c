package dialect

// A scanner reads one piece of markup, from its opening marker on, while the
// answer arrives. Everything that is special about a format is a scanner; the
// [Decoder] does the rest.
//
// scan is given all that has arrived since the marker's first byte, at most
// [Options].MaxCall bytes. It is called again with more until it says something else
// than more, and it goes on where it stopped: it must never look at a byte twice
// that it has passed, but for a header of at most maxHeader bytes. What it says
// may depend on the bytes alone, never on how much of them came at once. eof says
// that nothing comes any more; then more is no answer.
type scanner interface {
	scan(s string, eof bool) step
}

// step is what a scanner says.
type step struct {
	verdict verdict
	n       int     // how many bytes the verdict is about
	kind    Kind    // of these bytes, for part and done without calls: Control, Text or Reasoning
	calls   []found // in these bytes
	reply   string  // text for the user that these bytes hold in another spelling
	err     error   // for fail: why this is no call; nil where it never looked like one
	name    string  // for fail: the tool, where known
}

type verdict uint8

const (
	more verdict = iota // can't say yet
	part                // the first n bytes are settled; scan goes on behind them, which are its new s
	done                // the markup ends after n bytes
	fail                // the first n bytes are text; what follows is read as if nothing had been
)

// found is a call within the bytes of a step.
type found struct {
	Call
	end int // behind the call's last byte, counted like n; the next call's bytes begin here
}

// maxHeader bounds what a scanner may read again: names, tags, attributes.
const maxHeader = 1024
