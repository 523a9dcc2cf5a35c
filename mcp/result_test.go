package mcp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/mend"
	"helve/message"
	"helve/tool"
)

// answered is what a call gives that a server answered with result, on its whole way:
// mended, decoded by the SDK, converted.
func answered(t testing.TB, result string) (tool.Result, error) {
	t.Helper()
	var response struct{ Result *sdk.CallToolResult }
	mended := mend.Message([]byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`))
	if err := json.Unmarshal(mended, &response); err != nil {
		t.Fatalf("%s: %v", mended, err)
	}
	return convert(response.Result, strings.TrimSpace)
}

func TestConvert(t *testing.T) {
	t.Parallel()
	hi := []byte("hi")
	tests := []struct {
		name, result string
		want         tool.Result
	}{
		{"nothing", `{}`, tool.Result{}},
		{"text", `{"content":[{"type":"text","text":"a"}]}`, tool.Text("a")},
		{"texts", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b\n"},{"type":"text","text":"c"}]}`, tool.Result{Content: []message.Part{message.Text("a\n"), message.Text("b\n"), message.Text("c")}}},
		{"image", `{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`, tool.Result{Content: []message.Part{message.Image{Data: hi, MediaType: "image/png"}}}},
		{"image of an unknown type", `{"content":[{"type":"image","data":"iVBORw0KGgo"}]}`, tool.Result{Content: []message.Part{message.Image{Data: []byte("\x89PNG\r\n\x1a\n"), MediaType: "image/png"}}}},
		{"image without data", `{"content":[{"type":"image"}]}`, tool.Text(`{"type":"image","mimeType":"","data":""}`)},
		{"audio", `{"content":[{"type":"audio","data":"data:audio/wav;base64,aGk="}]}`, tool.Result{Content: []message.Part{message.Audio{Data: hi, MediaType: "audio/wav"}}}},
		{"resource of text", `{"content":[{"type":"resource","resource":{"uri":"a:b","mimeType":"text/plain","text":"x"}}]}`, tool.Result{Content: []message.Part{message.Resource{URI: "a:b", MediaType: "text/plain", Text: "x"}}}},
		{"resource of data", `{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"aGk="}}]}`, tool.Result{Content: []message.Part{message.Resource{URI: "a:b", Data: hi}}}},
		{"resource without contents", `{"content":[{"type":"resource"}]}`, tool.Text(`{"type":"resource"}`)},
		{"link", `{"content":[{"type":"resource_link","uri":"a:b","name":"n","mimeType":"text/html"}]}`, tool.Result{Content: []message.Part{message.Resource{URI: "a:b", Name: "n", MediaType: "text/html"}}}},
		{"link with a title", `{"content":[{"type":"resource_link","uri":"a:b","title":"t"}]}`, tool.Result{Content: []message.Part{message.Resource{URI: "a:b", Name: "t"}}}},
		{"unknown", `{"content":[{"type":"hologram","depth":3}]}`, tool.Text(`{"type":"hologram","depth":3}`)},
		{"structured alone", `{"structuredContent":{"b":12345678901234567890,"a":1}}`, tool.Result{
			Content:  []message.Part{message.Text(`{"b":12345678901234567890,"a":1}`)},
			Artifact: Output{Structured: json.RawMessage(`{"b":12345678901234567890,"a":1}`)},
		}},
		{"structured beside text", `{"content":[{"type":"text","text":"a"}],"structuredContent":[1],"_meta":{"x":"y"}}`, tool.Result{
			Content:  []message.Part{message.Text("a")},
			Artifact: Output{Structured: json.RawMessage(`[1]`), Meta: map[string]any{"x": "y"}},
		}},
		{"forged keys", `{"content":[],"_meta":{"helve/structured":"{","helve/tool":"x"}}`, tool.Result{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := answered(t, tt.result)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want.Content, got.Content); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.want.Artifact, got.Artifact); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConvert_NotMended(t *testing.T) {
	t.Parallel()
	got, err := convert(&sdk.CallToolResult{StructuredContent: map[string]any{"a": 1}}, strings.TrimSpace)
	if err != nil || got.Text() != `{"a":1}` {
		t.Errorf("got %q, %v", got.Text(), err)
	}
}

func TestConvert_Error(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ result, want string }{
		{`{"isError":true}`, "(the server gave no reason)"},
		{`{"isError":"true","content":[{"type":"text","text":" "},{"type":"image","data":"aGk="}]}`, "(the server gave no reason)"},
		{`{"isError":true,"content":[{"type":"text","text":"disk full\n"},{"type":"resource","resource":{"uri":"a:b","text":"see log"}}]}`, "disk full\nsee log"},
		{`{"isError":true,"structuredContent":{"code":5}}`, `{"code":5}`},
		{`{"isError":true,"content":[{"type":"text","text":"` + strings.Repeat("x", 9000) + `"}]}`, strings.Repeat("x", 8192) + "…"},
	} {
		got, err := answered(t, tt.result)
		var e *tool.Error
		if !errors.As(err, &e) || e.Kind != tool.KindExecution || e.Message != tt.want {
			t.Errorf("%.100s: got %v, want %.100s", tt.result, err, tt.want)
		}
		if got.Content != nil {
			t.Errorf("%.100s: content %v beside an error", tt.result, got.Content)
		}
		if strings.Contains(tt.result, "structuredContent") != (got.Artifact != nil) {
			t.Errorf("%.100s: artifact %v", tt.result, got.Artifact)
		}
	}
}

func FuzzConvert(f *testing.F) {
	f.Add(`{"content":[{"type":"image","data":"aGk"},{"type":"resource","resource":null},null],"_meta":{"helve/tool":1}}`)
	f.Add(`{"isError":1,"structuredContent":{"a":1e999},"content":"x"}`)
	f.Fuzz(func(t *testing.T, result string) {
		if !json.Valid([]byte(result)) {
			return
		}
		var response struct{ Result *sdk.CallToolResult }
		if json.Unmarshal(mend.Message([]byte(`{"jsonrpc":"2.0","id":1,"result":`+result+`}`)), &response) != nil || response.Result == nil {
			return // mend's own tests say when
		}
		got, err := convert(response.Result, strings.TrimSpace)
		var e *tool.Error
		if err != nil && (!errors.As(err, &e) || e.Message == "" || len(e.Message) > errorBytes+len("…")) {
			t.Fatalf("%s: %v", result, err)
		}
		if data, err := json.Marshal(got.Artifact); err != nil || strings.Contains(string(data), `"helve/structured":`) && !strings.Contains(result, `helve`) {
			t.Fatalf("%s: the artifact %s, %v", result, data, err)
		}
		if _, err := message.MarshalParts(got.Content); err != nil {
			t.Fatalf("%s: %v", result, err)
		}
	})
}
