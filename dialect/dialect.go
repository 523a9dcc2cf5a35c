package dialect

import (
	"strings"

	"helve/message"
	"helve/tool"
)

// Dialect is one way in which tool calls travel as text. Get one by [Lookup] or
// [ForModel]. It never changes and any number of goroutines may use it.
type Dialect struct {
	name    string
	purpose string   // "Qwen 2.5 and 3, QwQ, Hermes 2 and 3": whose format it is
	models  []string // prefixes of model names, in lower case

	// Decoding.
	markers    []marker                  // what may begin a call, a message or control markup
	openers    func(d *Decoder) []marker // more markers, that depend on the tools; or nil
	start      func(d *Decoder) scanner  // reads the answer's first bytes; nil: nothing special
	reasoning  []span                    // how reasoning is marked
	interrupts bool                      // a call's marker inside reasoning ends the reasoning (Kimi K2)
	spelling   func(d *Decoder, name string) string
	alone      bool // an answer has its calls behind its text, and nothing behind them
	weak       bool // its markers occur in ordinary text: only declared names can call

	// Writing.
	write   func(calls []message.ToolCall) string // an assistant's calls, as the model would write them
	result  func(r message.ToolResult, name string) string
	role    message.Role                                                  // of the message that carries results
	listing func(b *strings.Builder, tools []tool.Definition, l Language) // the tools in the prompt; nil: a plain list
	reply   func(text string) string                                      // how to answer without a call; nil: in plain text
	notes   map[Language]string                                           // what else a model must know to write a call
	single  bool                                                          // one call an answer is its form, though more are read
	stop    []string                                                      // stop sequences that help
}

// marker is a piece of text that may begin something.
type marker struct {
	text  string
	where place
	open  func(d *Decoder) scanner // nil: the marker alone is control markup
	span  int                      // the decoder's: it begins (i+1) or ends (-1) reasoning
}

// place says where a marker counts.
type place uint8

const (
	anywhere    place = iota
	answerStart       // with nothing but white space before it in the answer
	lineStart         // with nothing but up to three spaces before it in its line
)

// span is text between two markers.
type span struct{ open, close string }

// Name returns the name by which [Lookup] finds d.
func (d *Dialect) Name() string { return d.name }

// Purpose says in a few words whose format this is.
func (d *Dialect) Purpose() string { return d.purpose }

// Models returns the beginnings of the model names that [ForModel] gives this
// dialect for.
func (d *Dialect) Models() []string { return append([]string(nil), d.models...) }

// String returns the name.
func (d *Dialect) String() string { return d.name }

// Language is that of a prompt.
type Language string

const (
	English Language = "" // the default
	Chinese Language = "zh"
)
