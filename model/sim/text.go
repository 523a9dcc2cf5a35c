package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"helve/dialect"
	"helve/message"
	"helve/tool"
)

// A model without function calling sees and writes nothing but text. So the
// request is read into what it would be with function calling, is thought about
// like any other, and the calls of the reply are written in the dialect.

// readText takes the tools from the system prompt, the calls from what the model
// has written itself, and their results from what came back.
func (req *request) readText() {
	var system []string
	for _, m := range req.messages {
		if m.role != "system" && m.role != "developer" {
			break // a result may come as such a message too
		}
		system = append(system, m.text)
	}
	req.lesson = learn(strings.Join(system, "\n\n"))
	req.tools = req.lesson.tools
	req.choice = req.lesson.choice
	req.parallel = req.parallel && !req.lesson.single

	var read []turnMessage
	var open []call // whose results are to come
	made := 0
	for _, m := range req.messages {
		switch m.role {
		case "assistant":
			m.calls = req.callsIn(m.text)
			for i := range m.calls {
				made++
				m.calls[i].id = fmt.Sprintf("text_%d", made)
			}
			open = m.calls
		case "tool": // in the order of the calls
			m.callID = ""
			if len(open) > 0 {
				if results := req.lesson.readResults(m.text, open[:1]); len(results) > 0 {
					m.text = results[0]
				}
				m.callID, open = open[0].id, open[1:]
			}
		default:
			for _, result := range req.lesson.readResults(m.text, open) {
				read = append(read, turnMessage{role: "tool", text: result, callID: open[0].id})
				open = open[1:]
				m.role = "" // it is no question
			}
			open = nil
		}
		if m.role != "" {
			read = append(read, m)
		}
	}
	req.messages = read
}

// callsIn are the calls in an answer of the model's own.
func (req *request) callsIn(text string) []call {
	var tools []tool.Definition
	for _, t := range req.tools {
		tools = append(tools, tool.Definition{Name: t.name, Description: t.description, Parameters: t.schema})
	}
	d := req.dialect.NewDecoder(dialect.Options{Tools: tools, AnyName: true})
	events := slices.Clone(d.Feed(text))
	var calls []call
	for _, e := range append(events, d.End()...) {
		if e.Kind == dialect.ToolCall {
			calls = append(calls, call{name: e.Call.Name, arguments: string(e.Call.Arguments)})
		}
	}
	return calls
}

// speak puts what the model has thought up into the words that it was taught: an
// answer in the form that it must have, and before calls a line that says what is
// coming, where the prompt and the dialect leave room for one.
func (r *reply) speak(req *request) {
	if req.lesson.reply != "" {
		if len(r.calls) == 0 {
			r.text = req.lesson.answer(r.text)
		}
		return
	}
	prompt, _ := req.lastUser()
	says := language(prompt)
	if len(r.calls) == 0 {
		if len(req.callsIn(r.text)) > 0 { // a tool's words, repeated
			r.text = fenced(r.text)
		}
		if len(req.callsIn(r.text)) > 0 {
			r.text = says.unspeakable
		}
		return
	}
	line := says.announce(r.calls)
	if len(req.callsIn(line+"\n"+req.dialect.Write(wireCalls(r.calls)))) == len(r.calls) {
		r.text = line
	}
}

// fenced is text as an example, which no call in it leaves.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + text + "\n" + fence
}

// inText writes the calls of a reply as text, with what the fault makes of them.
func (r *reply) inText(req *request, fault Fault) {
	fault.deform(r, req)
	name(r.calls, req)
	if len(r.calls) > 0 {
		if r.text != "" {
			r.text += "\n"
		}
		r.text += req.dialect.Write(wireCalls(r.calls))
		r.calls = nil
	}
	if fault == PartialCall {
		r.text = r.text[:len(r.text)/2]
	}
	r.shorten(req)
}

func wireCalls(calls []call) []message.ToolCall {
	out := make([]message.ToolCall, len(calls))
	for i, c := range calls {
		out[i] = message.ToolCall{ID: c.id, Name: c.name, Arguments: json.RawMessage(c.arguments)}
	}
	return out
}
