package main

import (
	"strings"

	"helve/dialect"
	"helve/tool"
)

// reader is a library's way of taking text and calls out of an answer while it
// arrives. read makes a parser, gives it one chunk after another and the end, and
// says what came out: that is what is measured.
type reader struct {
	name    string
	dialect *dialect.Dialect // in which the answers for it are written
	read    func(chunks []string) readOut
}

// readOut is what a reader found.
type readOut struct {
	text  int // bytes for the user
	calls int
	value int // bytes of the last call's argument
}

// textReaders are those that read text with a call at its end. The first is what a
// loop over the chunks takes that does nothing but look for a '<'.
var textReaders = []reader{
	{"IndexByte", must("hermes"), indexByte},
	helveReader("hermes"),
	helveReader("qwen3-coder"),
	helveReader("deepseek-v3.1"),
	helveReader("tag"),
	{"ollama tools", must("hermes"), ollamaTools},
	{"ollama qwen3-coder", must("qwen3-coder"), ollamaModel("qwen3-coder")},
	{"ollama deepseek3", must("deepseek-v3.1"), ollamaModel("deepseek3")},
}

func must(name string) *dialect.Dialect {
	d, err := dialect.Lookup(name)
	if err != nil {
		panic(err)
	}
	return d
}

// helveReader is a decoder that knows the one tool.
func helveReader(name string) reader {
	d := must(name)
	return reader{"helve " + name, d, func(chunks []string) (out readOut) {
		decoder := d.NewDecoder(dialect.Options{Tools: []tool.Definition{writeTool}})
		for _, chunk := range chunks {
			out.add(decoder.Feed(chunk))
		}
		out.add(decoder.End())
		return out
	}}
}

func (out *readOut) add(events []dialect.Event) {
	for i := range events {
		switch e := &events[i]; e.Kind {
		case dialect.Text:
			out.text += len(e.Text)
		case dialect.ToolCall:
			out.calls++
			out.value = len(e.Call.Arguments) - len(`{"content":""}`)
		}
	}
}

// indexByte is the limit: every '<' is found, and every piece of text before and
// behind it given to a function.
func indexByte(chunks []string) (out readOut) {
	for _, chunk := range chunks {
		for {
			n := strings.IndexByte(chunk, '<')
			if n < 0 {
				out.show(chunk)
				break
			}
			out.show(chunk[:n+1])
			chunk = chunk[n+1:]
		}
	}
	return out
}

// show is the call that a decoder can't do without.
//
//go:noinline
func (out *readOut) show(text string) { out.text += len(text) }
