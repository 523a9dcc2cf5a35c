package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"helve/message"
	"helve/model"
	"helve/model/openai"
	"helve/schema"
	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// reply is what a scripted server answers.
type reply struct {
	status int    // 0 means 200
	header string // "Name: value" lines; a content type is guessed without
	body   string
}

func (r reply) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for line := range strings.Lines(r.header) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		w.Header().Set(name, value)
	}
	if r.status != 0 {
		w.WriteHeader(r.status)
	}
	io.WriteString(w, r.body)
}

// serve returns a client of a server that lives as long as the test.
func serve(t testing.TB, handler http.Handler, config openai.Config) *openai.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	config.Model = "test-model"
	config.BaseURL = server.URL + "/v1"
	config.HTTPClient = &http.Client{Transport: transport}
	client, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// capture returns the body that the client sends for req.
func capture(t *testing.T, req *model.Request, config openai.Config) string {
	t.Helper()
	var body []byte
	client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		reply{body: sse(`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`)}.ServeHTTP(w, r)
	}), config)
	if _, err := model.Generate(t.Context(), client, req); err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// sse writes chunks as a stream with its end.
func sse(chunks ...string) string {
	return events(chunks...) + "data: [DONE]\n\n"
}

// events writes chunks as a stream without its end.
func events(chunks ...string) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString("data: " + c + "\n\n")
	}
	return b.String()
}

// deltas wraps deltas into chunks, and ends them with a finish reason.
func deltas(reason string, deltas ...string) string {
	chunks := make([]string, 0, len(deltas)+1)
	for _, d := range deltas {
		chunks = append(chunks, `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":`+d+`,"finish_reason":null}]}`)
	}
	chunks = append(chunks, `{"id":"chatcmpl-1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"`+reason+`"}]}`)
	return sse(chunks...)
}

// collect returns an answer's events and its error.
func collect(t testing.TB, client model.Client, req *model.Request) (events []model.Event, failed error) {
	t.Helper()
	for event, err := range client.Stream(t.Context(), req) {
		if err != nil {
			return events, err
		}
		events = append(events, event)
	}
	return events, nil
}

// gathered joins what may be split anywhere, so that cases can compare answers.
func gathered(events []model.Event) []model.Event {
	var out []model.Event
	for _, event := range events {
		if len(out) > 0 {
			switch e := event.(type) {
			case model.TextDelta:
				if last, ok := out[len(out)-1].(model.TextDelta); ok {
					out[len(out)-1] = last + e
					continue
				}
			case model.ReasoningDelta:
				if last, ok := out[len(out)-1].(model.ReasoningDelta); ok {
					out[len(out)-1] = last + e
					continue
				}
			}
		}
		if _, ok := event.(model.ToolCallDelta); !ok {
			out = append(out, event)
		}
	}
	return out
}

func hello() *model.Request {
	return &model.Request{Messages: []message.Message{message.User("hello")}}
}

func weather() tool.Definition {
	return tool.Definition{
		Name:        "weather",
		Description: "The weather <now> & here.",
		Parameters:  schema.MustCompile(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
	}
}

func toolCall(id, name, args string) model.ToolCall {
	return model.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(args)}
}
