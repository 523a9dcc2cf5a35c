package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"helve/message"
	"helve/tool"
)

// Prompt returns the section of a system prompt that teaches a model the dialect:
// what the tools are, in the given order, how a call is written, with an example,
// how results come back, and what to do where no tool fits. The same tools give
// the same bytes. It is empty where the provider tells the model of the tools.
func (d *Dialect) Prompt(tools []tool.Definition, language Language) string {
	if d.write == nil {
		return ""
	}
	say := language.wording()
	if len(tools) == 0 {
		return say.title + "\n\n" + say.none
	}
	var b strings.Builder
	paragraph := func(format string, args ...any) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, format, args...)
	}
	paragraph("%s", say.title)
	paragraph("%s", say.tools)
	paragraph("")
	if d.listing != nil {
		d.listing(&b, tools, language)
	} else {
		plainTools(&b, tools, language)
	}

	// The examples stand in no fence: a model would copy it, and calls in fences
	// are taken for examples.
	call := sampleCall(tools)
	paragraph("%s", say.calling)
	paragraph(say.example, call.Name)
	paragraph("%s", d.write([]message.ToolCall{call}))
	paragraph("%s", say.rules)
	if note := d.notes[language]; note != "" {
		paragraph("%s", note)
	}
	if two := []message.ToolCall{call, call}; !d.single && d.reads(two, tools) {
		paragraph("%s", say.several)
		if pair := d.write(two); !repeats(pair, d.write(two[:1])) {
			paragraph("%s\n\n%s", say.severalForm, pair)
		}
	} else {
		paragraph("%s", say.single)
	}

	paragraph("%s", say.results)
	if d.result != nil {
		paragraph("%s", say.resultForm)
		paragraph("%s", d.result(message.ToolResult{
			CallID: call.ID, Name: call.Name,
			Content: []message.Part{message.Text(fmt.Sprintf(say.result, call.Name))},
		}, call.Name))
	}
	paragraph("%s", say.wait)

	paragraph("%s", say.without)
	if d.reply == nil {
		paragraph("%s", say.plainAnswer)
	} else {
		paragraph("%s", say.formAnswer)
		paragraph("%s", d.reply("your answer"))
	}
	return b.String()
}

// Example returns a call as the dialect writes it, for people. It is empty where
// calls are no text.
func (d *Dialect) Example() string {
	if d.write == nil {
		return ""
	}
	return d.write([]message.ToolCall{{ID: "call_1", Name: "get_weather", Arguments: json.RawMessage(`{"city": "Paris", "days": 2}`)}})
}

// sampleCall is a call of the first tool that can show one: with arguments that
// are not empty and that its schema takes.
func sampleCall(tools []tool.Definition) message.ToolCall {
	best, rank := message.ToolCall{}, -1
	for _, def := range tools {
		arguments := sampleArguments(def)
		r := 0
		if def.Schema().Validate(arguments) == nil {
			r++
			if len(def.Schema().Properties()) > 0 {
				r++
			}
		}
		if r > rank {
			best, rank = message.ToolCall{ID: "call_1", Name: def.Name, Arguments: json.RawMessage(spaced(string(arguments)))}, r
		}
		if rank == 2 {
			break
		}
	}
	return best
}

// sampleArguments are the required ones, or the first where none is required.
func sampleArguments(def tool.Definition) json.RawMessage {
	sample := def.Schema().Root().Sample()
	if string(sample) == "{}" {
		if all := def.Schema().Properties(); len(all) > 0 {
			return json.RawMessage("{" + quote(all[0].Name) + ":" + string(all[0].Sample()) + "}")
		}
	}
	if !bytes.HasPrefix(sample, []byte("{")) {
		return json.RawMessage("{}")
	}
	return sample
}

// reads reports whether calls that the dialect writes come back from its decoder.
func (d *Dialect) reads(calls []message.ToolCall, tools []tool.Definition) bool {
	decoder := d.NewDecoder(Options{Tools: tools})
	events := slices.Clone(decoder.Feed(d.write(calls)))
	n := 0
	for _, e := range append(events, decoder.End()...) {
		if e.Kind != ToolCall {
			continue
		}
		if n == len(calls) || e.Call.Name != calls[n].Name || !equalJSON(e.Call.Arguments, calls[n].Arguments) {
			return false
		}
		n++
	}
	return n == len(calls)
}

func equalJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// repeats reports whether pair is one twice, so that it need not be shown.
func repeats(pair, one string) bool {
	return strings.HasPrefix(pair, one) && strings.HasSuffix(pair, one) && strings.TrimSpace(pair[len(one):len(pair)-len(one)]) == ""
}
