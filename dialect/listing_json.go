package dialect

import (
	"strings"

	"helve/tool"
)

// signatures is a listing of the tools' JSON signatures, as model/openai would
// send them, between the marks that a family of models was trained on.
type signatures struct {
	before, after string // all of them
	open, close   string // each
	between       string
	bare          bool // {"name", …} without {"type": "function", "function": …} around it
	compact       bool // no blanks behind commas and colons
}

func (s signatures) list(b *strings.Builder, tools []tool.Definition, _ Language) {
	b.WriteString(s.before)
	for i, def := range tools {
		if i > 0 {
			b.WriteString(s.between)
		}
		signature := signatureOf(def)
		if s.bare {
			signature = find(signature, "function")
		}
		if !s.compact {
			signature = spaced(signature)
		}
		b.WriteString(s.open + markupSafe(signature) + s.close)
	}
	b.WriteString(s.after)
}

var (
	// Hermes and what was tuned like it: Qwen, GLM, Granite 4, Ernie.
	hermesTools = signatures{before: "<tools>\n", between: "\n", after: "\n</tools>"}.list
	glmTools    = hermesTools

	mistralTools = signatures{before: "[AVAILABLE_TOOLS] [", between: ", ", after: "][/AVAILABLE_TOOLS]"}.list

	// Llama 3 and Granite 3 saw a JSON list; those that write Python's calls saw
	// it without the wrapping.
	llamaTools    = signatures{before: "[\n", between: ",\n", after: "\n]"}.list
	graniteTools  = llamaTools
	pythonicTools = signatures{before: "[\n", between: ",\n", after: "\n]", bare: true}.list

	lfm2Tools     = signatures{before: "<|tool_list_start|>[", between: ", ", after: "]<|tool_list_end|>", bare: true}.list
	olmoTools     = signatures{before: "<functions>[", between: ", ", after: "]</functions>", bare: true}.list
	nemotronTools = signatures{before: "<AVAILABLE_TOOLS>[", between: ", ", after: "]</AVAILABLE_TOOLS>", bare: true}.list
	phiTools      = signatures{before: "<|tool|>[", between: ", ", after: "]<|/tool|>", bare: true}.list

	minimaxTools = signatures{before: "<tools>\n", open: "<tool>", close: "</tool>", between: "\n", after: "\n</tools>", bare: true}.list
	cohereTools  = signatures{before: "```json\n[\n    ", between: ",\n    ", after: "\n]\n```", bare: true}.list
	kimiTools    = signatures{before: "[", between: ",", after: "]", compact: true}.list

	// DeepSeek V3.2 and 4, and prompts in the style of Claude's.
	dsmlTools = signatures{before: "<functions>\n", between: "\n", after: "\n</functions>", bare: true}.list
)
