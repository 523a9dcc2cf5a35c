package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"helve/dialect"
	"helve/schema"
)

// maxBody is the largest request that is read. It lets ten megabytes of
// arguments come back in the history.
const maxBody = 64 << 20

// request is a chat completion request that was checked.
type request struct {
	id           string           // a hash of what was asked
	dialect      *dialect.Dialect // in which calls are text; nil: function calling
	lesson       lesson           // of the dialect
	messages     []turnMessage
	tools        []definition
	choice       choice
	parallel     bool
	stream       bool
	includeUsage bool
	maxTokens    int // 0 means no limit
	stop         []string
	inputTokens  int
}

type turnMessage struct {
	role   string
	text   string
	calls  []call
	callID string // of a tool's message
}

// call is one tool call as it travels: arguments are a string.
type call struct {
	id, name, arguments string
}

// definition is a tool of the request.
type definition struct {
	name, description string
	schema            *schema.Schema
}

// choice is tool_choice. name is set where one tool was asked for.
type choice struct {
	none, required bool
	name           string
}

type requestBody struct {
	Model    string `json:"model"`
	Messages []struct {
		Role       string          `json:"role"`
		Content    json.RawMessage `json:"content"`
		ToolCalls  []wireToolCall  `json:"tool_calls"`
		ToolCallID string          `json:"tool_call_id"`
	} `json:"messages"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice    json.RawMessage `json:"tool_choice"`
	Parallel      *bool           `json:"parallel_tool_calls"`
	Stream        bool            `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           int             `json:"max_tokens"`
	MaxCompletionTokens int             `json:"max_completion_tokens"`
	Stop                json.RawMessage `json:"stop"`
	N                   int             `json:"n"`
}

// badRequest is a request that is refused, and what of it was wrong.
type badRequest struct {
	status               int
	param, code, message string
}

func (e *badRequest) Error() string { return e.message }

func refuse(param, format string, args ...any) *badRequest {
	return &badRequest{status: http.StatusBadRequest, param: param, message: fmt.Sprintf(format, args...)}
}

// readRequest reads and checks a request as strictly as OpenAI does, so that a
// history or a tool which OpenAI would refuse does not pass offline.
//
// A model without function calling, that writes calls in d, refuses tools.
func readRequest(r io.Reader, d *dialect.Dialect) (*request, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, &badRequest{status: http.StatusRequestEntityTooLarge, message: fmt.Sprintf("the request is larger than %d bytes", tooLarge.Limit)}
		}
		return nil, refuse("", "the request can't be read: %v", err)
	}
	var body requestBody
	if err := json.Unmarshal(data, &body); err != nil {
		return nil, refuse("", "the request is not the JSON of a chat completion: %v", err)
	}
	if body.Model == "" {
		return nil, refuse("model", "model is missing: use %q", modelName)
	}
	if body.N > 1 {
		return nil, refuse("n", "n is %d: the offline model gives one answer", body.N)
	}
	req := &request{
		dialect:      d,
		parallel:     body.Parallel == nil || *body.Parallel,
		stream:       body.Stream,
		includeUsage: body.StreamOptions != nil && body.StreamOptions.IncludeUsage,
		maxTokens:    max(body.MaxTokens, body.MaxCompletionTokens),
	}
	for _, step := range []func(*requestBody) error{req.readMessages, req.readTools, req.readChoice, req.readStop} {
		if err := step(&body); err != nil {
			return nil, err
		}
	}
	req.id = identify(&body)
	return req, nil
}

// identify is a hash of what was asked, without how the answer should travel.
func identify(body *requestBody) string {
	h := sha256.New()
	_ = json.NewEncoder(h).Encode([]any{body.Messages, body.Tools, body.ToolChoice}) // was just decoded
	return hex.EncodeToString(h.Sum(nil))[:24]
}

func (req *request) readMessages(body *requestBody) error {
	if len(body.Messages) == 0 {
		return refuse("messages", "messages is empty: send at least one")
	}
	for i, m := range body.Messages {
		param := fmt.Sprintf("messages[%d]", i)
		text, err := readContent(m.Content)
		if err != nil {
			return refuse(param+".content", "%v", err)
		}
		t := turnMessage{role: m.Role, text: text, callID: m.ToolCallID}
		switch m.Role {
		case "system", "developer", "user", "assistant", "tool":
		default:
			return refuse(param+".role", "unknown role %q", m.Role)
		}
		for _, c := range m.ToolCalls {
			t.calls = append(t.calls, call{c.ID, c.Function.Name, c.Function.Arguments})
			req.inputTokens += countTokens(c.Function.Arguments)
		}
		req.inputTokens += countTokens(text)
		req.messages = append(req.messages, t)
	}
	if req.dialect != nil {
		req.readText()
		return nil
	}
	return checkAnswered(req.messages)
}

// readContent is the text of a message: a string, or a list of parts of which
// the offline model reads the text.
func readContent(raw json.RawMessage) (string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	if raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", fmt.Errorf("content is neither text nor a list of parts: %w", err)
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String(), nil
}

// checkAnswered refuses a history in which a call has no result or a result no
// call, as OpenAI does.
func checkAnswered(messages []turnMessage) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.role == "tool" {
			if !open[m.callID] {
				return refuse(fmt.Sprintf("messages[%d].tool_call_id", i), "the result of call %q follows no such call", m.callID)
			}
			delete(open, m.callID)
			continue
		}
		if len(open) > 0 {
			return refuse(fmt.Sprintf("messages[%d]", i), "%d calls before this message have no result", len(open))
		}
		for _, c := range m.calls {
			open[c.id] = true
		}
	}
	if len(open) > 0 {
		return refuse("messages", "%d calls at the end have no result", len(open))
	}
	return nil
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (req *request) readTools(body *requestBody) error {
	if req.dialect != nil && len(body.Tools) > 0 {
		return refuse("", "%s does not support tools", body.Model) // in Ollama's words
	}
	for i, t := range body.Tools {
		param := fmt.Sprintf("tools[%d]", i)
		if t.Type != "function" {
			return refuse(param+".type", "a tool's type is %q: want function", t.Type)
		}
		f := t.Function
		if !toolName.MatchString(f.Name) {
			return refuse(param+".function.name", "%q is no tool name: use letters, digits, _ and -, at most 64", f.Name)
		}
		if len(f.Parameters) == 0 || string(f.Parameters) == "null" {
			f.Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		s, err := schema.Compile(f.Parameters)
		if err != nil {
			return refuse(param+".function.parameters", "invalid schema for %s: %v", f.Name, err)
		}
		if s.Root().Type != "object" {
			return refuse(param+".function.parameters", "the schema of %s is not of type object", f.Name)
		}
		req.tools = append(req.tools, definition{f.Name, f.Description, s})
		req.inputTokens += countTokens(f.Description) + countTokens(string(f.Parameters))
	}
	return nil
}

func (req *request) readChoice(body *requestBody) error {
	var word string
	var named struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	raw := body.ToolChoice
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if len(body.Tools) == 0 {
		return refuse("tool_choice", "tool_choice is only allowed with tools")
	}
	if json.Unmarshal(raw, &word) != nil && (json.Unmarshal(raw, &named) != nil || named.Function.Name == "") {
		return refuse("tool_choice", "tool_choice is neither none, auto, required nor a function")
	}
	switch word {
	case "auto":
	case "none":
		req.choice.none = true
	case "required":
		req.choice.required = true
	case "":
		req.choice = choice{required: true, name: named.Function.Name}
		if _, ok := req.tool(named.Function.Name); !ok {
			return refuse("tool_choice", "tool_choice names %q, which is not among the tools", named.Function.Name)
		}
	default:
		return refuse("tool_choice", "unknown tool_choice %q", word)
	}
	return nil
}

func (req *request) tool(name string) (definition, bool) {
	for _, t := range req.tools {
		if t.name == name {
			return t, true
		}
	}
	return definition{}, false
}

func (req *request) readStop(body *requestBody) error {
	if len(body.Stop) == 0 || string(body.Stop) == "null" {
		return nil
	}
	var one string
	if json.Unmarshal(body.Stop, &one) == nil {
		req.stop = []string{one}
		return nil
	}
	if json.Unmarshal(body.Stop, &req.stop) != nil {
		return refuse("stop", "stop is neither a string nor a list of strings")
	}
	return nil
}

// lastUser is the text of the last user message and what came after it.
func (req *request) lastUser() (prompt string, after []turnMessage) {
	for i := len(req.messages) - 1; i >= 0; i-- {
		if req.messages[i].role == "user" && !req.showsResult(i) {
			return req.messages[i].text, req.messages[i+1:]
		}
	}
	return "", nil
}

// showsResult reports whether message i is nothing that a person said, but the
// pictures of a tool's result: a tool message takes text alone, so clients send
// them behind it, and package openai writes before them of which call they are.
func (req *request) showsResult(i int) bool {
	for j := i - 1; j >= 0 && req.messages[j].role == "tool"; j-- {
		if strings.HasPrefix(req.messages[i].text, "of call "+req.messages[j].callID) {
			return true
		}
	}
	return false
}
