package tooltest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"helve/schema"
	"helve/tool"
)

// lax takes every call, whatever the definition says that the kit has seen.
type lax struct{}

func (lax) Definition() tool.Definition {
	return tool.Definition{Name: "lax", Description: "Take everything.", Parameters: schema.MustCompile(`{"type":"object"}`)}
}

func (lax) Call(context.Context, tool.Call) (tool.Result, error) { return tool.Text("done"), nil }

func TestCheckInvalid_TellsWhatReachedTheTool(t *testing.T) {
	t.Parallel()
	strict := lax{}.Definition()
	strict.Parameters = schema.MustCompile(`{
		"type": "object",
		"properties": {
			"city": {"type": "string"},
			"days": {"type": "integer", "default": 3},
			"note": {"type": ["object", "array", "string", "number", "boolean"]}
		},
		"required": ["city", "days"],
		"additionalProperties": false
	}`)
	s := &subject{ctx: t.Context(), tool: lax{}, definition: strict, examples: []json.RawMessage{json.RawMessage(`{"city":"Oslo"}`)}}
	err := checkInvalid(s)
	if err == nil {
		t.Fatal("no rule was broken")
	}
	want := `a call with no city reached the tool: {"days":3}
a call with city of a wrong type reached the tool: {"city":{"wrong":[]},"days":3}
a call with city in the wrong letter case reached the tool: {"CITY":"Oslo","days":3}
a call with days of a wrong type reached the tool: {"city":"Oslo","days":{"wrong":[]}}
a call with days in the wrong letter case reached the tool: {"DAYS":3,"city":"Oslo"}
a call with note in the wrong letter case reached the tool: {"NOTE":1,"city":"Oslo","days":3}
a call with an unknown property reached the tool: {"city":"Oslo","days":3,"tooltest_unknown":1}`
	if got := err.Error(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestCheckInvalid_OpenSchemaMayTakeUnknownProperties(t *testing.T) {
	t.Parallel()
	valid := map[string]json.RawMessage{}
	for _, call := range invalidCalls(schema.MustCompile(`{"type":"object","properties":{"a_1":{}}}`), valid) {
		if strings.Contains(call.fault, "unknown") || strings.Contains(call.fault, "type") {
			t.Errorf("a call that the schema allows was called invalid: %s: %s", call.fault, call.arguments)
		}
	}
}
