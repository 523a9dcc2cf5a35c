package dialect

import (
	"strings"

	"helve/message"
)

const (
	gemma4Fence = `<|"|>`
	gemmaFence  = "<escape>"
)

var gemma4Body = gemmaBody(gemma4Fence, "<tool_call|>")

// gemma4Bare is the call where the markers were lost.
var gemma4Bare = literalBody{
	literals: gemmaSyntax(gemma4Fence),
	bracket:  '{',
	lead:     gemmaLead,
	bare:     true,
	read:     readGemma(gemma4Fence),
}

const gemmaLead = "call:"

func gemmaBody(fence, closer string) literalBody {
	return literalBody{
		literals: gemmaSyntax(fence),
		bracket:  '{',
		lead:     gemmaLead,
		closers:  []string{closer},
		read:     readGemma(fence),
	}
}

var gemma4 = Dialect{
	name:      "gemma4",
	purpose:   "Gemma 4",
	models:    []string{"gemma-4", "gemma4"},
	reasoning: []span{{"<|channel>thought\n", "<channel|>"}},
	markers: []marker{
		gemma4Body.marker("<|tool_call>"),
		gemma4Bare.marker(gemmaLead),
		{text: "<|tool_response>"}, // the model begins to write the result
	},
	write: func(calls []message.ToolCall) string {
		return writeGemma(calls, "<|tool_call>", "<tool_call|>", gemma4Fence)
	},
	result: func(r message.ToolResult, name string) string {
		var b strings.Builder
		b.WriteString("<|tool_response>response:" + name + "{value:")
		writeGemmaString(&b, r.Text(), gemma4Fence)
		b.WriteString("}<tool_response|>")
		return b.String()
	},
	role:    message.RoleTool,
	listing: gemmaTools,
	stop:    []string{"<|tool_response>"},
}

var functionGemmaBody = gemmaBody(gemmaFence, "<end_function_call>")

var functionGemma = Dialect{
	name:    "functiongemma",
	purpose: "FunctionGemma",
	models:  []string{"functiongemma"},
	markers: []marker{functionGemmaBody.marker("<start_function_call>")},
	write: func(calls []message.ToolCall) string {
		return writeGemma(calls, "<start_function_call>", "<end_function_call>", gemmaFence)
	},
	result: func(r message.ToolResult, name string) string {
		var b strings.Builder
		b.WriteString("<start_function_response>response:" + name + "{value:")
		writeGemmaString(&b, r.Text(), gemmaFence)
		b.WriteString("}<end_function_response>")
		return b.String()
	},
	role:    message.RoleTool,
	listing: functionGemmaTools,
	stop:    []string{"<start_function_response>"},
}

// writeGemma writes calls, each between markers of its own.
func writeGemma(calls []message.ToolCall, opener, closer, fence string) string {
	var b strings.Builder
	literals := gemmaNotation(fence)
	for _, c := range calls {
		b.WriteString(opener + gemmaLead + c.Name)
		literals.write(&b, string(c.Arguments))
		b.WriteString(closer)
	}
	return b.String()
}

// gemmaNotation is that of Gemma's literals, in which strings stand between fences.
func gemmaNotation(fence string) *notation {
	text := func(b *strings.Builder, s string) { writeGemmaString(b, s, fence) }
	key := func(b *strings.Builder, s string) {
		if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) }) {
			text(b, s)
		} else {
			b.WriteString(s)
		}
	}
	return &notation{key: key, text: text, colon: ":", comma: ","}
}

// writeGemmaString writes text between fences, or in quotes where it could be
// taken for the fence.
func writeGemmaString(b *strings.Builder, text, fence string) {
	if strings.Contains(text+fence[:len(fence)-1], fence) {
		b.WriteString(quote(text))
		return
	}
	b.WriteString(fence + text + fence)
}
