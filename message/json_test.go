package message_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"helve/message"
)

// wireCases are messages and the JSON that a later release must read.
var wireCases = []struct {
	name string
	msg  message.Message
	json string
}{
	{"zero", message.Message{}, `null`},
	{"no parts", parts(message.RoleUser), `{"role":"user","parts":[]}`},
	{"system", message.System("Be brief."), `{"role":"system","parts":[{"type":"text","text":"Be brief."}]}`},
	{"empty text", message.User(""), `{"role":"user","parts":[{"type":"text","text":""}]}`},
	{"several parts", message.Assistant(message.Reasoning("Hm."), message.Text("a"), message.Text("b")),
		`{"role":"assistant","parts":[{"type":"reasoning","text":"Hm."},{"type":"text","text":"a"},{"type":"text","text":"b"}]}`},
	{"image", parts(message.RoleUser, message.Image{Data: []byte("\x89PNG"), MediaType: "image/png"}),
		`{"role":"user","parts":[{"type":"image","data":"iVBORw==","media_type":"image/png"}]}`},
	{"image by address", parts(message.RoleUser, message.Image{URL: "https://example.com/a.png"}),
		`{"role":"user","parts":[{"type":"image","url":"https://example.com/a.png"}]}`},
	{"audio", parts(message.RoleUser, message.Audio{Data: []byte{1}, MediaType: "audio/wav"}),
		`{"role":"user","parts":[{"type":"audio","data":"AQ==","media_type":"audio/wav"}]}`},
	{"file", parts(message.RoleUser, message.File{Name: "a.pdf", Data: []byte{2}, MediaType: "application/pdf"}),
		`{"role":"user","parts":[{"type":"file","name":"a.pdf","data":"Ag==","media_type":"application/pdf"}]}`},
	{"resource", parts(message.RoleUser, message.Resource{URI: "file:///a", Name: "a", MediaType: "text/plain", Text: "x"}),
		`{"role":"user","parts":[{"type":"resource","uri":"file:///a","name":"a","media_type":"text/plain","text":"x"}]}`},
	{"tool call", message.Assistant(message.ToolCall{ID: "call_1", Name: "calculate", Arguments: json.RawMessage(`{"expression":"17 * 23"}`)}),
		`{"role":"assistant","parts":[{"type":"tool_call","id":"call_1","name":"calculate","arguments":{"expression":"17 * 23"}}]}`},
	{"big integer in arguments", message.Assistant(message.ToolCall{ID: "c", Name: "n", Arguments: json.RawMessage(`{"id":12345678901234567890}`)}),
		`{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"n","arguments":{"id":12345678901234567890}}]}`},
	{"tool result", message.Result(message.ToolResult{CallID: "call_1", Name: "calculate", Content: []message.Part{message.Text("391")}}),
		`{"role":"tool","parts":[{"type":"tool_result","call_id":"call_1","name":"calculate","content":[{"type":"text","text":"391"}]}]}`},
	{"tool error", message.Result(message.ToolResult{CallID: "c", IsError: true}),
		`{"role":"tool","parts":[{"type":"tool_result","call_id":"c","content":[],"is_error":true}]}`},
	{"artifact", message.Result(message.ToolResult{CallID: "c", Artifact: map[string]any{"rows": 3.0}}),
		`{"role":"tool","parts":[{"type":"tool_result","call_id":"c","content":[],"artifact":{"rows":3}}]}`},
	{"picture in a result", message.Result(message.ToolResult{CallID: "c", Content: []message.Part{message.Text("see"), message.Image{URL: "u"}}}),
		`{"role":"tool","parts":[{"type":"tool_result","call_id":"c","content":[{"type":"text","text":"see"},{"type":"image","url":"u"}]}]}`},
}

func TestMessageJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range wireCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			data, err := json.Marshal(tt.msg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.json, string(data)); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
			got := message.User("left over from before")
			if err := json.Unmarshal([]byte(tt.json), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.msg, got); diff != "" {
				t.Errorf("read back (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPartsJSON(t *testing.T) {
	t.Parallel()
	want := []message.Part{message.Text("a"), call("c"), toolResult("c", 1)}
	data, err := message.MarshalParts(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := message.UnmarshalParts(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestMessageJSONReadErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"unknown role", `{"role":"robot","parts":[]}`, `unknown role "robot"`},
		{"no role", `{"parts":[]}`, `unknown role ""`},
		{"unknown type", `{"role":"user","parts":[{"type":"text","text":"a"},{"type":"video","url":"u"}]}`, `part 1: unknown type "video"`},
		{"no type", `{"role":"user","parts":[{"text":"a"}]}`, `part 0: unknown type ""`},
		{"null part", `{"role":"user","parts":[null]}`, `part 0: unknown type ""`},
		{"unknown type in a result", `{"role":"tool","parts":[{"type":"tool_result","call_id":"c","content":[{"type":"video"}]}]}`, `part 0: unknown type "video"`},
		{"part is no object", `{"role":"user","parts":["hello"]}`, `part 0: `},
		{"text is no string", `{"role":"user","parts":[{"type":"text","text":1}]}`, `part 0: `},
		{"data is no base64", `{"role":"user","parts":[{"type":"image","data":"!"}]}`, `part 0: `},
		{"no object", `[]`, `message: `},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var m message.Message
			err := json.Unmarshal([]byte(tt.in), &m)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestMessageJSONWriteErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		part message.Part
		want string
	}{
		{"nil part", nil, "type <nil> has no JSON form"},
		{"pointer to a part", new(message.Text), "type *message.Text has no JSON form"},
		{"arguments cut short", message.ToolCall{ID: "a", Name: "n", Arguments: json.RawMessage(`{"q":`)}, "unexpected end of JSON input"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := json.Marshal(parts(message.RoleAssistant, tt.part))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// An artifact may be any Go value. One that JSON can't hold must not cost the
// conversation.
func TestMessageJSONLeavesOutAnArtifact(t *testing.T) {
	t.Parallel()
	m := message.Result(message.ToolResult{CallID: "c", Content: []message.Part{message.Text("x")}, Artifact: make(chan int)})
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"role":"tool","parts":[{"type":"tool_result","call_id":"c","content":[{"type":"text","text":"x"}]}]}`; string(data) != want {
		t.Errorf("got %s, want %s", data, want)
	}
}

// encoding/json writes <, > and & as escapes. They read back as the same text,
// and arguments as the same value.
func TestMessageJSONKeepsMarkup(t *testing.T) {
	t.Parallel()
	const markup = "<b>a & b</b> \u2028"
	in := message.Assistant(message.Text(markup), message.ToolCall{ID: "c", Name: "n", Arguments: json.RawMessage(`{"html":"<b>a & b</b> \u2028"}`)})
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out message.Message
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	var args struct{ HTML string }
	if err := json.Unmarshal(out.ToolCalls()[0].Arguments, &args); err != nil {
		t.Fatal(err)
	}
	if out.Text() != markup || args.HTML != markup {
		t.Errorf("got text %q and argument %q, want %q", out.Text(), args.HTML, markup)
	}
}

// FuzzMessageJSON checks that what reads, writes, and that writing and reading
// changes nothing.
func FuzzMessageJSON(f *testing.F) {
	for _, tt := range wireCases {
		f.Add([]byte(tt.json))
	}
	f.Add([]byte(`{"role":"user","parts":[{"type":"text","text":"\ud800"}]}`))
	f.Add([]byte(`{"role":"assistant","parts":[{"type":"tool_call"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var first message.Message
		if json.Unmarshal(data, &first) != nil {
			return
		}
		written, err := json.Marshal(first)
		if err != nil {
			t.Fatalf("%#v was read and can't be written: %v", first, err)
		}
		var second message.Message
		if err := json.Unmarshal(written, &second); err != nil {
			t.Fatalf("%s was written and can't be read: %v", written, err)
		}
		again, err := json.Marshal(second)
		if err != nil {
			t.Fatal(err)
		}
		if string(written) != string(again) {
			t.Errorf("written %s, then %s", written, again)
		}
		opts := cmp.Options{cmpopts.EquateEmpty(), sameJSON}
		if diff := cmp.Diff(first, second, opts); diff != "" {
			t.Errorf("round trip (-before +after):\n%s", diff)
		}
	})
}

// sameJSON compares calls with their arguments in written form: nil is null, and
// spaces don't count.
var sameJSON = cmp.Comparer(func(a, b message.ToolCall) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
})
