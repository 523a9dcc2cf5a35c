package dialect

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
)

// TestConversation: what a model without function calling is shown of a conversation,
// each message in one piece.
func TestConversation(t *testing.T) {
	t.Parallel()
	call := func(id, name string) message.ToolCall {
		return message.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(`{}`)}
	}
	result := func(id, text string) message.Message {
		return message.Result(message.ToolResult{CallID: id, Content: []message.Part{message.Text(text), message.Image{URL: "u"}}})
	}
	told := []message.Message{
		message.User("Go."),
		message.Assistant(message.Text("Now."), call("1", "f"), call("2", "g")),
		result("1", "one"),
		message.Result(message.ToolResult{CallID: "2", Content: []message.Part{message.Text("two")}}),
		message.Assistant(message.Text("It is "), message.Text(`"done".`)),
	}
	before := cmp.Diff(nil, told)
	text := func(parts ...message.Part) []message.Part { return parts }
	image := message.Image{URL: "u"}
	for _, test := range []struct {
		dialect *Dialect
		taught  bool
		want    [][]message.Part
	}{
		{&structured, true, [][]message.Part{
			text(message.Text("Go.")),
			text(message.Text("Now."), message.Text("\n"+`{"name": "f", "parameters": {}}`+"\n"+`{"name": "g", "parameters": {}}`)),
			text(message.Text("[Tool result for f]\none"), image, message.Text("\n[Tool result for g]\ntwo")),
			text(message.Text("It is "), message.Text(`"done".`)),
		}},
		{&decision, true, [][]message.Part{
			text(message.Text("Go.")),
			text(message.Text("Now."), message.Text("\n"+`{"tool": "f", "arguments": {}}`+"\n"+`{"tool": "g", "arguments": {}}`)),
			text(message.Text("[Tool result for f]\none"), image, message.Text("\n[Tool result for g]\ntwo")),
			text(message.Text(`{"tool": null, "reply": "It is \"done\"."}`)),
		}},
		{&decision, false, [][]message.Part{
			text(message.Text("Go.")),
			text(message.Text("Now."), message.Text("\n"+`{"tool": "f", "arguments": {}}`+"\n"+`{"tool": "g", "arguments": {}}`)),
			text(message.Text("[Tool result for f]\none"), image, message.Text("\n[Tool result for g]\ntwo")),
			text(message.Text("It is "), message.Text(`"done".`)),
		}},
	} {
		var got [][]message.Part
		for _, m := range test.dialect.conversation(told, test.taught, test.dialect.role) {
			got = append(got, m.Parts)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, taught %v (-want +got):\n%s", test.dialect, test.taught, diff)
		}
	}
	if after := cmp.Diff(nil, told); after != before {
		t.Error("the conversation itself was changed")
	}
}

func TestAddText(t *testing.T) {
	t.Parallel()
	shared := make([]message.Part, 1, 4)
	shared[0] = message.Text("a")
	if diff := cmp.Diff([]message.Part{message.Text("ab")}, addText(shared, "b")); diff != "" || shared[0] != message.Text("a") {
		t.Errorf("%v (-want +got):\n%s", shared, diff)
	}
}

// TestAFenceWithoutACallIsCode: also where a dialect has calls in fences of their own.
func TestAFenceWithoutACallIsCode(t *testing.T) {
	t.Parallel()
	for _, d := range []*Dialect{&structured, &decision, &jsonRaw, &hermes} {
		call := d.write([]message.ToolCall{promiseCall("now", "{}")})
		for _, text := range []string{
			"```text\nFor example:\n" + call + "\n```\n",
			"Look:\n\n```python\nx = 1\n" + call + "\n```\n",
			"````\nsee\n" + call + "\n```\n" + call + "\n````\n",
			"```json\n// or\n" + call + "\n```\n",
		} {
			for _, behind := range []string{"", call} {
				dec := d.NewDecoder(Options{})
				n := 0
				for i := range len(text + behind) {
					for _, e := range dec.Feed((text + behind)[i : i+1]) {
						n += called(e)
					}
				}
				for _, e := range dec.End() {
					n += called(e)
				}
				if want := min(1, len(behind)); n != want {
					t.Errorf("%s: %d calls in %q: want %d", d, n, text+behind, want)
				}
			}
		}
	}
}

func called(e Event) int {
	if e.Kind == ToolCall {
		return 1
	}
	return 0
}
