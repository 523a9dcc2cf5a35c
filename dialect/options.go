package dialect

import "helve/tool"

// Options says what a [Decoder] takes for a call. The zero value is the careful
// choice.
type Options struct {
	// Tools are the tools that may be called. A call of any other is text. Without
	// tools every name may be called.
	Tools []tool.Definition

	// AnyName lets names call that are not in Tools, so that the model can be told
	// of its mistake. Dialects whose markup looks like ordinary text ignore it.
	AnyName bool

	// Reasoning says whether reasoning is told apart from text.
	Reasoning ReasoningMode

	// CallsInReasoning lets calls inside reasoning count; the call ends it.
	CallsInReasoning bool

	// CallsInCode lets calls in Markdown's code count, where they are mostly
	// examples.
	CallsInCode bool

	// MaxCall bounds the bytes of one call; a longer one is text. 0 means
	// DefaultMaxCall.
	MaxCall int
}

// DefaultMaxCall is the bound for a call's bytes. A call of the largest
// arguments that a schema takes (16 MiB) fits.
const DefaultMaxCall = 24 << 20

// ReasoningMode says how reasoning is found.
type ReasoningMode string

const (
	ReasoningAuto ReasoningMode = ""     // between the markers of the dialect
	ReasoningOpen ReasoningMode = "open" // the answer begins inside: the prompt ended with the opening marker
	ReasoningNone ReasoningMode = "none" // it is text, markers and all
)
