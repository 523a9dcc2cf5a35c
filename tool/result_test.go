package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/tool"
)

type label string

type level int

func (l level) MarshalText() ([]byte, error) { return []byte("level-" + string(rune('0'+l))), nil }

// code is a string that is written otherwise.
type code string

func (c code) MarshalText() ([]byte, error) { return []byte("code " + string(c)), nil }

type shout string

func (s shout) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"shout": strings.ToUpper(string(s))})
}

type report struct {
	Result  int    `json:"result"`
	Doubled int    `json:"doubled"`
	Note    string `json:"note,omitempty"`
}

func TestDoc002_ReturnValues(t *testing.T) {
	t.Parallel()
	image := message.Image{Data: []byte("png"), MediaType: "image/png"}
	text := func(s string) []message.Part { return []message.Part{message.Text(s)} }
	for name, test := range map[string]struct {
		tool tool.Tool
		want []message.Part
	}{
		"string":                   {gives("结果是 5"), text("结果是 5")},
		"string, not HTML":         {gives("a < b && c"), text("a < b && c")},
		"empty string":             {gives(""), text("")},
		"named string":             {gives(label("high")), text("high")},
		"map":                      {gives(map[string]any{"result": 5, "doubled": 10}), text(`{"doubled":10,"result":5}`)},
		"map, integer keys":        {gives(map[int]bool{2: true, 1: false}), text(`{"1":false,"2":true}`)},
		"struct":                   {gives(report{Result: 5, Doubled: 10}), text(`{"result":5,"doubled":10}`)},
		"struct, not HTML":         {gives(report{Note: "<a> & b"}), text(`{"result":0,"doubled":0,"note":"<a> & b"}`)},
		"pointer":                  {gives(&report{Result: 5}), text(`{"result":5,"doubled":0}`)},
		"nil pointer":              {gives[*report](nil), text("null")},
		"slice":                    {gives([]string{"a", "b"}), text(`["a","b"]`)},
		"list of maps":             {gives([]map[string]any{{"a": 1}}), text(`[{"a":1}]`)},
		"nil slice":                {gives[[]string](nil), text("null")},
		"int":                      {gives(391), text("391")},
		"large int":                {gives(uint64(math.MaxUint64)), text("18446744073709551615")},
		"float":                    {gives(1.5), text("1.5")},
		"bool":                     {gives(true), text("true")},
		"nil":                      {gives[any](nil), text("null")},
		"string in any":            {gives[any]("x"), text("x")},
		"struct in any":            {gives[any](report{Result: 5}), text(`{"result":5,"doubled":0}`)},
		"time":                     {gives(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), text(`"2026-01-02T03:04:05Z"`)},
		"raw JSON":                 {gives(json.RawMessage(`{"a": "<b>"}`)), text(`{"a":"<b>"}`)},
		"text marshaler":           {gives(level(3)), text(`"level-3"`)},
		"text marshaler, a string": {gives(code("7")), text(`"code 7"`)},
		"JSON marshaler":           {gives(shout("hi")), text(`{"shout":"HI"}`)},

		"part":        {gives(image), []message.Part{image}},
		"text part":   {gives(message.Text("x")), text("x")},
		"part in any": {gives[any](image), []message.Part{image}},
		"parts":       {gives([]message.Part{message.Text("see"), image}), []message.Part{message.Text("see"), image}},
		"nil parts":   {gives[[]message.Part](nil), nil},
		"parts of one kind": {gives([]message.Image{image, {URL: "https://example.com/a.png"}}),
			[]message.Part{image, message.Image{URL: "https://example.com/a.png"}}},
		"multimodal": {gives(tool.Result{Content: []message.Part{message.Text("see"), image, message.Audio{URL: "https://example.com/a.wav"}, message.File{Name: "a.pdf", Data: []byte("pdf")}, message.Resource{URI: "file:///a"}}}),
			[]message.Part{message.Text("see"), image, message.Audio{URL: "https://example.com/a.wav"}, message.File{Name: "a.pdf", Data: []byte("pdf")}, message.Resource{URI: "file:///a"}}},

		"Result":        {gives(tool.Text("x")), text("x")},
		"empty Result":  {gives(tool.Result{}), nil},
		"*Result":       {gives(&tool.Result{Content: text("x")}), text("x")},
		"nil *Result":   {gives[*tool.Result](nil), text("null")},
		"Result in any": {gives[any](tool.Text("x")), text("x")},
		"tool message":  {gives(message.ToolResult{CallID: "forged", Name: "forged", Content: text("结果: 5")}), text("结果: 5")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := mustInvoke(t, test.tool, `{}`)
			if diff := cmp.Diff(test.want, got.Content); diff != "" {
				t.Errorf("wrong content (-want +got):\n%s", diff)
			}
			if got.Artifact != nil {
				t.Errorf("artifact %v out of nowhere", got.Artifact)
			}
		})
	}
}

// gives is a tool that returns v.
func gives[Out any](v Out) tool.Tool { return returns(func() (Out, error) { return v, nil }) }

type ring struct {
	Next *ring `json:"next"`
}

func TestDoc002_ReturnValuesThatNoModelCanRead(t *testing.T) {
	t.Parallel()
	round := &ring{}
	round.Next = round
	for name, test := range map[string]struct {
		tool tool.Tool
		want string
	}{
		"NaN":                           {gives(math.NaN()), "the number NaN"},
		"infinity, deep":                {gives(map[string][]float64{"a": {1, math.Inf(-1)}}), "the number -Inf"},
		"channel in any":                {gives[any](make(chan int)), "a chan int"},
		"function in a map":             {gives(map[string]any{"f": func() {}}), "a func()"},
		"itself":                        {gives(round), "contains itself"},
		"broken raw JSON":               {gives(json.RawMessage(`{"a":`)), "no JSON form"},
		"a tool call":                   {gives[any](message.ToolCall{ID: "1", Name: "x"}), "message.ToolCall"},
		"reasoning":                     {gives(message.Reasoning("hm")), "message.Reasoning"},
		"a nil part":                    {gives([]message.Part{nil}), "nil part"},
		"an error":                      {gives[any](errors.New("no such city")), "no such city"},
		"a failed message":              {gives(message.ToolResult{IsError: true, Content: []message.Part{message.Text("no such city")}}), "no such city"},
		"NaN with artifact":             {gives(tool.WithArtifact(math.NaN(), 1)), "the number NaN"},
		"NaN, *Result":                  {gives(new(tool.WithArtifact(math.NaN(), 1))), "the number NaN"},
		"artifact, bare":                {bare(func() (tool.Result, error) { return tool.WithArtifact(make(chan int), 1), nil }), "a chan int"},
		"channel in an any of a struct": {gives(one[any]{make(chan int)}), "a chan int"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := tool.Invoke(t.Context(), test.tool, tool.Call{})
			if e := wantKind(t, err, tool.KindExecution); !strings.Contains(e.Message, test.want) {
				t.Errorf("message %q, want %q in it", e.Message, test.want)
			}
			if len(result.Content) > 0 {
				t.Errorf("content %v beside an error", result.Content)
			}
		})
	}
}

func TestDoc002_ContentAndArtifact(t *testing.T) {
	t.Parallel()
	full := map[string]any{"results": []int{1, 2}, "channel": make(chan int)} // need not be JSON
	for name, content := range map[string]any{
		"text": "找到 10 条结果",
		"JSON": map[string]int{"found": 10},
		"part": message.Text("found"),
	} {
		want := mustInvoke(t, gives(content), `{}`).Content
		for how, made := range map[string]tool.Tool{
			"New": tool.Must(tool.New("search", "Search.", func(context.Context, struct{}) (tool.Result, error) {
				return tool.WithArtifact(content, full), nil
			})),
			"FromSchema": tool.Must(tool.FromSchema("search", "Search.", []byte(`{"type":"object"}`), func(context.Context, json.RawMessage) (any, error) {
				return tool.WithArtifact(content, full), nil
			})),
			"tool message": gives(message.ToolResult{Content: want, Artifact: full}),
		} {
			got := mustInvoke(t, made, `{}`)
			if diff := cmp.Diff(want, got.Content); diff != "" {
				t.Errorf("%s, %s: wrong content (-want +got):\n%s", name, how, diff)
			}
			if artifact, _ := got.Artifact.(map[string]any); artifact["channel"] != full["channel"] {
				t.Errorf("%s, %s: artifact %v, want the very value", name, how, got.Artifact)
			}
			if strings.Contains(got.Text(), "results") {
				t.Errorf("%s, %s: the content shows the artifact: %s", name, how, got.Text())
			}
		}
	}
}

// The failure of WithArtifact is not lost on the way to Invoke.
func TestWithArtifact_TellsItsErrorWhereverItGoes(t *testing.T) {
	t.Parallel()
	broken := tool.WithArtifact(make(chan int), 1)
	for name, made := range map[string]tool.Tool{
		"Result":  gives(broken),
		"*Result": gives(&broken),
		"any":     gives[any](broken),
		"nested":  gives(tool.WithArtifact(broken, 2)),
	} {
		if _, err := made.Call(t.Context(), tool.Call{Arguments: json.RawMessage(`{}`)}); err == nil || !strings.Contains(err.Error(), "chan int") {
			t.Errorf("%s: Call gave %v", name, err)
		}
	}
}

func TestResult_TextJoinsTheTextParts(t *testing.T) {
	t.Parallel()
	r := tool.Result{Content: []message.Part{message.Text("a"), message.Image{URL: "https://example.com/a.png"}, message.Text("b")}}
	if got := r.Text(); got != "ab" {
		t.Errorf("Text() = %q, want %q", got, "ab")
	}
}
