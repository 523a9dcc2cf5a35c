package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/model"
	"helve/model/openai"
	"helve/schema"
	"helve/tool"
)

const start = `{"model":"test-model",`

// TestRequest compares whole bodies: key order does not count, all else does.
func TestRequest(t *testing.T) {
	t.Parallel()
	const messages = `"messages":[{"role":"user","content":"hello"}]`
	const stream = `"stream":true,"stream_options":{"include_usage":true}`
	const tools = `"tools":[{"type":"function","function":{"name":"weather","description":"The weather <now> & here.",` +
		`"parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]`
	zero, seed := 0.0, 7
	tests := []struct {
		name   string
		config openai.Config
		change func(*model.Request)
		want   string
	}{
		{
			// Document 000, "绑定空工具列表".
			name:   "no tools",
			change: func(r *model.Request) { r.Tools, r.Choice = []tool.Definition{}, model.ChooseRequired },
			want:   start + messages + `,` + stream + `}`,
		},
		{
			// Document 000, "绑定工具列表".
			name:   "tools",
			change: func(r *model.Request) { r.Tools = []tool.Definition{weather()} },
			want:   start + messages + `,` + stream + `,` + tools + `}`,
		},
		{
			name: "a choice",
			change: func(r *model.Request) {
				r.Tools, r.Choice = []tool.Definition{weather()}, model.ChooseTool("weather")
			},
			want: start + messages + `,` + stream + `,"tool_choice":{"type":"function","function":{"name":"weather"}},` + tools + `}`,
		},
		{
			name:   "none",
			change: func(r *model.Request) { r.Tools, r.Choice = []tool.Definition{weather()}, model.ChooseNone },
			want:   start + messages + `,` + stream + `,"tool_choice":"none",` + tools + `}`,
		},
		{
			name: "settings",
			change: func(r *model.Request) {
				r.Temperature, r.MaxTokens, r.Stop, r.Seed = &zero, 100, []string{"END"}, &seed
			},
			want: start + messages + `,` + stream + `,"temperature":0,"max_tokens":100,"stop":["END"],"seed":7}`,
		},
		{
			name:   "not streamed",
			config: openai.Config{NoStream: true},
			want:   start + messages + `,"stream":false}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := hello()
			if tt.change != nil {
				tt.change(req)
			}
			if diff := cmp.Diff(decoded(t, tt.want), decoded(t, capture(t, req, tt.config))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestToolBytes checks that tools keep their order and their bytes, which a
// provider's prompt cache depends on, and stay out of the messages.
func TestToolBytes(t *testing.T) {
	t.Parallel()
	names := []string{"zebra", "apple", "mango"}
	req := hello()
	want := make([]string, len(names))
	for i, name := range names {
		d := weather()
		d.Name = name
		function, _ := d.FunctionTool(schema.OpenAIStrict)
		req.Tools = append(req.Tools, d)
		want[i] = string(function)
	}
	first := capture(t, req, openai.Config{Profile: schema.OpenAIStrict})
	if tools := `"tools":[` + strings.Join(want, ",") + `]`; !strings.Contains(first, tools) {
		t.Errorf("the body\n%s\ndoes not contain\n%s", first, tools)
	}
	for range 20 {
		if again := capture(t, req, openai.Config{Profile: schema.OpenAIStrict}); again != first {
			t.Fatalf("the bytes differ:\n%s\n%s", first, again)
		}
	}
	var body struct{ Messages json.RawMessage }
	if err := json.Unmarshal([]byte(first), &body); err != nil {
		t.Fatal(err)
	}
	if want := `[{"role":"user","content":"hello"}]`; string(body.Messages) != want {
		t.Errorf("messages %s: want %s", body.Messages, want)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	png := message.Image{Data: []byte("png"), MediaType: "image/png"}
	call := func(id string) message.ToolCall {
		return message.ToolCall{ID: id, Name: "look", Arguments: json.RawMessage(`{"a": "<b>"}`)}
	}
	result := func(id string, content ...message.Part) message.Message {
		return message.Result(message.ToolResult{CallID: id, Name: "look", Content: content, Artifact: "secret"})
	}
	user := func(parts ...message.Part) message.Message {
		return message.Message{Role: message.RoleUser, Parts: parts}
	}
	tests := []struct {
		name     string
		messages []message.Message
		want     string
	}{
		{
			"a conversation",
			[]message.Message{
				message.System("Be brief."),
				message.User("look"),
				message.Assistant(message.Reasoning("hm"), message.Text("I'll "), message.Text("look."), call("a")),
				result("a", message.Text("nothing")),
				message.Assistant(message.Text("Nothing.")),
			},
			`[{"role":"system","content":"Be brief."},
			{"role":"user","content":"look"},
			{"role":"assistant","content":"I'll look.","tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"a\": \"<b>\"}"}}]},
			{"role":"tool","tool_call_id":"a","content":"nothing"},
			{"role":"assistant","content":"Nothing."}]`,
		},
		{
			"calls alone",
			[]message.Message{message.Assistant(message.ToolCall{ID: "a", Name: "look"}), result("a")},
			`[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":""}]`,
		},
		{
			"an answer of nothing",
			[]message.Message{message.Assistant(message.Reasoning("hm"))},
			`[{"role":"assistant","content":""}]`,
		},
		{
			"text in parts, and a resource",
			[]message.Message{user(message.Text("Read:"), message.Text(""), message.Resource{URI: "file:///a.txt", Text: "abc"})},
			`[{"role":"user","content":"Read:\nfile:///a.txt:\nabc"}]`,
		},
		{
			"images, sounds and files",
			[]message.Message{user(
				message.Text("What is this?"),
				message.Text(""),
				png,
				message.Image{URL: "https://example.com/a.png"},
				message.Audio{Data: []byte("wav"), MediaType: "audio/x-wav"},
				message.Audio{Data: []byte("mp3"), MediaType: "audio/mpeg"},
				message.File{Data: []byte("pdf"), MediaType: "application/pdf"},
				message.Resource{URI: "file:///dir/b.pdf", Data: []byte("pdf"), MediaType: "application/pdf"},
				message.Resource{URI: "file:///c.png", Data: []byte("png"), MediaType: "image/png"},
				message.Resource{URI: "file:///d.wav", Data: []byte("wav"), MediaType: "audio/wav"},
				message.Resource{URI: "file:///e", Name: "E"},
			)},
			`[{"role":"user","content":[
			{"type":"text","text":"What is this?"},
			{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},
			{"type":"image_url","image_url":{"url":"https://example.com/a.png"}},
			{"type":"input_audio","input_audio":{"data":"d2F2","format":"wav"}},
			{"type":"input_audio","input_audio":{"data":"bXAz","format":"mp3"}},
			{"type":"file","file":{"filename":"file","file_data":"data:application/pdf;base64,cGRm"}},
			{"type":"file","file":{"filename":"b.pdf","file_data":"data:application/pdf;base64,cGRm"}},
			{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},
			{"type":"input_audio","input_audio":{"data":"d2F2","format":"wav"}},
			{"type":"text","text":"E file:///e"}]}]`,
		},
		{
			"media of results after all results of the turn",
			[]message.Message{
				message.Assistant(call("a"), call("b")),
				result("a", message.Text("here"), png, message.Text("it is")),
				result("b", png),
				message.User("and?"),
			},
			`[{"role":"assistant","content":null,"tool_calls":[
				{"id":"a","type":"function","function":{"name":"look","arguments":"{\"a\": \"<b>\"}"}},
				{"id":"b","type":"function","function":{"name":"look","arguments":"{\"a\": \"<b>\"}"}}]},
			{"role":"tool","tool_call_id":"a","content":"here\nit is\n[image: see the user message that follows, under \"of call a\"]"},
			{"role":"tool","tool_call_id":"b","content":"[image: see the user message that follows, under \"of call b\"]"},
			{"role":"user","content":[
				{"type":"text","text":"of call a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},
				{"type":"text","text":"of call b"},{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}]},
			{"role":"user","content":"and?"}]`,
		},
		{
			"media of the last result",
			[]message.Message{result("a", png)},
			`[{"role":"tool","tool_call_id":"a","content":"[image: see the user message that follows, under \"of call a\"]"},
			{"role":"user","content":[{"type":"text","text":"of call a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}]}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := start + `"stream":true,"stream_options":{"include_usage":true},"messages":` + tt.want + `}`
			got := capture(t, &model.Request{Messages: tt.messages}, openai.Config{})
			if diff := cmp.Diff(decoded(t, want), decoded(t, got)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestRequestErrors(t *testing.T) {
	t.Parallel()
	one := func(m message.Message) *model.Request { return &model.Request{Messages: []message.Message{m}} }
	user := func(p message.Part) *model.Request {
		return one(message.Message{Role: message.RoleUser, Parts: []message.Part{p}})
	}
	tests := []struct {
		name string
		req  *model.Request
		want string
	}{
		{"an empty message", one(message.Message{}), "message 0 (): the message is empty"},
		{"an unknown role", one(message.Message{Role: "wizard"}), `message 0 (wizard): the role is unknown`},
		{"an image for the system", one(message.Message{Role: message.RoleSystem, Parts: []message.Part{message.Image{URL: "x"}}}), "takes text alone"},
		{"an image without a type", user(message.Image{Data: []byte("x")}), "part 0: an image needs"},
		{"audio by URL", user(message.Audio{URL: "x"}), "take audio as data"},
		{"a file by URL", user(message.File{URL: "x"}), "take a file as data"},
		{"a call from a person", user(message.ToolCall{}), "take no message.ToolCall here"},
		{"an image from the model", one(message.Assistant(message.Image{URL: "x"})), "take no message.Image from an assistant"},
		{"a call without an ID", one(message.Assistant(message.ToolCall{Name: "f"})), "needs both a name and an ID"},
		{"a call with bad arguments", one(message.Assistant(message.ToolCall{ID: "a", Name: "f", Arguments: json.RawMessage("{")})), "arguments of call a are not JSON"},
		{"a result without a call", one(message.Result(message.ToolResult{})), "says no call"},
		{"no result", one(message.Message{Role: message.RoleTool, Parts: []message.Part{message.Text("x")}}), "takes one tool result"},
		{"an unknown choice", &model.Request{Tools: []tool.Definition{weather()}, Choice: "perhaps"}, `tool choice "perhaps" is unknown`},
		{"a choice not offered", &model.Request{Tools: []tool.Definition{weather()}, Choice: model.ChooseTool("time")}, `"time", which is not among`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") }), openai.Config{})
			_, err := collect(t, client, tt.req)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v: want it to contain %q", err, tt.want)
			}
		})
	}
}

func TestHTTPRequest(t *testing.T) {
	t.Parallel()
	for apiKey, want := range map[string]string{"": "", " " + key + "\n": "Bearer " + key} {
		var got *http.Request
		client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = r.Clone(r.Context())
			io.WriteString(w, deltas("stop", `{"content":"ok"}`))
		}), openai.Config{APIKey: apiKey})
		if _, err := model.Generate(t.Context(), client, hello()); err != nil {
			t.Fatal(err)
		}
		if got.Method != "POST" || got.URL.Path != "/v1/chat/completions" || got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", got.Method, got.URL, got.Header)
		}
		if auth := got.Header.Get("Authorization"); auth != want {
			t.Errorf("Authorization %q: want %q", auth, want)
		}
	}
}

// TestTokenLimit checks that OpenAI gets the only name that its newer models
// take. Other servers get the old one: see TestRequest.
func TestTokenLimit(t *testing.T) {
	t.Parallel()
	var body []byte
	client, err := openai.New(openai.Config{Model: "m", HTTPClient: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		body, _ = io.ReadAll(r.Body)
		return reply{body: deltas("stop", `{"content":"ok"}`)}.RoundTrip(r)
	})}})
	if err != nil {
		t.Fatal(err)
	}
	req := hello()
	req.MaxTokens = 100
	if _, err := model.Generate(t.Context(), client, req); err != nil {
		t.Fatal(err)
	}
	if s := string(body); !strings.Contains(s, `"max_completion_tokens":100`) || strings.Contains(s, `"max_tokens"`) {
		t.Errorf("body %s: want max_completion_tokens", s)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func decoded(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%v: %s", err, s)
	}
	return v
}

func TestInfoSaysWhereTheServerIs(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"":                             "api.openai.com:443",
		"http://localhost:11434/v1":    "localhost:11434",
		"http://ada:secret@example/v1": "example:80",
		"https://[::1]/v1":             "[::1]:443",
	} {
		client, err := openai.New(openai.Config{Model: "m", BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		if got := client.Info().Server; got != want {
			t.Errorf("%q: got %q, want %q", base, got, want)
		}
	}
}
