package openai_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/model"
	"helve/model/openai"
)

const key = "sk-a-secret-key"

// TestAPIErrors has a case for each form in which servers say that they won't.
func TestAPIErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		reply
		want      model.APIError // Message is what the message must contain
		temporary bool
	}{
		{
			name:      "OpenAI",
			reply:     reply{status: 429, header: "Retry-After: 7", body: `{"error":{"message":"Slow\n down","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`},
			want:      model.APIError{Status: 429, Type: "rate_limit_error", Code: "rate_limit_exceeded", Message: "Slow down", RetryAfter: 7 * time.Second},
			temporary: true,
		},
		{
			name:  "no money left",
			reply: reply{status: 429, body: `{"error":{"message":"You exceeded your quota","type":"insufficient_quota","code":"insufficient_quota"}}`},
			want:  model.APIError{Status: 429, Type: "insufficient_quota", Code: "insufficient_quota", Message: "You exceeded your quota"},
		},
		{
			name:      "retry-after in milliseconds",
			reply:     reply{status: 503, header: "Retry-After-Ms: 1500\nRetry-After: 2", body: `{"error":{"message":"busy"}}`},
			want:      model.APIError{Status: 503, Message: "busy", RetryAfter: 1500 * time.Millisecond},
			temporary: true,
		},
		{
			name:      "retry-after that means nothing",
			reply:     reply{status: 503, header: "Retry-After: soon", body: `{"error":{"message":"busy"}}`},
			want:      model.APIError{Status: 503, Message: "busy"},
			temporary: true,
		},
		{
			name:      "retry-after of a thousand years",
			reply:     reply{status: 503, header: "Retry-After: 1e30", body: `{"error":{"message":"busy"}}`},
			want:      model.APIError{Status: 503, Message: "busy", RetryAfter: 24 * time.Hour},
			temporary: true,
		},
		{
			name:  "a string",
			reply: reply{status: 404, body: `{"error":"model 'x' not found"}`},
			want:  model.APIError{Status: 404, Message: "model 'x' not found"},
		},
		{
			name:  "detail",
			reply: reply{status: 422, body: `{"detail":"no such field"}`},
			want:  model.APIError{Status: 422, Message: "no such field"},
		},
		{
			name:  "detail as a list",
			reply: reply{status: 422, body: `{"detail":[{"loc":["body"],"msg":"field required"}]}`},
			want:  model.APIError{Status: 422, Message: "field required"},
		},
		{
			name:  "vLLM",
			reply: reply{status: 400, body: `{"object":"error","message":"too long","type":"BadRequestError","param":null,"code":400}`},
			want:  model.APIError{Status: 400, Type: "BadRequestError", Code: "400", Message: "too long"},
		},
		{
			name:  "Gemini",
			reply: reply{status: 400, body: `[{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}]`},
			want:  model.APIError{Status: 400, Code: "400", Message: "no"},
		},
		{
			name:  "a key that is wrong",
			reply: reply{status: 401, body: `{"error":{"message":"Incorrect API key provided: ` + key + `","type":"invalid_request_error","code":"invalid_api_key"}}`},
			want:  model.APIError{Status: 401, Type: "invalid_request_error", Code: "invalid_api_key", Message: "check OPENAI_API_KEY"},
		},
		{
			name:  "HTML with an error's status",
			reply: reply{status: 502, header: "Content-Type: text/html", body: "<html><h1>Bad\n gateway</h1>" + strings.Repeat("x", 1<<20)},
			want:  model.APIError{Status: 502, Message: "text/html and not an API's answer: check the base URL http://127.0.0.1:"}, temporary: true,
		},
		{
			name:  "HTML with status 200",
			reply: reply{header: "Content-Type: text/html; charset=utf-8", body: "<!doctype html><title>Welcome</title>"},
			want:  model.APIError{Status: 200, Message: "<title>Welcome</title>"},
		},
		{
			name:  "plain text with status 200",
			reply: reply{header: "Content-Type: text/plain", body: "it works"},
			want:  model.APIError{Status: 200, Message: "it works"},
		},
		{
			name:  "nothing but a status",
			reply: reply{status: 404, header: "Content-Type: text/plain"},
			want:  model.APIError{Status: 404, Message: "check the base URL"},
		},
		{
			name:  "an error in the stream",
			reply: reply{body: events(`{"choices":[{"delta":{"content":"hi"}}]}`, `{"error":{"message":"overloaded","type":"server_error","param":null,"code":null}}`)},
			want:  model.APIError{Type: "server_error", Message: "overloaded"}, temporary: true,
		},
		{
			name:  "an error in the stream whose code is a status",
			reply: reply{body: events(`{"error":{"message":"slow down","code":429}}`)},
			want:  model.APIError{Status: 429, Code: "429", Message: "slow down"}, temporary: true,
		},
		{
			name:  "event: error",
			reply: reply{body: "event: error\ndata: {\"message\":\"broken\",\"type\":\"server_error\"}\n\n"},
			want:  model.APIError{Type: "server_error", Message: "broken"}, temporary: true,
		},
		{
			name:  "event: error with text",
			reply: reply{body: "event: error\ndata: it broke\n\n"},
			want:  model.APIError{Message: "it broke"},
		},
		{
			name:  "an error where JSON was answered with status 200",
			reply: reply{header: "Content-Type: application/json", body: `{"error":{"message":"no such model","type":"invalid_request_error"}}`},
			want:  model.APIError{Type: "invalid_request_error", Message: "no such model"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, tt.reply, openai.Config{APIKey: key, Provider: "acme"})
			_, err := collect(t, client, hello())
			var got *model.APIError
			if !errors.As(err, &got) {
				t.Fatalf("error %v of type %T: want a *model.APIError", err, err)
			}
			if !strings.Contains(got.Message, tt.want.Message) {
				t.Errorf("message %q does not contain %q", got.Message, tt.want.Message)
			}
			if got.Temporary() != tt.temporary {
				t.Errorf("Temporary is %v", got.Temporary())
			}
			if strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
				t.Errorf("error %q: want a line or two without the key", err)
			}
			want := tt.want
			want.Provider, want.Message = "acme", got.Message
			if diff := cmp.Diff(&want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestRetryAfterDate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		at := time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)
		client := inMemory(t, reply{status: 503, header: "Retry-After: " + at, body: `{"error":"busy"}`})
		_, err := collect(t, client, hello())
		var got *model.APIError
		if !errors.As(err, &got) || got.RetryAfter != 90*time.Second {
			t.Errorf("error %#v: want to retry after 90 s", err)
		}
	})
}

// inMemory returns a client whose requests handler answers without a network.
func inMemory(t *testing.T, handler reply) *openai.Client {
	t.Helper()
	client, err := openai.New(openai.Config{
		Model:      "test-model",
		HTTPClient: &http.Client{Transport: handler},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (r reply) RoundTrip(*http.Request) (*http.Response, error) {
	header := http.Header{}
	for line := range strings.Lines(r.header) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		header.Set(name, value)
	}
	return &http.Response{StatusCode: max(r.status, 200), Header: header, Body: io.NopCloser(strings.NewReader(r.body))}, nil
}

func TestNoKeySent(t *testing.T) {
	t.Parallel()
	_, err := collect(t, serve(t, reply{status: 401, body: `{"error":{"message":"who?"}}`}, openai.Config{}), hello())
	if err == nil || !strings.Contains(err.Error(), "set OPENAI_API_KEY") {
		t.Errorf("error %v: want it to name the variable", err)
	}
}

// TestCutOff has a case for each way in which an answer stops too early.
func TestCutOff(t *testing.T) {
	t.Parallel()
	const text = `{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}`
	tests := []struct {
		name string
		reply
	}{
		{"an empty body", reply{}},
		{"no finish reason and no [DONE]", reply{body: events(text)}},
		{"inside a chunk", reply{body: events(text) + `data: {"choices":[{"del`}},
		{"inside a call", reply{body: events(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}`)}},
		{"shorter than announced", reply{header: "Content-Length: 1000", body: events(text)}},
		{"a stream without choices", reply{body: sse()}},
		{"inside JSON", reply{header: "Content-Type: application/json", body: `{"choices":[{"mess`}},
		{"the server says that it gave up", reply{body: deltas("abort", `{"content":"hi"}`)}},
		{"JSON without choices", reply{header: "Content-Type: application/json", body: `{"choices":[]}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			events, err := collect(t, serve(t, tt.reply, openai.Config{}), hello())
			if !errors.Is(err, model.ErrIncomplete) {
				t.Errorf("error %v: want ErrIncomplete", err)
			}
			for _, event := range events {
				switch event.(type) {
				case model.TextDelta, model.ToolCallDelta:
				default:
					t.Errorf("%#v came from an answer that was cut off", event)
				}
			}
		})
	}
}

func TestNotAChatCompletion(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		events(`{"choices":7}`),
		events(`not JSON`),
		`{"choices": [}`,
		deltas("tool_calls", `{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}`), // a call without a name
	} {
		_, err := collect(t, serve(t, reply{body: body}, openai.Config{}), hello())
		if err == nil || errors.Is(err, model.ErrIncomplete) || len(err.Error()) > 600 {
			t.Errorf("%s: error %v: want one that says what is wrong", body, err)
		}
	}
}

func TestConnectionRefused(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close() // now nobody listens there

	client, err := openai.New(openai.Config{
		Model: "m", APIKey: key, BaseURL: "http://me:my-password@" + address + "/v1?key=" + key,
		HTTPClient: &http.Client{Transport: &http.Transport{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = collect(t, client, hello())
	var network net.Error
	if !errors.As(err, &network) {
		t.Errorf("error %v: want it to wrap a net.Error", err)
	}
	if !strings.Contains(err.Error(), address) || !strings.Contains(err.Error(), "is the server running") {
		t.Errorf("error %v: want the host and a hint", err)
	}
	if strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "my-password") {
		t.Errorf("error %v shows a secret", err)
	}
}

func TestConnectionClosedWithoutAnswer(t *testing.T) {
	t.Parallel()
	client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		conn.Close()
	}), openai.Config{})
	if _, err := collect(t, client, hello()); !errors.Is(err, io.EOF) {
		t.Errorf("error %v: want io.EOF", err)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for range 1025 {
		many.WriteString(events(`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}}]}`))
	}
	piece := events(`{"choices":[{"delta":{"function_call":{"name":"f","arguments":"` + strings.Repeat(" ", 1<<20) + `"}}}]}`)
	tests := map[string]string{
		"too many calls":           many.String(),
		"too many arguments":       strings.Repeat(piece, 17),
		"an endless line":          "data: " + strings.Repeat("x", 34<<20),
		"an endless event":         strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 34),
		"an endless JSON document": "{" + strings.Repeat(" ", 34<<20),
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := collect(t, inMemory(t, reply{header: "Content-Type: text/event-stream", body: body}), hello())
			var limit *openai.LimitError
			if !errors.As(err, &limit) {
				t.Errorf("error %v: want a LimitError", err)
			}
		})
	}
}

func TestThousandCalls(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for range 1000 {
		many.WriteString(events(`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}}]}`))
	}
	resp, err := model.Generate(t.Context(), inMemory(t, reply{body: many.String() + "data: [DONE]\n\n"}), hello())
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, c := range resp.Message.ToolCalls() {
		ids[c.ID] = true
	}
	if len(ids) != 1000 {
		t.Errorf("%d calls with an ID of their own: want 1000", len(ids))
	}
}

// TestTenMegabytes has one call of 10 MB, whole in one line and in many.
func TestTenMegabytes(t *testing.T) {
	t.Parallel()
	const piece = 64 << 10
	const n = 10 << 20 / piece
	filler := strings.Repeat("x", piece)
	chunk := func(args string) string {
		return events(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"` + args + `"}}]}}]}`)
	}
	bodies := map[string]string{
		"one line":   chunk(`{\"x\":\"` + strings.Repeat(filler, n) + `\"}`),
		"many lines": chunk(`{\"x\":\"`) + strings.Repeat(chunk(filler), n) + chunk(`\"}`),
	}
	for name, body := range bodies {
		resp, err := model.Generate(t.Context(), inMemory(t, reply{body: body + "data: [DONE]\n\n"}), hello())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		calls := resp.Message.ToolCalls()
		if want := 10<<20 + len(`{"x":""}`); len(calls) != 1 || len(calls[0].Arguments) != want {
			t.Errorf("%s: %d calls, the first of %d bytes: want 1 of %d", name, len(calls), len(calls[0].Arguments), want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	t.Parallel()
	for _, config := range []openai.Config{
		{},
		{Model: "m", BaseURL: "localhost:11434/v1"},
		{Model: "m", BaseURL: "ftp://" + key + "@host"},
		{Model: "m", BaseURL: "http://" + key + ":x:y@host:bad"},
	} {
		_, err := openai.New(config)
		if err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("New(%+v): error %v: want one without the key", config, err)
		}
	}
}
