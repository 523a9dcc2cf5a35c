package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/model/openai"
	"helve/tool"
)

// TestConformance runs the kit on a server that answers by the request, as
// OpenAI would.
func TestConformance(t *testing.T) {
	for _, noStream := range []bool{false, true} {
		t.Run(fmt.Sprintf("NoStream=%v", noStream), func(t *testing.T) {
			client := serve(t, http.HandlerFunc(conform), openai.Config{NoStream: noStream})
			h := modeltest.Harness{
				Client: client,
				Text:   hello(),
				Call: &model.Request{
					Messages: []message.Message{message.User("weather")},
					Tools:    []tool.Definition{weather()},
				},
				Stall: &model.Request{Messages: []message.Message{message.User("stall")}},
			}
			if noStream {
				h.Stall = nil // without a stream there is no event before the end
			}
			modeltest.Run(t, h)
		})
	}
}

func conform(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Stream   bool
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := []string{`{"reasoning_content":"hm"}`, `{"content":"hello"}`, `{"content":" to you"}`}
	reason := "stop"
	switch last := req.Messages[len(req.Messages)-1]; {
	case last.Content == "stall":
		io.WriteString(w, events(`{"choices":[{"delta":{"content":"wait"}}]}`))
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
		return
	case last.Role == "user" && last.Content == "weather":
		answer = []string{
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":"\"Paris\"}"}}]}`,
			`{"tool_calls":[{"index":1,"id":"b","function":{"name":"weather","arguments":"{}"}}]}`,
		}
		reason = "tool_calls"
	}
	if req.Stream {
		io.WriteString(w, deltas(reason, answer...))
		return
	}
	io.WriteString(w, wholes[reason])
}

var wholes = map[string]string{
	"stop": `{"choices":[{"message":{"reasoning_content":"hm","content":"hello to you","refusal":null},"finish_reason":"stop"}]}`,
	"tool_calls": `{"choices":[{"message":{"content":null,"tool_calls":[
		{"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}},
		{"id":"b","function":{"name":"weather","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
}

// FuzzStream checks that no body makes the client panic or break the rules of
// an answer: one Finish, at the end, and calls that are what their deltas said.
func FuzzStream(f *testing.F) {
	f.Add(deltas("tool_calls",
		`{"content":"hi","tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`,
		`{"tool_calls":[{"id":"b","function":{"name":"f","arguments":{"a":[1]}}}]}`,
		`{"function_call":{"name":"g"},"reasoning":{"a":1},"refusal":"no"}`))
	f.Add(sse(`{"error":{"message":[7],"code":{}}}`))
	f.Add("event: error\r\ndata:{\"error\":7}\n\n")
	f.Add("\ufeff" + wholes["tool_calls"])
	f.Add(deltas("length", `{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}`))
	f.Add("<html>")
	f.Fuzz(func(t *testing.T, body string) {
		client, err := openai.New(openai.Config{Model: "m", HTTPClient: &http.Client{Transport: reply{body: body}}})
		if err != nil {
			t.Fatal(err)
		}
		args := map[string]*strings.Builder{}
		finished := false
		for event, err := range client.Stream(t.Context(), hello()) {
			if finished || (event == nil) == (err == nil) {
				t.Fatalf("after the end or beside an error: %#v, %v", event, err)
			}
			switch e := event.(type) {
			case model.ToolCallDelta:
				if args[e.ID] == nil {
					args[e.ID] = &strings.Builder{}
				}
				args[e.ID].WriteString(e.Arguments)
			case model.ToolCall:
				told := args[e.ID].String()
				if s := strings.TrimSpace(told); s == "" || s == "null" {
					told = "{}"
				}
				if told != string(e.Arguments) || !json.Valid(e.Arguments) || e.Name == "" {
					t.Errorf("call %+v: deltas %q", e, told)
				}
			case model.InvalidToolCall:
				if told := args[e.ID].String(); told != e.Err.Raw || json.Valid([]byte(told)) {
					t.Errorf("invalid call %+v: deltas %q", e, told)
				}
			}
			_, finish := event.(model.Finish)
			finished = finish || err != nil
		}
		if !finished {
			t.Error("the answer has neither a Finish nor an error")
		}
	})
}

func BenchmarkStream(b *testing.B) {
	const n = 1000
	pieces := make([]string, n)
	for i := range pieces {
		pieces[i] = `{"content":" word"}`
	}
	body := deltas("stop", pieces...)
	client, err := openai.New(openai.Config{Model: "m", HTTPClient: &http.Client{Transport: reply{body: body}}})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range client.Stream(b.Context(), hello()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/delta")
}
