package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestJSONLShowsCallsBeforeResults is the main job as a program sees it: both
// calls before the first result, and done at the end.
func TestJSONLShowsCallsBeforeResults(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	code := execute([]string{"run", "--model", "sim/offline", "--jsonl", "What is 17 * 23, and what time is it in Asia/Shanghai?"},
		stdio{strings.NewReader(""), &out, &errs})
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	type line struct {
		Type, Name, Text, Content, Reply, Stop string
		Iterations                             int
		Error                                  any
	}
	var order []string
	results := map[string]string{}
	var text string
	var last line
	for l := range strings.Lines(out.String()) {
		last = line{}
		if err := json.Unmarshal([]byte(l), &last); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		if last.Type == "text" {
			text += last.Text
			continue
		}
		order = append(order, last.Type)
		if last.Type == "tool_result" {
			results[last.Name] = last.Content
		}
	}
	want := []string{"tool_call", "tool_call", "tool_result", "tool_result", "done"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last.Stop != "answer" || last.Iterations != 2 || last.Reply != text || !strings.Contains(last.Reply, "391") {
		t.Errorf("done: %+v after the text %q", last, text)
	}
	zone, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	if day := time.Now().In(zone).Format("2006-01-02"); !strings.Contains(results["current_time"], day) {
		t.Errorf("the time in Shanghai is said to be %q, on %s", results["current_time"], day)
	}
}

// TestSecretsStayOutOfErrors lets a server refuse a key.
func TestKeyIsNotInTheOutput(t *testing.T) {
	const key = "sk-this-is-the-key-000000"
	t.Setenv("OPENAI_API_KEY", key)
	var out, errs bytes.Buffer
	code := execute([]string{"run", "-v", "--base-url", "http://127.0.0.1:1/v1", "--model", "openai/x", "--timeout", "5s", "Hello"},
		stdio{strings.NewReader(""), &out, &errs})
	if code != exitUnreachable && code != exitLimit {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(out.String()+errs.String(), key) {
		t.Errorf("the key is in the output: %s", &errs)
	}
}

// TestARefusedKeyHasItsExitCode asks a server that refuses every key.
func TestARefusedKeyHasItsExitCode(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"message":"no such key","type":"authentication_error","param":null,"code":null}}`)
	}))
	defer server.Close()
	for _, command := range [][]string{{"run", "Hello"}, {"doctor"}} {
		var out, errs bytes.Buffer
		code := execute(append(command, "--base-url", server.URL, "--model", "openai/x"), stdio{strings.NewReader(""), &out, &errs})
		if code != exitAuth || !strings.Contains(out.String()+errs.String(), "no such key") {
			t.Errorf("%v exited %d: %s%s", command, code, &out, &errs)
		}
	}
}
