package dialect

import "encoding/json"

// Event is a piece of a decoded answer, in the order of the answer. The Text of
// all events but those of the kinds Reply and Invalid is, taken together, the
// answer byte for byte.
type Event struct {
	Kind Kind
	Text string // the bytes that the event stands for
	Call *Call  // of the kinds ToolCall and Invalid, else nil
}

// Kind says what an [Event] is.
type Kind uint8

const (
	// Text is for the user. Adjacent events of this kind may be cut anywhere.
	Text Kind = iota
	// Reasoning is what the model thinks before it answers.
	Reasoning
	// Control is markup around calls, messages and reasoning: nothing to show.
	Control
	// ToolCall is a complete call.
	ToolCall
	// Reply is text for the user that stood within markup, such as the JSON string
	// of a reply, and is read from there. The markup itself is Control.
	Reply
	// Invalid tells of markup that looked like a call and is none. Its bytes came
	// out as Text before it and are in Text once more.
	Invalid
)

var kindNames = [...]string{"text", "reasoning", "control", "call", "text", "invalid"}

// String returns the name that helve parse prints.
func (k Kind) String() string { return kindNames[k] }

// Call is a tool call that was written as text.
type Call struct {
	ID        string // what the model wrote, where the format has such a thing
	Name      string
	Arguments json.RawMessage // a JSON object
	Repairs   []Repair        // what was mended to read it

	// Err says of an Invalid why this is no call. Name and the rest may be missing.
	Err error
}
