package agent_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/dialect"
	"helve/model"
	"helve/model/openai"
	"helve/tool"
)

// Requirement document 000, "Function Calling 降级兼容", and the strategy of document
// 004, section 4.3.

// textOnly is a client of a model that is configured to have no function calling.
func textOnly(t *testing.T, s *streamer) model.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	c, err := openai.New(openai.Config{BaseURL: s.server.URL, Model: "m", FunctionCalling: model.No, HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// 降级路径激活条件: the schemas go into the system prompt, and calls are read from
// text.
func TestDoc000_FallbackPutsSchemasIntoTheSystemPrompt(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{`{"name": "vector-`, `search", "parameters": {"query": "test", "limit": "3"}}`}, pieces{"Found."})
	got := happened(t, agent.Config{Client: textOnly(t, s), Instructions: "Be kind.", Tools: []tool.Tool{searchTool(t, found)}})
	want := []string{`start: vector-search {"query":"test","limit":3}`, "result: test, at most 3", "text: Found."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.bodies[0]["tools"] != nil {
		t.Error("tools were sent all the same")
	}
	system := s.messages(0)[0]
	for _, part := range []string{"system: Be kind.", "vector-search", "Search the passages.", "query", `"parameters"`} {
		if !strings.Contains(system, part) {
			t.Errorf("the system prompt lacks %q:\n%s", part, system)
		}
	}
	told := s.messages(1)
	if last := told[len(told)-1]; last != "user: [Tool result for vector-search]\ntest, at most 3" {
		t.Errorf("the result went back as %q", last)
	}
}

// The warning comes once in a process, so a process of its own looks at it.
func TestDoc000_FallbackWarnsOnceAProcess(t *testing.T) {
	if os.Getenv("HELVE_TEST_WARNING") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDoc000_FallbackWarnsOnceAProcess$", "-test.timeout=30s")
		cmd.Env = append(os.Environ(), "HELVE_TEST_WARNING=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	s := newStreamer(t, pieces{"Hello."})
	for range 3 {
		if _, err := dialect.Detect(textOnly(t, s), dialect.Strategy{Logger: logger}); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "deprecated"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, log.String())
	}
}

// 降级路径解析失败的容错
func TestDoc000_FallbackTakesTextAsText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"The weather is fine.", `{"name": "vector-search", "parameters": {"query": `, `{"city": "Beijing"}`, `{"name": 5}`, "{}", "[1, 2]"} {
		s := newStreamer(t, pieces{text})
		got := happened(t, agent.Config{Client: textOnly(t, s), Tools: []tool.Tool{searchTool(t, found)}})
		if diff := cmp.Diff([]string{"text: " + text}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// 策略探测, where falling back is not allowed
func TestDoc004_WithoutFallbackItIsAnError(t *testing.T) {
	t.Parallel()
	s := newStreamer(t, pieces{"Hello."})
	_, err := agent.New(agent.Config{Client: textOnly(t, s), Strategy: dialect.Strategy{NativeOnly: true}})
	if !errors.Is(err, dialect.ErrNoFunctionCalling) {
		t.Errorf("%v", err)
	}
}

// A server that says that it has no tools is believed, once and for all.
func TestDoc004_AServerWithoutToolsIsFallenBackFrom(t *testing.T) {
	t.Parallel()
	texts := newStreamer(t, pieces{`{"name": "vector-search", "parameters": {"query": "test"}}`}, pieces{"Found."})
	refusals := 0
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		if _, err := body.ReadFrom(r.Body); err != nil {
			t.Error(err)
		}
		if strings.Contains(body.String(), `"tools"`) {
			refusals++
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}`)
			return
		}
		resp, err := http.Post(texts.server.URL, "application/json", &body)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		var answer bytes.Buffer
		if _, err := answer.ReadFrom(resp.Body); err != nil {
			t.Error(err)
		}
		if _, err := w.Write(answer.Bytes()); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(front.Close)
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	for _, nativeOnly := range []bool{false, true} {
		transport := &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		client, err := openai.New(openai.Config{BaseURL: front.URL, Model: "gemma", HTTPClient: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		refusals = 0
		config := agent.Config{Client: client, Tools: []tool.Tool{searchTool(t, found)}, Strategy: dialect.Strategy{NativeOnly: nativeOnly}}
		if nativeOnly {
			if _, err := mustAgent(t, config).Run(t.Context(), "Search."); !errors.Is(err, dialect.ErrNoFunctionCalling) {
				t.Errorf("%v", err)
			}
			continue
		}
		got := happened(t, config)
		if diff := cmp.Diff([]string{`start: vector-search {"query": "test"}`, "result: test, at most 0", "text: Found."}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if refusals != 1 {
			t.Errorf("it asked %d times for tools", refusals)
		}
	}
}
