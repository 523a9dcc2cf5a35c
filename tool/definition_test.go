package tool_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
	"helve/tool"
)

type searchInput struct {
	Query string `json:"query" jsonschema_description:"搜索关键词"`
	Limit int    `json:"limit,omitempty" jsonschema:"default=10"`
}

func typedSearch() tool.Tool {
	return tool.Must(tool.New("search", "搜索内容",
		func(context.Context, searchInput) (string, error) { return "results", nil }))
}

func explicitSearch() tool.Tool {
	return tool.Must(tool.FromSchema("search", "搜索内容", []byte(`{
		"type": "object",
		"properties": {
			"query": {"type": "string", "description": "搜索关键词"},
			"limit": {"type": "integer", "default": 10}
		},
		"required": ["query"]
	}`), func(context.Context, json.RawMessage) (any, error) { return "results", nil }))
}

// documented is what document 002, section 3.1, step 2 sends to a model.
const documented = `{
	"type": "function",
	"function": {
		"name": "search",
		"description": "搜索内容",
		"parameters": {
			"type": "object",
			"properties": {
				"query": {"type": "string", "description": "搜索关键词"},
				"limit": {"type": "integer", "default": 10}
			},
			"required": ["query"]
		}
	}
}`

func TestDoc002_SearchRendersAsDocumented(t *testing.T) {
	t.Parallel()
	t.Run("explicit schema", func(t *testing.T) {
		t.Parallel()
		got, findings := explicitSearch().Definition().FunctionTool(schema.OpenAI)
		if diff := cmp.Diff(decoded(t, []byte(documented)), decoded(t, got)); diff != "" || len(findings) > 0 {
			t.Errorf("findings %v, difference (-document +got):\n%s", findings, diff)
		}
	})
	t.Run("Go types", func(t *testing.T) { // and they forbid what the struct has no field for
		t.Parallel()
		want := decoded(t, []byte(documented))
		want["function"].(map[string]any)["parameters"].(map[string]any)["additionalProperties"] = false
		got, findings := typedSearch().Definition().FunctionTool(schema.OpenAI)
		if diff := cmp.Diff(want, decoded(t, got)); diff != "" || len(findings) > 0 {
			t.Errorf("findings %v, difference (-document +got):\n%s", findings, diff)
		}
	})
}

func decoded(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return m
}

func TestDefinition_FunctionToolGolden(t *testing.T) {
	t.Parallel()
	for profile, want := range map[schema.Profile]string{
		schema.OpenAI:       `{"type":"function","function":{"name":"search","description":"搜索内容","parameters":{"type":"object","properties":{"query":{"type":"string","description":"搜索关键词"},"limit":{"type":"integer","default":10}},"required":["query"],"additionalProperties":false}}}`,
		schema.OpenAIStrict: `{"type":"function","function":{"name":"search","description":"搜索内容","parameters":{"type":"object","properties":{"query":{"type":"string","description":"搜索关键词"},"limit":{"type":["integer","null"],"description":"Default: 10."}},"required":["query","limit"],"additionalProperties":false},"strict":true}}`,
		schema.Gemini:       `{"name":"search","description":"搜索内容","parameters":{"type":"object","properties":{"query":{"type":"string","description":"搜索关键词"},"limit":{"type":"integer","default":10}},"required":["query"]}}`,
	} {
		for range 20 { // a new tool each time: no map's order may show
			got, _ := typedSearch().Definition().FunctionTool(profile)
			if string(got) != want {
				t.Fatalf("%v:\n got %s\nwant %s", profile, got, want)
			}
		}
	}
}

func TestDefinition_NoParameters(t *testing.T) {
	t.Parallel()
	d := tool.Definition{Name: "now", Description: "Tell the time, <exactly> & in UTC."}
	got, _ := d.FunctionTool(schema.OpenAI)
	want := `{"type":"function","function":{"name":"now","description":"Tell the time, <exactly> & in UTC.","parameters":{"type":"object","properties":{},"additionalProperties":false}}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The JSON of a definition is what a model is told, and nothing of the host.
func TestDefinition_MarshalJSON(t *testing.T) {
	t.Parallel()
	d := tool.Definition{Name: "now", Description: "Tell the time.", ReturnDirect: true, Timeout: time.Second}
	got, err := json.Marshal(d)
	want := `{"name":"now","description":"Tell the time.","parameters":{"type":"object","properties":{},"additionalProperties":false}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestDoc002_ReturnDirectAndTheOtherOptionsAreInTheDefinition(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options []tool.Option
		want    tool.Definition
	}{
		"none":         {nil, tool.Definition{}},
		"ReturnDirect": {[]tool.Option{tool.ReturnDirect()}, tool.Definition{ReturnDirect: true}},
		"Sequential":   {[]tool.Option{tool.Sequential()}, tool.Definition{Sequential: true}},
		"ReadOnly":     {[]tool.Option{tool.ReadOnly()}, tool.Definition{ReadOnly: true}},
		"Idempotent":   {[]tool.Option{tool.Idempotent()}, tool.Definition{Idempotent: true}},
		"Timeout":      {[]tool.Option{tool.Timeout(time.Second)}, tool.Definition{Timeout: time.Second}},
		"all": {
			[]tool.Option{tool.ReturnDirect(), tool.Sequential(), tool.ReadOnly(), tool.Idempotent(), tool.Timeout(time.Hour)},
			tool.Definition{ReturnDirect: true, Sequential: true, ReadOnly: true, Idempotent: true, Timeout: time.Hour},
		},
	} {
		test.want.Name, test.want.Description = "x", "Do it."
		typed := tool.Must(tool.New("x", "Do it.", func(context.Context, struct{}) (string, error) { return "", nil }, test.options...))
		explicit := tool.Must(tool.FromSchema("x", "Do it.", []byte(`{"type":"object"}`), func(context.Context, json.RawMessage) (any, error) { return nil, nil }, test.options...))
		for how, made := range map[string]tool.Tool{"New": typed, "FromSchema": explicit} {
			got := made.Definition()
			if got.Parameters == nil {
				t.Errorf("%s, %s: no parameters", how, name)
			}
			got.Parameters = nil
			if got != test.want {
				t.Errorf("%s, %s: definition %+v, want %+v", how, name, got, test.want)
			}
		}
	}
}

// What the host is told by options is not for the model.
func TestDefinition_OptionsAreNotRendered(t *testing.T) {
	t.Parallel()
	plain := tool.Must(tool.New("x", "Do it.", func(context.Context, struct{}) (string, error) { return "", nil }))
	all := tool.Must(tool.New("x", "Do it.", func(context.Context, struct{}) (string, error) { return "", nil },
		tool.ReturnDirect(), tool.Sequential(), tool.ReadOnly(), tool.Idempotent(), tool.Timeout(time.Hour)))
	a, _ := plain.Definition().FunctionTool(schema.OpenAI)
	b, _ := all.Definition().FunctionTool(schema.OpenAI)
	if string(a) != string(b) {
		t.Errorf("options show:\n%s\n%s", a, b)
	}
}
