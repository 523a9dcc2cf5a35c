package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/dialect"
	"helve/message"
	"helve/model"
	"helve/model/openai"
	"helve/session"
	"helve/tool"
)

// Requirement document 001: calls in <tool_action> tags, through the whole stack,
// against a server that streams.

// pieces is a server's answer: pieces of text, native calls, and waits between
// them.
type pieces []any

// wait makes the server wait for a channel before it goes on.
type wait <-chan struct{}

// native is a native call.
type native struct{ name, arguments string }

// streamer plays answers over server-sent events, one a request, the last for
// ever.
type streamer struct {
	server *httptest.Server
	mu     sync.Mutex
	bodies []map[string]any
}

func newStreamer(t *testing.T, answers ...pieces) *streamer {
	t.Helper()
	s := &streamer{}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		answer := answers[min(len(s.bodies), len(answers)-1)]
		s.bodies = append(s.bodies, body)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(delta map[string]any, finish any) {
			chunk, err := json.Marshal(map[string]any{"id": "x", "object": "chat.completion.chunk", "model": "m",
				"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
			if err != nil {
				t.Error(err)
			}
			fmt.Fprintf(w, "data: %s\n\n", chunk)
			w.(http.Flusher).Flush()
		}
		reason := "stop"
		for _, p := range answer {
			switch p := p.(type) {
			case string:
				send(map[string]any{"content": p}, nil)
			case native:
				reason = "tool_calls"
				send(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "native_1", "type": "function",
					"function": map[string]any{"name": p.name, "arguments": p.arguments}}}}, nil)
			case wait:
				select {
				case <-p:
				case <-r.Context().Done():
					return
				}
			}
		}
		send(map[string]any{}, reason)
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(s.server.Close)
	return s
}

func (s *streamer) client(t *testing.T) model.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	c, err := openai.New(openai.Config{BaseURL: s.server.URL, Model: "m", HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// messages are those of the n-th request, as role and content.
func (s *streamer) messages(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, m := range s.bodies[n]["messages"].([]any) {
		m := m.(map[string]any)
		out = append(out, fmt.Sprintf("%s: %v", m["role"], m["content"]))
	}
	return out
}

func lookup(t *testing.T, name string) *dialect.Dialect {
	t.Helper()
	d, err := dialect.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

type searchInput struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
}

// searchTool is vector-search of document 001. It changes nothing.
func searchTool(t *testing.T, fn func(searchInput) (string, error)) tool.Tool {
	t.Helper()
	return tool.Must(tool.New("vector-search", "Search the passages.",
		func(_ context.Context, in searchInput) (string, error) { return fn(in) }, tool.ReadOnly()))
}

func found(in searchInput) (string, error) {
	return fmt.Sprintf("%s, at most %d", in.Query, in.Limit), nil
}

// happened runs a prompt and writes down what a user sees, text joined.
func happened(t *testing.T, config agent.Config, options ...agent.Option) []string {
	t.Helper()
	config.Executor.Logger = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out []string
	for event, err := range mustAgent(t, config).Stream(ctx, "Search.", options...) {
		if err != nil {
			t.Fatalf("%v, after %q", err, out)
		}
		switch e := event.(type) {
		case agent.Text:
			if n := len(out); n > 0 && strings.HasPrefix(out[n-1], "text: ") {
				out[n-1] += string(e)
			} else {
				out = append(out, "text: "+string(e))
			}
		case agent.CallStarted:
			out = append(out, "start: "+e.Call.Name+" "+string(e.Call.Arguments))
		case agent.CallFinished:
			text := message.ToolResult{Content: e.Content}.Text()
			out = append(out, "result: "+text)
		}
	}
	return out
}

const oneCall = "<tool_action name=\"vector-search\">\n  <query value=\"读取文件\" />\n  <limit value=\"5\" />\n</tool_action>"

// tagged is an agent whose model can only write text.
func tagged(t *testing.T, s *streamer, tools ...tool.Tool) agent.Config {
	t.Helper()
	return agent.Config{Client: dialect.Wrap(s.client(t), lookup(t, "tag")), Tools: tools}
}

// 解析单个工具调用
func TestDoc001_OneCall(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{oneCall}, pieces{"Found."})
	got := happened(t, tagged(t, s, searchTool(t, found)))
	want := []string{`start: vector-search {"query":"读取文件","limit":5}`, "result: 读取文件, at most 5", "text: Found."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.bodies[0]["tools"] != nil {
		t.Error("tools were sent to a model that has none")
	}
}

// 解析多个连续工具调用
func TestDoc001_ConsecutiveCalls(t *testing.T) {
	t.Parallel()
	second := strings.ReplaceAll(oneCall, "读取文件", "second")
	s := newStreamer(t, pieces{oneCall + "\n" + second}, pieces{"Both."})
	got := happened(t, tagged(t, s, searchTool(t, func(in searchInput) (string, error) {
		if in.Query == "second" {
			return "", fmt.Errorf("no luck")
		}
		return found(in)
	})))
	all := strings.Join(got, "\n")
	for _, want := range []string{"result: 读取文件, at most 5", `result: {"success":false,"error":"no luck"`, "text: Both."} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in\n%s", want, all)
		}
	}
	if strings.Index(all, `"读取文件"`) > strings.Index(all, `"second"`) {
		t.Errorf("out of order:\n%s", all)
	}
}

// 忽略不完整标签
func TestDoc001_IncompleteTagRunsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{oneCall[:len(oneCall)-1], oneCall[:40], "<tool_action"} {
		s := newStreamer(t, pieces{"So: ", text})
		got := happened(t, tagged(t, s, searchTool(t, found)))
		if diff := cmp.Diff([]string{"text: So: " + text}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// 流式检测完整标签, 跨 chunk 标签检测: the call runs while the model still writes, and
// what stands behind it is shown after its result.
func TestDoc001_CallStartsWhileTheModelWrites(t *testing.T) {
	t.Parallel()
	ran := make(chan struct{})
	shown := make(chan struct{})
	s := newStreamer(t, pieces{
		"思考: 我需要搜索...<tool_action name=\"", wait(shown), "vector-search\"><query value=\"test\"", "\" /></tool_action>接下来...", wait(ran), "完了",
	}, pieces{"Found."})
	config := tagged(t, s, searchTool(t, func(in searchInput) (string, error) {
		close(ran) // before this the model does not finish its answer
		return "results", nil
	}))
	config.Executor.Logger = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var got []string
	for event, err := range mustAgent(t, config).Stream(ctx, "Search.") {
		if err != nil {
			t.Fatalf("%v, after %q", err, got)
		}
		switch e := event.(type) {
		case agent.Text:
			got = append(got, string(e))
			if len(got) == 1 {
				close(shown) // the text was there before the tag was complete
			}
		case agent.CallFinished:
			got = append(got, "[result]")
		}
	}
	if diff := cmp.Diff("思考: 我需要搜索...[result]接下来...完了Found.", strings.Join(got, "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// 普通文本快速输出: each piece is shown before the server sends the next.
func TestDoc001_PlainTextIsNotDelayed(t *testing.T) {
	t.Parallel()
	var answer pieces
	var gates []chan struct{}
	for _, text := range []string{"Plain ", "text, a < b, ", "<tool_actions> ", "and more."} {
		gate := make(chan struct{})
		gates = append(gates, gate)
		answer = append(answer, text, wait(gate))
	}
	s := newStreamer(t, answer)
	config := tagged(t, s, searchTool(t, found))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	text := ""
	for event, err := range mustAgent(t, config).Stream(ctx, "Talk.") {
		if err != nil {
			t.Fatalf("%v, after %q", err, text)
		}
		if e, ok := event.(agent.Text); ok {
			text += string(e)
			sent := ""
			for i, p := range answer[:2*(len(answer)/2-len(gates)+1)] {
				if i%2 == 0 {
					sent += p.(string)
				}
			}
			if text == sent && len(gates) > 0 {
				close(gates[0])
				gates = gates[1:]
			}
		}
	}
	if want := "Plain text, a < b, <tool_actions> and more."; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// 调度内置工具 is TestDoc001_OneCall; 调度 Skills 工具 is TestDoc001_DispatchByName of
// cmd/helve, with a sandbox.

// 处理工具不存在
func TestDoc001_UnknownToolIsAResult(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{`<tool_action name="vector-serch"><query value="x" /></tool_action>`}, pieces{"I see."})
	got := happened(t, tagged(t, s, searchTool(t, found)))
	want := []string{`start: vector-serch {"query":"x"}`, `result: {"success":false,"error":"Tool not found: vector-serch","code":"not_found","available":["vector-search"]}`, "text: I see."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	told := s.messages(1)
	if last := told[len(told)-1]; !strings.Contains(last, "Tool not found: vector-serch") {
		t.Errorf("the model was told %q", last)
	}
}

// 处理执行超时; that the default is 30 seconds is tested in package executor.
func TestDoc001_TimeoutIsAResult(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{oneCall}, pieces{"Too slow."})
	config := tagged(t, s, tool.Must(tool.New("vector-search", "Search.", func(ctx context.Context, _ searchInput) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}, tool.Timeout(10*time.Millisecond))))
	got := strings.Join(happened(t, config), "\n")
	if !strings.Contains(got, `"code":"timeout"`) || !strings.Contains(got, "text: Too slow.") {
		t.Errorf("got\n%s", got)
	}
}

// 生成工具描述, 空工具列表: what the model is told, as it goes over the wire.
func TestDoc001_ThePromptReachesTheModel(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{"Hello."})
	happened(t, tagged(t, s, searchTool(t, found)))
	for _, part := range []string{"vector-search", "Search the passages.", "query", "limit", `<tool_action name="vector-search">`} {
		if system := s.messages(0)[0]; !strings.Contains(system, part) {
			t.Errorf("the prompt lacks %q:\n%s", part, system)
		}
	}
	s = newStreamer(t, pieces{"Hello."})
	happened(t, tagged(t, s))
	if system := s.messages(0)[0]; !strings.Contains(system, "No tools are available") {
		t.Errorf("without tools the model is told %q", system)
	}
}

// 启用标签解析的 ReAct 循环: by default tags are found beside native function calling,
// and the result is a tool message.
func TestDoc001_TagsAreFoundByDefault(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{"Let me see. ", oneCall, " Done soon."}, pieces{"Found."})
	memory := session.New()
	got := happened(t, agent.Config{Client: s.client(t), Tools: []tool.Tool{searchTool(t, found)}}, agent.WithSession(memory))
	want := []string{"text: Let me see. ", `start: vector-search {"query":"读取文件","limit":5}`, "result: 读取文件, at most 5", "text:  Done soon.Found."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	messages, _, err := memory.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if result, ok := messages[2].ToolResult(); !ok || result.CallID != messages[1].ToolCalls()[0].ID {
		t.Errorf("message 2 is no result of the call: %+v", messages[2])
	}
	if got := s.bodies[1]["messages"].([]any)[2].(map[string]any)["role"]; got != "tool" {
		t.Errorf("the result has the role %v", got)
	}
}

// 禁用标签解析
func TestDoc001_TagsAreTextWhereDisabled(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{"Look: ", oneCall})
	got := happened(t, agent.Config{Client: s.client(t), Tools: []tool.Tool{searchTool(t, found)}, Strategy: dialect.Strategy{IgnoreTextCalls: true}})
	if diff := cmp.Diff([]string{"text: Look: " + oneCall}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// 标签与原生 tool_calls 互斥
func TestDoc001_NativeCallsComeFirst(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{oneCall, " and ", native{"vector-search", `{"query":"native"}`}}, pieces{"Found."})
	got := happened(t, agent.Config{Client: s.client(t), Tools: []tool.Tool{searchTool(t, found)}})
	want := []string{"text: " + oneCall + " and ", `start: vector-search {"query":"native"}`, "result: native, at most 0", "text: Found."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A tool that changes something waits for the end of the answer, which may say
// that nothing may run (docs/design.md, rule 8).
func TestDoc001_ACallThatChangesSomethingWaits(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	var finished atomic.Bool
	s := newStreamer(t, pieces{oneCall, wait(gate), " Tail."}, pieces{"Found."})
	config := tagged(t, s, tool.Must(tool.New("vector-search", "Search.", func(_ context.Context, in searchInput) (string, error) {
		return fmt.Sprint("the answer was over: ", finished.Load()), nil
	})))
	inner := config.Client
	config.Client = watched{inner, func(e model.Event) {
		switch e.(type) {
		case model.ToolCall:
			close(gate)
		case model.Finish:
			finished.Store(true)
		}
	}}
	got := happened(t, config)
	want := []string{`start: vector-search {"query":"读取文件","limit":5}`, "result: the answer was over: true", "text:  Tail.Found."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// watched is a client whose events are looked at before they are passed on.
type watched struct {
	model.Client
	look func(model.Event)
}

func (w watched) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for event, err := range w.Client.Stream(ctx, req) {
			w.look(event)
			if !yield(event, err) {
				return
			}
		}
	}
}
