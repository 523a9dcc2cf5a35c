package tool_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

type article struct {
	Title string            `json:"title"`
	Lines []string          `json:"lines"`
	By    *author           `json:"by"`
	Tags  map[string]string `json:"tags,omitempty"`
	At    time.Time         `json:"at"`
}

type author struct {
	Name  string    `json:"name"`
	Under []*author `json:"under"`
}

func returning[Out any](out Out) tool.Tool {
	return tool.Must(tool.New("t", "Test.", func(context.Context, struct{}) (Out, error) { return out, nil }))
}

func outputSchema(t tool.Tool) *schema.Schema { return t.(tool.Outputter).OutputSchema() }

// TestOutputSchemaHoldsItsResults has results that an input could not be, such as null
// for a list.
func TestOutputSchemaHoldsItsResults(t *testing.T) {
	t.Parallel()
	for _, out := range []article{{}, {Title: "a", Lines: []string{"b"}, By: &author{Under: []*author{nil, {}}}, Tags: map[string]string{"c": "d"}}} {
		tl := returning(out)
		r, err := tool.Invoke(t.Context(), tl, tool.Call{Arguments: json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		s := outputSchema(tl)
		if s == nil {
			t.Fatal("no schema")
		}
		if _, err := s.Prepare(json.RawMessage(r.Text())); err != nil {
			t.Errorf("%s does not fit %s: %v", r.Text(), s, err)
		}
		if _, err := s.Prepare(json.RawMessage(`{"title":7}`)); err == nil {
			t.Errorf("anything fits %s", s)
		}
		if s != outputSchema(tl) {
			t.Error("it is made twice")
		}
	}
}

type ownJSON struct{}

func (ownJSON) MarshalJSON() ([]byte, error) { return []byte(`[]`), nil }

func TestNoOutputSchema(t *testing.T) {
	t.Parallel()
	for name, tl := range map[string]tool.Tool{
		"text":     returning(""),
		"list":     returning([]article{}),
		"any":      returning(any(article{})),
		"result":   returning(tool.Result{}),
		"part":     returning(message.Image{}),
		"tool":     returning(message.ToolResult{}),
		"time":     returning(time.Time{}),
		"own JSON": returning(ownJSON{}),
		"pointer":  returning(&article{}),
	} {
		if s := outputSchema(tl); s != nil {
			t.Errorf("%s: %s", name, s)
		}
	}
}
