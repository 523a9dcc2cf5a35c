package sim

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// post sends a request body to the model without a network.
func post(body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	Handler(Options{}).ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(body)))
	return w
}

const twoCalls = `{"model":"offline","stream":%t,"stream_options":{"include_usage":true},
	"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is 17 * 23, and what is 2+2?"}],
	"tools":[{"type":"function","function":{"name":"calculate","description":"Evaluate an arithmetic expression.",
		"parameters":{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}}}]}`

// TestStreamForm checks what conventions.md section 2 says of a stream.
func TestStreamForm(t *testing.T) {
	t.Parallel()
	w := post(fmt.Sprintf(twoCalls, true))
	if got := w.Header().Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
	var events []string
	lines := bufio.NewScanner(w.Body)
	for lines.Scan() {
		if line := lines.Text(); line != "" {
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok {
				t.Fatalf("line %q is no data", line)
			}
			events = append(events, data)
		}
	}
	if events[len(events)-1] != "[DONE]" {
		t.Fatalf("the last event is %s", events[len(events)-1])
	}
	events = events[:len(events)-1]

	arguments := map[int]string{}
	pieces := map[int]int{}
	for i, data := range events {
		var chunk map[string]json.RawMessage
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			t.Fatal(err)
		}
		if string(chunk["object"]) != `"chat.completion.chunk"` || chunk["id"] == nil || chunk["created"] == nil || string(chunk["model"]) != `"offline"` {
			t.Errorf("chunk %d: %s", i, data)
		}
		last := i == len(events)-1
		if usage := string(chunk["usage"]); (usage == "null") == last {
			t.Errorf("chunk %d of %d has usage %s", i, len(events), usage)
		}
		if last {
			if string(chunk["choices"]) != "[]" {
				t.Errorf("the usage chunk has choices %s", chunk["choices"])
			}
			continue
		}
		var choices []struct {
			Delta struct {
				Role  string
				Calls []struct {
					Index    *int
					ID, Type string
					Function struct{ Name, Arguments *string }
				} `json:"tool_calls"`
			}
			Finish json.RawMessage `json:"finish_reason"`
		}
		if err := json.Unmarshal(chunk["choices"], &choices); err != nil {
			t.Fatal(err)
		}
		want := "null"
		if i == len(events)-2 {
			want = `"tool_calls"`
		}
		if string(choices[0].Finish) != want {
			t.Errorf("chunk %d has finish reason %s: want %s", i, choices[0].Finish, want)
		}
		if (choices[0].Delta.Role == "assistant") != (i == 0) {
			t.Errorf("chunk %d has role %q", i, choices[0].Delta.Role)
		}
		for _, c := range choices[0].Delta.Calls {
			if c.Index == nil || c.Function.Arguments == nil {
				t.Fatalf("chunk %d: a piece without index or arguments: %s", i, data)
			}
			if first := pieces[*c.Index] == 0; first != (c.ID != "") || first != (c.Type == "function") || first != (c.Function.Name != nil) {
				t.Errorf("chunk %d: ID, type and name stand on the first piece alone: %s", i, data)
			}
			pieces[*c.Index]++
			arguments[*c.Index] += *c.Function.Arguments
		}
	}
	want := map[int]string{0: `{"expression":"17 * 23"}`, 1: `{"expression":"2+2"}`}
	if diff := cmp.Diff(want, arguments); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if pieces[0] < 4 || pieces[1] < 3 {
		t.Errorf("pieces %v: want arguments in several", pieces)
	}
}

func TestSameRequestSameBytes(t *testing.T) {
	t.Parallel()
	for _, stream := range []bool{true, false} {
		body := fmt.Sprintf(twoCalls, stream)
		first := post(body).Body.String()
		for range 20 {
			if again := post(body).Body.String(); again != first {
				t.Fatalf("stream %t:\nfirst %s\nagain %s", stream, first, again)
			}
		}
	}
}

func TestOtherConversationOtherIDs(t *testing.T) {
	t.Parallel()
	a, b := fmt.Sprintf(twoCalls, false), fmt.Sprintf(twoCalls, false)
	b = strings.Replace(b, "Be brief.", "Be long.", 1)
	if x, y := post(a).Body.String(), post(b).Body.String(); x == y {
		t.Errorf("two conversations got the same IDs: %s", x)
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler(Options{}))
	t.Cleanup(server.Close)
	t.Cleanup(server.Client().CloseIdleConnections)
	for _, test := range []struct {
		path   string
		status int
		want   string
	}{
		{"/v1/models", 200, `{"data":[{"id":"offline","object":"model","created":1763596800,"owned_by":"helve-offline-demonstration"}],"object":"list"}`},
		{"/v1/models/offline", 200, `{"id":"offline","object":"model","created":1763596800,"owned_by":"helve-offline-demonstration"}`},
		{"/v1/models/gpt-5", 404, `{"error":{"message":"there is no model \"gpt-5\" here: the only one is \"offline\"","type":"invalid_request_error","param":"model","code":"model_not_found"}}`},
		{"/v1/embeddings", 404, `{"error":{"message":"the offline model has no GET /v1/embeddings: it has GET /v1/models and POST /v1/chat/completions","type":"invalid_request_error","param":null,"code":"unknown_url"}}`},
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Request-Id", "r1")
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != test.status || string(body) != test.want || resp.Header.Get("X-Request-Id") != "r1" {
			t.Errorf("%s: HTTP %d, request ID %q\n got %s\nwant %s", test.path, resp.StatusCode, resp.Header.Get("X-Request-Id"), body, test.want)
		}
	}
}

// TestRefused: what OpenAI refuses is refused here, in OpenAI's form.
func TestRefused(t *testing.T) {
	t.Parallel()
	const user = `{"role":"user","content":"hi"}`
	calling := `{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	for _, test := range []struct{ name, body, param, message string }{
		{"not JSON", `{`, "", "not the JSON of a chat completion"},
		{"no model", `{"messages":[` + user + `]}`, "model", "model is missing"},
		{"no messages", `{"model":"m"}`, "messages", "messages is empty"},
		{"unknown role", `{"model":"m","messages":[{"role":"boss","content":"hi"}]}`, "messages[0].role", `unknown role "boss"`},
		{"content of a number", `{"model":"m","messages":[{"role":"user","content":5}]}`, "messages[0].content", "neither text nor a list"},
		{"result without call", `{"model":"m","messages":[` + user + `,{"role":"tool","tool_call_id":"c1","content":"x"}]}`, "messages[1].tool_call_id", "follows no such call"},
		{"call without result", `{"model":"m","messages":[` + user + `,` + calling + `,` + user + `]}`, "messages[2]", "have no result"},
		{"call without result at the end", `{"model":"m","messages":[` + user + `,` + calling + `]}`, "messages", "have no result"},
		{"tool name", `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"a b"}}]}`, "tools[0].function.name", "is no tool name"},
		{"tool type", `{"model":"m","messages":[` + user + `],"tools":[{"type":"magic"}]}`, "tools[0].type", "want function"},
		{"tool schema", `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"objekt"}}}]}`, "tools[0].function.parameters", "invalid schema for f"},
		{"tool of a string", `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"string"}}}]}`, "tools[0].function.parameters", "not of type object"},
		{"choice without tools", `{"model":"m","messages":[` + user + `],"tool_choice":"required"}`, "tool_choice", "only allowed with tools"},
		{"choice of a stranger", `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"g"}}}`, "tool_choice", `names "g"`},
		{"unknown choice", `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"maybe"}`, "tool_choice", `unknown tool_choice "maybe"`},
		{"two answers", `{"model":"m","n":2,"messages":[` + user + `]}`, "n", "gives one answer"},
		{"stop", `{"model":"m","stop":5,"messages":[` + user + `]}`, "stop", "neither a string nor a list"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := post(test.body)
			var body map[string]map[string]json.RawMessage
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
				t.Fatal(err)
			}
			e := body["error"]
			param := "null"
			if test.param != "" {
				param = fmt.Sprintf("%q", test.param)
			}
			if w.Code != 400 || string(e["type"]) != `"invalid_request_error"` || string(e["code"]) != "null" || string(e["param"]) != param {
				t.Errorf("HTTP %d %s: want 400, param %s, code null", w.Code, w.Body, param)
			}
			if !strings.Contains(literal(e["message"]), test.message) {
				t.Errorf("message %s: want one with %q", e["message"], test.message)
			}
		})
	}
}

func TestParallelCallsOff(t *testing.T) {
	t.Parallel()
	body := strings.Replace(fmt.Sprintf(twoCalls, false), `"model":`, `"parallel_tool_calls":false,"model":`, 1)
	if got := strings.Count(post(body).Body.String(), `"id":"call_`); got != 1 {
		t.Errorf("%d calls: want one", got)
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		s    string
		want []string
	}{
		{"", nil},
		{"It is 12 o'clock.\n\nBye", []string{"It", " is", " 12", " o'clock.", "\n\nBye"}},
		{"现在是十二点", []string{"现在是十", "二点"}},
		{"   ", []string{"   "}},
	} {
		if diff := cmp.Diff(test.want, pieces(test.s)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.s, diff)
		}
	}
	if got := len(pieces(strings.Repeat("helve ", hugeSize/6))); got > maxPieces+1 {
		t.Errorf("10 MB are %d pieces: want at most %d", got, maxPieces+1)
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	_, err := readRequest(http.MaxBytesReader(w, io.NopCloser(strings.NewReader(fmt.Sprintf(twoCalls, true))), 100), nil)
	writeBadRequest(w, err)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "larger than 100 bytes") {
		t.Errorf("HTTP %d %s: want 413", w.Code, w.Body)
	}
}

func TestContentOfPartsAndStopAsText(t *testing.T) {
	t.Parallel()
	w := post(`{"model":"m","stop":" demonstration","messages":[{"role":"user","content":[{"type":"text","text":"你是谁"},{"type":"image_url","image_url":{"url":"x"}}]}]}`)
	if !strings.Contains(w.Body.String(), `"content":"我是 helve 的离线演示模型（offline","`) && !strings.Contains(w.Body.String(), `"content":"我是 helve 的离线演示模型（offline"}`) {
		t.Errorf("%s: want the text of the parts to count, and the answer to end at the stop sequence", w.Body)
	}
}

// TestForcedCall: what tool_choice demands and the prompt does not give is made up,
// and is still what the schema allows.
func TestForcedCall(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]string{
		"send_email": "", // an address can't be made up
		"statistics": "", // nor a list that may not be empty
		"search":     `search{"query":"Good day"}`,
		"add":        `add{"a":1,"b":1}`,
		"set_user":   `set_user{"user":{"name":"Good day"}}`,
		"whois":      `whois{"target":"https://example.com"}`,
	} {
		req := offered(tool)
		req.choice.required = true
		req.messages = []turnMessage{{role: "user", text: "Good day"}}
		r := respond(req)
		got := ""
		for _, c := range r.calls {
			got += c.name + c.arguments
		}
		if got != want || (got == "") != strings.Contains(r.text, tool) {
			t.Errorf("%s: calls %s, text %q: want %s", tool, got, r.text, want)
		}
	}
}
