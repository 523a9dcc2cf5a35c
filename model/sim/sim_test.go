package sim

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"helve/message"
	"helve/model"
	"helve/model/openai"
	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves the model until the test ends.
func start(t *testing.T, opts Options) *Server {
	t.Helper()
	s, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func connect(t *testing.T, opts Options) model.Client {
	t.Helper()
	c, err := start(t, opts).Client()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// connectWhole is a client that asks for the whole answer at once.
func connectWhole(t *testing.T, s *Server) model.Client {
	t.Helper()
	c, err := openai.New(openai.Config{Provider: "sim", Model: modelName, BaseURL: s.URL(), HTTPClient: httpClient(s), NoStream: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(prompt string, names ...string) *model.Request {
	req := &model.Request{Messages: []message.Message{message.User(prompt)}}
	for _, name := range names {
		d := tools[name]
		req.Tools = append(req.Tools, tool.Definition{Name: d.name, Description: d.description, Parameters: d.schema})
	}
	return req
}

// reply answers the calls of resp with results, in order.
func withResults(req *model.Request, resp *model.Response, results ...string) *model.Request {
	next := *req
	next.Messages = append(slices.Clone(req.Messages), resp.Message)
	for i, c := range resp.Message.ToolCalls() {
		next.Messages = append(next.Messages, message.Result(message.ToolResult{
			CallID: c.ID, Name: c.Name, Content: []message.Part{message.Text(results[i])},
		}))
	}
	return &next
}

func TestParallelCallsAndAnswer(t *testing.T) {
	t.Parallel()
	client := connect(t, Options{})
	req := ask("What is 17 * 23, and what time is it in Asia/Shanghai?", "calculate", "current_time", "read_file")

	first, err := model.Generate(t.Context(), client, req)
	if err != nil {
		t.Fatal(err)
	}
	calls := first.Message.ToolCalls()
	if len(calls) != 2 || first.Finish.Reason != model.FinishToolCalls {
		t.Fatalf("%d calls and finish %q: want two and tool_calls", len(calls), first.Finish.Reason)
	}
	second, err := model.Generate(t.Context(), client, withResults(req, first, "391", "15:04:05 on Friday, 20 November 2026"))
	if err != nil {
		t.Fatal(err)
	}
	want := "17 * 23 = 391. It is 15:04:05 on Friday, 20 November 2026 in Asia/Shanghai."
	if got := second.Message.Text(); got != want {
		t.Errorf("answer\n got %q\nwant %q", got, want)
	}
	if second.Finish.Reason != model.FinishStop || second.Finish.Usage.OutputTokens == 0 || second.Finish.Usage.InputTokens == 0 {
		t.Errorf("finish %+v: want stop and usage", second.Finish)
	}
}

func TestOnlyTheLastMessageCounts(t *testing.T) {
	t.Parallel()
	client := connect(t, Options{})
	req := ask("What is 2 + 2?", "calculate", "current_time")
	first, err := model.Generate(t.Context(), client, req)
	if err != nil {
		t.Fatal(err)
	}
	req = withResults(req, first, "4")
	req.Messages = append(req.Messages, message.Assistant(message.Text("2 + 2 = 4.")), message.User("And what time is it in Paris?"))
	second, err := model.Generate(t.Context(), client, req)
	if err != nil {
		t.Fatal(err)
	}
	calls := second.Message.ToolCalls()
	if len(calls) != 1 || calls[0].Name != "current_time" {
		t.Errorf("calls %+v: want current_time alone", calls)
	}
}

func TestToolChoice(t *testing.T) {
	t.Parallel()
	client := connect(t, Options{})
	for _, test := range []struct {
		name, prompt string
		choice       model.ToolChoice
		want         string // name and arguments of the only call, or nothing
	}{
		{"none", "What is 2 + 2?", model.ChooseNone, ""},
		{"required", "Hello", model.ChooseRequired, `calculate{"expression":"17 * 23"}`},
		{"required and clear", "The time in Tokyo, please", model.ChooseRequired, `current_time{"timezone":"Asia/Tokyo"}`},
		{"named", "What is 2 + 2?", model.ChooseTool("current_time"), `current_time{}`},
		{"named and filled", "What is 2 + 2 in Tokyo?", model.ChooseTool("current_time"), `current_time{"timezone":"Asia/Tokyo"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			req := ask(test.prompt, "calculate", "current_time")
			req.Choice = test.choice
			resp, err := model.Generate(t.Context(), client, req)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, c := range resp.Message.ToolCalls() {
				got += c.Name + string(c.Arguments)
			}
			if got != test.want {
				t.Errorf("calls %s: want %s", got, test.want)
			}
			if got == "" && resp.Message.Text() == "" {
				t.Error("neither calls nor text")
			}
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	client := connect(t, Options{})

	t.Run("max_tokens of text", func(t *testing.T) {
		t.Parallel()
		req := ask("Hello")
		req.MaxTokens = 3
		resp, err := model.Generate(t.Context(), client, req)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Finish.Reason != model.FinishLength || resp.Message.Text() != "I am the" {
			t.Errorf("finish %q, text %q: want length and three words", resp.Finish.Reason, resp.Message.Text())
		}
	})
	t.Run("max_tokens of a call", func(t *testing.T) {
		t.Parallel()
		req := ask("What is 17 * 23?", "calculate")
		req.MaxTokens = 2
		resp, err := model.Generate(t.Context(), client, req)
		if resp.Finish.Reason != model.FinishLength || len(resp.Message.ToolCalls()) > 0 {
			t.Errorf("finish %q, calls %v, error %v: want length and no call", resp.Finish.Reason, resp.Message.ToolCalls(), err)
		}
	})
	t.Run("stop", func(t *testing.T) {
		t.Parallel()
		req := ask("Hello")
		req.Stop = []string{" demonstration"}
		resp, err := model.Generate(t.Context(), client, req)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Message.Text() != "I am the offline" || resp.Finish.Reason != model.FinishStop {
			t.Errorf("finish %q, text %q: want stop before the sequence", resp.Finish.Reason, resp.Message.Text())
		}
	})
}

// TestBothWireModes: streamed or whole, the answer is the same.
func TestBothWireModes(t *testing.T) {
	t.Parallel()
	server := start(t, Options{})
	streamed, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	whole := connectWhole(t, server)
	for _, prompt := range []string{"What is 17 * 23, and what time is it in Asia/Shanghai?", "Hello", "你好", "北京现在几点？", "Read a.txt and b.txt"} {
		req := ask(prompt, "calculate", "current_time", "read_file")
		for range 2 { // the calls, then the answer
			a := generate(t, streamed, req)
			b := generate(t, whole, req)
			if x, y := asJSON(t, a), asJSON(t, b); x != y {
				t.Errorf("%s:\nstreamed %s\nwhole    %s", prompt, x, y)
			}
			results := make([]string, len(a.Message.ToolCalls()))
			if len(results) == 0 {
				break
			}
			req = withResults(req, a, append(results, "one", "two")...)
		}
	}
}

func generate(t *testing.T, c model.Client, req *model.Request) *model.Response {
	t.Helper()
	resp, err := model.Generate(t.Context(), c, req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func asJSON(t *testing.T, resp *model.Response) string {
	t.Helper()
	data, err := json.Marshal(resp)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCloseWithHangingClients: Close returns and leaves nothing behind, though
// one client waits for an answer and another has said nothing at all.
func TestCloseWithHangingClients(t *testing.T) {
	t.Parallel()
	server, err := Start(Options{Faults: []Fault{Silence, Stall}})
	if err != nil {
		t.Fatal(err)
	}
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	conn := dial(t, server)
	defer conn.Close()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := model.Generate(ctx, client, ask("Hello"))
			ended <- err
		}()
	}
	waitForFaults(t, server)
	if err := server.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := server.Close(); err != nil {
		t.Errorf("close twice: %v", err)
	}
	for range 2 {
		if err := <-ended; err == nil {
			t.Error("an answer came from a server that never gave one")
		}
	}
	if _, err := model.Generate(t.Context(), client, ask("Hello")); err == nil {
		t.Error("the server answers after Close")
	}
}

func httpClient(s *Server) *http.Client { return &http.Client{Transport: s.transport} }

func dial(t *testing.T, s *Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// waitForFaults waits until every fault was taken by a request.
func waitForFaults(t *testing.T, s *Server) {
	t.Helper()
	h := s.http.Handler.(*handler)
	for t.Context().Err() == nil {
		h.mu.Lock()
		left := len(h.faults)
		h.mu.Unlock()
		if left == 0 {
			return
		}
		runtime.Gosched()
	}
}

// TestOneCallAtATime: where parallel calls are not wanted, the calls come one an
// answer, each once.
func TestOneCallAtATime(t *testing.T) {
	t.Parallel()
	req := offered("calculate current_time")
	req.parallel = false
	req.messages = []turnMessage{{role: "user", text: "What is 17 * 23, and what time is it in Asia/Shanghai?"}}
	var calls []string
	for i, result := range []string{"391", "noon"} {
		r := respond(req)
		if len(r.calls) != 1 {
			t.Fatalf("%d calls", len(r.calls))
		}
		c := r.calls[0]
		c.id = strings.Repeat("x", i+1)
		calls = append(calls, c.name)
		req.messages = append(req.messages, turnMessage{role: "assistant", calls: []call{c}}, turnMessage{role: "tool", callID: c.id, text: result})
	}
	r := respond(req)
	if len(r.calls) != 0 || r.text != "17 * 23 = 391. It is noon in Asia/Shanghai." || strings.Join(calls, " ") != "calculate current_time" {
		t.Errorf("%q, then %+v", calls, r)
	}
}
