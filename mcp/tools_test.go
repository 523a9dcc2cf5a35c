package mcp

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
)

// What is odd in a list is said once, and again when it came back.
func TestOdditiesAreLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	client, err := New(Config{Name: "odd", Command: "none"}, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	good := json.RawMessage(`{"name":"good","inputSchema":{"type":"object"}}`)
	odd := []json.RawMessage{
		good, good,
		json.RawMessage(`{"name":"tasks","execution":{"taskSupport":"required"}}`),
		json.RawMessage(`{"name":"list","inputSchema":["a"]}`),
	}
	for _, step := range []struct {
		list []json.RawMessage
		want []string
	}{
		{odd, []string{"listed twice", "tasks extension", "inputSchema is no object"}},
		{odd, nil},
		{odd[:1], []string{"has a tool no more"}},
		{odd[1:3], []string{"tasks extension"}},
	} {
		log.Reset()
		client.take(step.list)
		if n := strings.Count(log.String(), "\n"); n != len(step.want) {
			t.Errorf("%d lines, want %d:\n%s", n, len(step.want), &log)
		}
		for _, words := range step.want {
			if !strings.Contains(log.String(), words) {
				t.Errorf("not logged: %s\n%s", words, &log)
			}
		}
	}
}
