package telemetry

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.opentelemetry.io/otel/attribute"

	"helve/executor"
	"helve/message"
	"helve/model"
)

// What content is captured at most.
const (
	mostText    = 8 << 10  // bytes of one text
	mostContent = 64 << 10 // bytes of one attribute
)

// requestContent are the messages and tools of a request, in the form of the
// conventions: JSON, with the instructions apart.
func requestContent(req *model.Request) []attribute.KeyValue {
	if req == nil {
		return nil
	}
	var instructions, messages, tools [][]byte
	for _, m := range req.Messages {
		if m.Role == message.RoleSystem {
			instructions = append(instructions, encodeAll(parts(m))...)
			continue
		}
		messages = append(messages, encode(said{Role: string(m.Role), Parts: parts(m)}))
	}
	for _, d := range req.Tools {
		tools = append(tools, encode(definition{"function", d.Name, shown(d.Description), json.RawMessage(d.Schema().JSON())}))
	}
	var attrs []attribute.KeyValue
	for _, a := range []struct {
		key   string
		items [][]byte
	}{{attrInstructions, instructions}, {attrInputMessages, messages}, {attrToolDefinitions, tools}} {
		if len(a.items) > 0 {
			attrs = append(attrs, attribute.String(a.key, list(a.items)))
		}
	}
	return attrs
}

// answerContent is what a model said.
func answerContent(r *model.Response) attribute.KeyValue {
	m := encode(said{string(r.Message.Role), parts(r.Message), string(r.Finish.Reason)})
	return attribute.String(attrOutputMessages, list([][]byte{m}))
}

// resultContent is what a tool answered, as the model reads it.
func resultContent(r executor.Report) attribute.KeyValue {
	answer, _ := executor.Result{Call: r.Call, Output: r.Output, Err: r.Err}.Message().ToolResult()
	return attribute.String(attrToolResult, clean(shown(answer.Text()), mostText))
}

// said is a message of the conventions.
type said struct {
	Role   string `json:"role"`
	Parts  []any  `json:"parts"`
	Finish string `json:"finish_reason,omitempty"`
}

type definition struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// part is a part of the conventions, of any type.
type part struct {
	Type      string `json:"type"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Content   string `json:"content,omitempty"`
	Arguments any    `json:"arguments,omitempty"`
	Response  string `json:"response,omitempty"`
	Modality  string `json:"modality,omitempty"`
	MediaType string `json:"mime_type,omitempty"`
	URI       string `json:"uri,omitempty"`
	Bytes     int    `json:"bytes,omitempty"`
}

func parts(m message.Message) []any {
	all := make([]any, 0, len(m.Parts))
	for _, p := range m.Parts {
		switch p := p.(type) {
		case message.Text:
			all = append(all, part{Type: "text", Content: shown(string(p))})
		case message.Reasoning:
			all = append(all, part{Type: "reasoning", Content: shown(string(p))})
		case message.ToolCall:
			all = append(all, part{Type: "tool_call", ID: p.ID, Name: p.Name, Arguments: arguments(p.Arguments)})
		case message.ToolResult:
			all = append(all, part{Type: "tool_call_response", ID: p.CallID, Response: shown(p.Text())})
		case message.Image:
			all = append(all, media("image", p.MediaType, p.URL, p.Data))
		case message.Audio:
			all = append(all, media("audio", p.MediaType, p.URL, p.Data))
		case message.File:
			all = append(all, media("file", p.MediaType, p.URL, p.Data))
		case message.Resource:
			all = append(all, media("file", p.MediaType, p.URI, p.Data))
		}
	}
	return all
}

// media is where a picture, a sound or a file is, or how large: a trace is no
// place for the thing itself.
func media(modality, mediaType, uri string, data []byte) part {
	if uri != "" {
		return part{Type: "uri", Modality: modality, MediaType: mediaType, URI: shown(uri)}
	}
	return part{Type: "omitted", Modality: modality, MediaType: mediaType, Bytes: len(data)}
}

// arguments are redacted, as JSON where they are not cut.
func arguments(raw json.RawMessage) any {
	text := executor.Redact(raw)
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return text
}

// shown is text without what looks like a secret, and not too long.
func shown(s string) string { return executor.RedactExcerpt(s, mostText) }

// list is a JSON array of items. If they are too long the first are left out, and
// the array begins with their number: what was said last explains what comes next.
func list(items [][]byte) string {
	size, first := 0, len(items)
	for first > 0 && size+len(items[first-1]) <= mostContent {
		first--
		size += len(items[first]) + 1
	}
	items = items[first:]
	if first > 0 {
		items = append([][]byte{fmt.Appendf(nil, `{"type":"omitted","count":%d}`, first)}, items...)
	}
	return "[" + string(bytes.Join(items, []byte(","))) + "]"
}

func encodeAll(values []any) [][]byte {
	all := make([][]byte, len(values))
	for i, v := range values {
		all[i] = encode(v)
	}
	return all
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte(`{"type":"omitted"}`) // a tool's schema that is not JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
