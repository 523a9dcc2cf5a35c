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
	call := sampleCall(tools)
	one := []message.ToolCall{call}

	// The examples stand in no fence: a model would copy it, and calls in fences
	// are taken for examples.
	paragraphs := []string{
		say.title, say.tools, d.list(tools, language),
		say.calling, fmt.Sprintf(say.example, call.Name), d.Write(one), say.rules,
	}
	if note := d.notes[language]; note != "" {
		paragraphs = append(paragraphs, note)
	}
	if two := []message.ToolCall{call, anotherCall(tools, call)}; d.single || !d.reads(two, tools) {
		paragraphs = append(paragraphs, say.single)
	} else {
		paragraphs = append(paragraphs, say.several)
		if !repeats(d.Write([]message.ToolCall{call, call}), d.Write(one)) {
			paragraphs = append(paragraphs, say.severalForm, d.Write(two))
		}
	}
	result := message.ToolResult{CallID: call.ID, Name: call.Name, Content: []message.Part{message.Text(fmt.Sprintf(say.result, call.Name))}}
	paragraphs = append(paragraphs, say.results, say.resultForm, d.result(result, call.Name), say.wait, say.without)
	if d.reply == nil {
		paragraphs = append(paragraphs, say.plainAnswer)
	} else {
		paragraphs = append(paragraphs, say.formAnswer, d.reply("your answer"))
	}
	return strings.Join(paragraphs, "\n\n")
}

func (d *Dialect) list(tools []tool.Definition, l Language) string {
	var b strings.Builder
	if d.listing != nil {
		d.listing(&b, tools, l)
	} else {
		plainTools(&b, tools, l)
	}
	return b.String()
}

// Example returns a call as the dialect writes it, for people. It is empty where
// calls are no text.
func (d *Dialect) Example() string {
	if d.write == nil {
		return ""
	}
	return d.Write([]message.ToolCall{{ID: "call_1", Name: "get_weather", Arguments: json.RawMessage(`{"city": "Paris", "days": 2}`)}})
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

// anotherCall is one of another tool than call's, if there is any.
func anotherCall(tools []tool.Definition, call message.ToolCall) message.ToolCall {
	rest := slices.DeleteFunc(slices.Clone(tools), func(def tool.Definition) bool { return def.Name == call.Name })
	if len(rest) > 0 {
		call = sampleCall(rest)
	}
	call.ID = "call_2"
	return call
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
	events := slices.Clone(decoder.Feed(d.Write(calls)))
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

// repeats reports whether pair is one twice: then a sentence says it all.
func repeats(pair, one string) bool {
	rest, first := strings.CutPrefix(pair, one)
	return first && strings.TrimSpace(rest) == strings.TrimSpace(one)
}
