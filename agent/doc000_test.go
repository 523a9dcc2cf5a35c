package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/model/openai"
	"helve/session"
	"helve/tool"
)

// wire is an OpenAI-compatible server that gives canned answers and keeps the
// requests as they came.
type wire struct {
	server  *httptest.Server
	mu      sync.Mutex
	answers []string
	bodies  []map[string]any
}

// newWire plays the answers, each the "message" and "finish_reason" of a choice,
// the last of them for ever.
func newWire(t *testing.T, answers ...string) *wire {
	t.Helper()
	w := &wire{answers: answers}
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		w.mu.Lock()
		n := min(len(w.bodies), len(w.answers)-1)
		w.bodies = append(w.bodies, body)
		w.mu.Unlock()
		rw.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(rw, `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,%s}]}`, w.answers[n])
	}))
	t.Cleanup(w.server.Close)
	return w
}

func (w *wire) client(t *testing.T) model.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	c, err := openai.New(openai.Config{BaseURL: w.server.URL, Model: "m", NoStream: true, HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	saysHello    = `"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"`
	callsWeather = `"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Beijing\"}"}}]},"finish_reason":"tool_calls"`
	callsBadly   = `"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc","type":"function","function":{"name":"get_weather","arguments":"{\"city\": Beijing"}}]},"finish_reason":"tool_calls"`
)

type cityInput struct {
	City string `json:"city"`
}

func weatherTool(t *testing.T, fn func(city string) (string, error)) tool.Tool {
	t.Helper()
	return tool.Must(tool.New("get_weather", "Get current weather for a city.",
		func(_ context.Context, in cityInput) (string, error) { return fn(in.City) }))
}

func sunny(city string) (string, error) { return "sunny in " + city, nil }

// 工具注册为 OpenAI Function Schema

func TestDoc000_BindTools_SchemasGoInToolsAndNotInTheSystemPrompt(t *testing.T) {
	t.Parallel()
	w := newWire(t, saysHello)
	a := mustAgent(t, agent.Config{Client: w.client(t), Instructions: "Be kind.", Tools: []tool.Tool{weatherTool(t, sunny)}})
	if _, err := a.Run(t.Context(), "Hello."); err != nil {
		t.Fatal(err)
	}
	tools, err := json.Marshal(w.bodies[0]["tools"])
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"function":{"description":"Get current weather for a city.","name":"get_weather","parameters":{"additionalProperties":false,"properties":{"city":{"type":"string"}},"required":["city"],"type":"object"}},"type":"function"}]`
	if diff := cmp.Diff(want, string(tools)); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	wantMessages := []any{
		map[string]any{"role": "system", "content": "Be kind."},
		map[string]any{"role": "user", "content": "Hello."},
	}
	if diff := cmp.Diff(wantMessages, w.bodies[0]["messages"]); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestDoc000_BindNoTools_SendsNoToolsKey(t *testing.T) {
	t.Parallel()
	w := newWire(t, saysHello)
	reply, err := mustAgent(t, agent.Config{Client: w.client(t)}).Run(t.Context(), "Hello.")
	if err != nil || reply.Text != "Hello." {
		t.Fatalf("%+v, %v", reply, err)
	}
	if tools, ok := w.bodies[0]["tools"]; ok {
		t.Errorf("sent tools: %v", tools)
	}
}

// 原生 tool_calls 字段解析

func TestDoc000_ToolCallsComeFromTheFieldWithIDNameAndArguments(t *testing.T) {
	t.Parallel()
	resp, err := model.Generate(t.Context(), newWire(t, callsWeather).client(t), &model.Request{Messages: []message.Message{message.User("Weather?")}})
	if err != nil {
		t.Fatal(err)
	}
	want := []message.ToolCall{{ID: "call_abc", Name: "get_weather", Arguments: json.RawMessage(`{"city":"Beijing"}`)}}
	if diff := cmp.Diff(want, resp.Message.ToolCalls()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDoc000_PlainTextHasNoToolCalls(t *testing.T) {
	t.Parallel()
	const looksLikeACall = `"message":{"role":"assistant","content":"{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Beijing\"}}"},"finish_reason":"stop"`
	for _, answer := range []string{saysHello, looksLikeACall} {
		resp, err := model.Generate(t.Context(), newWire(t, answer).client(t), &model.Request{Messages: []message.Message{message.User("Hello.")}})
		if err != nil {
			t.Fatal(err)
		}
		if calls := resp.Message.ToolCalls(); len(calls) > 0 || resp.Message.Text() == "" {
			t.Errorf("%s: calls %v, text %q", answer, calls, resp.Message.Text())
		}
	}
}

func TestDoc000_ArgumentsThatAreNotJSONAreAnErrorWithToolAndRawText(t *testing.T) {
	t.Parallel()
	w := newWire(t, callsBadly)
	ran := false
	a := mustAgent(t, agent.Config{Client: w.client(t), Tools: []tool.Tool{weatherTool(t, func(string) (string, error) {
		ran = true
		return "", nil
	})}})
	_, err := a.Run(t.Context(), "Weather?")
	var bad *model.ArgumentsError
	if !errors.As(err, &bad) {
		t.Fatalf("got %v", err)
	}
	if bad.Tool != "get_weather" || bad.Raw != `{"city": Beijing` {
		t.Errorf("the error holds %q and %q", bad.Tool, bad.Raw)
	}
	if !strings.Contains(err.Error(), "get_weather") || !strings.Contains(err.Error(), bad.Raw) {
		t.Errorf("the error's text is %q", err)
	}
	if ran {
		t.Error("the tool ran")
	}
}

// 工具执行与结果反馈

func TestDoc000_ResultGoesBackAsAToolMessageAndTheModelAnswers(t *testing.T) {
	t.Parallel()
	w := newWire(t, callsWeather, saysHello)
	reply, err := mustAgent(t, agent.Config{Client: w.client(t), Tools: []tool.Tool{weatherTool(t, sunny)}}).Run(t.Context(), "Weather?")
	if err != nil || reply.Text != "Hello." {
		t.Fatalf("%+v, %v", reply, err)
	}
	if diff := cmp.Diff(map[string]any{"role": "tool", "tool_call_id": "call_abc", "content": "sunny in Beijing"}, lastMessage(w)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDoc000_AToolsErrorIsAToolMessageAndTheLoopGoesOn(t *testing.T) {
	t.Parallel()
	w := newWire(t, callsWeather, saysHello)
	fails := weatherTool(t, func(string) (string, error) { return "", errors.New("the satellite is down") })
	reply, err := mustAgent(t, agent.Config{Client: w.client(t), Tools: []tool.Tool{fails}}).Run(t.Context(), "Weather?")
	if err != nil || reply.Text != "Hello." {
		t.Fatalf("%+v, %v", reply, err)
	}
	got := lastMessage(w)
	if content, _ := got["content"].(string); got["role"] != "tool" || !strings.Contains(content, "the satellite is down") {
		t.Errorf("the model was sent %v", got)
	}
}

func TestDoc000_AtMaxIterationsTheRunStopsWithTheLastAnswerAndAWarning(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := newWire(t, callsWeather)
	a := mustAgent(t, agent.Config{
		Client: w.client(t), Tools: []tool.Tool{weatherTool(t, sunny)},
		Executor: executor.Config{Logger: slog.New(slog.NewTextHandler(io.Writer(&log), &slog.HandlerOptions{Level: slog.LevelWarn}))},
	})
	s := session.New()
	reply, err := a.Run(t.Context(), "Weather?", agent.WithSession(s))
	if err != nil {
		t.Fatal(err)
	}
	if reply.Stop != agent.StopMaxIterations || reply.Iterations != 5 || len(w.bodies) != 5 {
		t.Errorf("%+v after %d requests", reply, len(w.bodies))
	}
	if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "max_iterations=5") {
		t.Errorf("the log says %q", &log)
	}
}

func lastMessage(w *wire) map[string]any {
	messages := w.bodies[len(w.bodies)-1]["messages"].([]any)
	return messages[len(messages)-1].(map[string]any)
}
