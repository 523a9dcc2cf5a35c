package mcp

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
)

// What is odd in a list is said once, by whoever read it first, and again when it came back.
func TestOdditiesAreLoggedOnce(t *testing.T) {
	t.Parallel()
	good := json.RawMessage(`{"name":"good","inputSchema":{"type":"object"}}`)
	odd := []json.RawMessage{
		good, good,
		json.RawMessage(`{"name":"tasks","execution":{"taskSupport":"required"}}`),
		json.RawMessage(`{"name":"list","inputSchema":["a"]}`),
	}
	var log bytes.Buffer
	client, err := New(Config{Name: "odd", Command: "none"}, Options{
		Log: slog.New(slog.NewTextHandler(&log, nil)), Known: &Listing{Tools: odd[2:]},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if log.Len() > 0 {
		t.Errorf("of a list known from before: %s", &log)
	}
	client.begun = true
	for _, step := range []struct {
		list []json.RawMessage
		want []string
	}{
		{odd, []string{"listed twice", "has a new tool"}},
		{odd, nil},
		{odd[:1], []string{"has a tool no more"}},
		{odd[1:], []string{"tasks extension", "inputSchema is no object", "has a new tool"}},
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
