package message

import (
	"encoding/json"
	"fmt"
)

// MarshalParts writes parts as a JSON array in the form of this package's
// documentation. It fails only where a [ToolCall] holds arguments that are not
// JSON.
func MarshalParts(parts []Part) ([]byte, error) { return json.Marshal(wireList(parts)) }

// UnmarshalParts reads what [MarshalParts] wrote.
func UnmarshalParts(data []byte) ([]Part, error) {
	var l wireList
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("message: %w", err)
	}
	return l, nil
}

// wireList gives a list of parts its JSON form: each part is an object whose
// "type" says which it is.
type wireList []Part

type (
	wireText struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	wireImage struct {
		Type string `json:"type"`
		Image
	}
	wireAudio struct {
		Type string `json:"type"`
		Audio
	}
	wireFile struct {
		Type string `json:"type"`
		File
	}
	wireResource struct {
		Type string `json:"type"`
		Resource
	}
	wireCall struct {
		Type string `json:"type"`
		ToolCall
	}
	wireResult struct {
		Type     string          `json:"type"`
		CallID   string          `json:"call_id"`
		Name     string          `json:"name,omitempty"`
		Content  wireList        `json:"content"`
		IsError  bool            `json:"is_error,omitempty"`
		Artifact json.RawMessage `json:"artifact,omitempty"`
	}
)

func (l wireList) MarshalJSON() ([]byte, error) {
	out := make([]any, len(l))
	for i, p := range l {
		w, err := toWire(p)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i, err)
		}
		out[i] = w
	}
	return json.Marshal(out)
}

func toWire(p Part) (any, error) {
	switch p := p.(type) {
	case Text:
		return wireText{"text", string(p)}, nil
	case Reasoning:
		return wireText{"reasoning", string(p)}, nil
	case Image:
		return wireImage{"image", p}, nil
	case Audio:
		return wireAudio{"audio", p}, nil
	case File:
		return wireFile{"file", p}, nil
	case Resource:
		return wireResource{"resource", p}, nil
	case ToolCall:
		return wireCall{"tool_call", p}, nil
	case ToolResult:
		return wireResult{"tool_result", p.CallID, p.Name, p.Content, p.IsError, artifactJSON(p.Artifact)}, nil
	}
	return nil, fmt.Errorf("a part of type %T has no JSON form", p)
}

// artifactJSON is nil where the artifact can't be written: an artifact may be
// any Go value, and losing the conversation over one would be worse.
func artifactJSON(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return data
}

func (l *wireList) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*l = nil
	if len(raw) == 0 {
		return nil // an empty list reads back as the nil slice that most code writes
	}
	parts := make([]Part, len(raw))
	for i, r := range raw {
		p, err := fromWire(r)
		if err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
		parts[i] = p
	}
	*l = parts
	return nil
}

func fromWire(data json.RawMessage) (Part, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	switch head.Type {
	case "text", "reasoning":
		var w wireText
		err := json.Unmarshal(data, &w)
		if head.Type == "text" {
			return Text(w.Text), err
		}
		return Reasoning(w.Text), err
	case "image":
		return decode[Image](data)
	case "audio":
		return decode[Audio](data)
	case "file":
		return decode[File](data)
	case "resource":
		return decode[Resource](data)
	case "tool_call":
		return decode[ToolCall](data)
	case "tool_result":
		return resultFromWire(data)
	}
	return nil, fmt.Errorf("unknown type %q", head.Type)
}

func decode[P Part](data []byte) (Part, error) {
	var p P
	err := json.Unmarshal(data, &p)
	return p, err
}

func resultFromWire(data []byte) (Part, error) {
	var w wireResult
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, err
	}
	r := ToolResult{CallID: w.CallID, Name: w.Name, Content: w.Content, IsError: w.IsError}
	if len(w.Artifact) > 0 {
		if err := json.Unmarshal(w.Artifact, &r.Artifact); err != nil {
			return nil, err
		}
	}
	return r, nil
}
