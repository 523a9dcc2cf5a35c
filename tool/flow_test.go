package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// Document 002, section 4: what the model fills and what the host gives meet only
// in the function.
func TestDoc002_ParametersFlow(t *testing.T) {
	t.Parallel()
	search := tool.Must(tool.New("search", "搜索内容", func(ctx context.Context, in searchInput) (tool.Result, error) {
		rt := tool.RuntimeFrom(ctx)
		if err := rt.Store.Put(ctx, "last_query", []byte(in.Query), 0); err != nil {
			return tool.Result{}, err
		}
		found := fmt.Sprintf("%s: %d of %q after %d messages", rt.CallID, in.Limit, in.Query, len(rt.State.Messages))
		return tool.WithArtifact(found, rt.Config["index"]), nil
	}))

	// When it is defined: the schema holds the model's parameters and no others.
	var names []string
	for _, p := range search.Definition().Schema().Properties() {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "query limit" {
		t.Errorf("the model is asked for %s", got)
	}

	// The model's call.
	args := json.RawMessage(`{"query":"Python 教程","limit":5}`)
	if err := search.Definition().Schema().Validate(args); err != nil {
		t.Fatal(err)
	}

	// The host's part.
	store := tool.NewMemoryStore()
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{
		CallID: "call_abc123",
		State:  tool.State{Messages: []message.Message{message.User("帮我搜索一下 Python 教程")}},
		Store:  store,
		Config: map[string]any{"index": "docs"},
	})

	// The function saw both, and its result is content and artifact.
	result, err := tool.Invoke(ctx, search, tool.Call{ID: "call_abc123", Name: "search", Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := result.Text(), `call_abc123: 5 of "Python 教程" after 1 messages`; got != want {
		t.Errorf("content %q, want %q", got, want)
	}
	if result.Artifact != "docs" {
		t.Errorf("artifact %v, want docs", result.Artifact)
	}
	if kept, _, err := store.Get(t.Context(), "last_query"); string(kept) != "Python 教程" || err != nil {
		t.Errorf("the store has %q, %v", kept, err)
	}
}

// Document 002, section 1.2: the two ways without code generation describe and
// take the same call.
func TestDoc002_WaysToDefineATool(t *testing.T) {
	t.Parallel()
	for name, search := range map[string]tool.Tool{"function and types": typedSearch(), "explicit schema": explicitSearch()} {
		d := search.Definition()
		query, limit := d.Schema().Properties()[0], d.Schema().Properties()[1]
		if !query.Required || query.Type != "string" || query.Description != "搜索关键词" {
			t.Errorf("%s: query is %+v", name, query)
		}
		if limit.Required || limit.Type != "integer" || string(limit.Default) != "10" {
			t.Errorf("%s: limit is %+v", name, limit)
		}
		if got := mustInvoke(t, search, `{"query":"Python 教程"}`).Text(); got != "results" {
			t.Errorf("%s: answers %q", name, got)
		}
		if _, findings := d.FunctionTool(schema.Gemini); len(findings) > 0 {
			t.Errorf("%s: %v", name, findings)
		}
	}
}
