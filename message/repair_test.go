package message_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
)

func TestRepair(t *testing.T) {
	t.Parallel()
	for _, tt := range problemCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, problems := message.Repair(tt.in)
			if diff := cmp.Diff(tt.out, got); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(message.Check(tt.in), problems); diff != "" {
				t.Errorf("problems differ from Check's (-check +repair):\n%s", diff)
			}
			if left := message.Check(got); left != nil {
				t.Errorf("still wrong: %v", left)
			}
		})
	}
}

func TestRepairSoundIsTheSameSlice(t *testing.T) {
	t.Parallel()
	for _, tt := range soundCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, problems := message.Repair(tt.in)
			if problems != nil {
				t.Errorf("got problems %v, want none", problems)
			}
			if !same(got, tt.in) {
				t.Error("got a copy, want the slice itself")
			}
		})
	}
}

func same(a, b history) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func TestRepairDoesNotModifyItsInput(t *testing.T) {
	t.Parallel()
	for _, tt := range problemCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := clone(tt.in)
			got, _ := message.Repair(in)
			for i := range got { // nor may the caller modify it by what it got
				for k := range got[i].Parts {
					got[i].Parts[k] = message.Text("overwritten")
				}
			}
			if diff := cmp.Diff(tt.in, in); diff != "" {
				t.Errorf("input changed (-before +after):\n%s", diff)
			}
		})
	}
}

func clone(h history) history {
	h = slices.Clone(h)
	for i := range h {
		h[i].Parts = slices.Clone(h[i].Parts)
	}
	return h
}

// What stands in for a result is an error that a model and a host can read.
func TestRepairUnfinishedIsAToolError(t *testing.T) {
	t.Parallel()
	got, _ := message.Repair(history{calls("a")})
	r, ok := got[1].ToolResult()
	if !ok || !r.IsError || r.CallID != "a" || r.Name != "search" {
		t.Fatalf("got %+v, want an error result of call a of search", got[1])
	}
	var body struct {
		Success *bool
		Error   string
		Code    string
	}
	if err := json.Unmarshal([]byte(r.Text()), &body); err != nil {
		t.Fatal(err)
	}
	if body.Success == nil || *body.Success || body.Error == "" || body.Code != "canceled" {
		t.Errorf("got %s, want success false, an error and code canceled", r.Text())
	}
}

// FuzzRepair builds a history from the bytes, two for each part.
func FuzzRepair(f *testing.F) {
	f.Add([]byte("\x00\x00\x01\x10\x02\x20"))
	f.Add([]byte{0x21, 0x00, 0x31, 0x04, 0x02, 0x05, 0x12, 0x05, 0x22, 0x14})
	for i := range 8 {
		seed := make([]byte, 64)
		for k := range seed {
			seed[k] = byte(k*k*(i+3) + i)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := build(data)
		before := clone(in)
		out, problems := message.Repair(in)
		if diff := cmp.Diff(before, in); diff != "" {
			t.Errorf("input changed (-before +after):\n%s", diff)
		}
		if left := message.Check(out); left != nil {
			t.Errorf("still wrong: %v\nin:  %v\nout: %v", left, in, out)
		}
		if again, _ := message.Repair(out); !same(again, out) {
			t.Errorf("a second repair changed the history:\n%s", cmp.Diff(out, again))
		}
		if problems == nil && !same(in, out) {
			t.Error("a sound history was copied")
		}
		for _, p := range problems {
			if p.Index < 0 || p.Index >= len(in) || p.Kind == "" || p.Text == "" {
				t.Errorf("not a usable problem: %+v", p)
			}
		}
		if diff := cmp.Diff(said(in), said(out)); diff != "" {
			t.Errorf("what was said changed (-in +out):\n%s", diff)
		}
		for _, r := range results(out) {
			first := func(s message.ToolResult) bool {
				return s.CallID == r.CallID && len(s.Content) > 0 && s.Content[0] == r.Content[0]
			}
			if !r.IsError && !slices.ContainsFunc(results(in), first) {
				t.Errorf("result %v was made up", r)
			}
		}
	})
}

// build makes two bytes into a part. The first says where it goes (bits 4-7: a
// new message of that role, or the last message) and what it is (bits 0-3), the
// second which ID it has.
func build(data []byte) history {
	var h history
	for n := 0; n+1 < len(data) && n < 200; n += 2 {
		kind, id := data[n]&15, string(rune('a'+data[n+1]%4))
		text := fmt.Sprintf("text %d", n)
		var p message.Part
		switch kind {
		case 0, 1:
			p = message.Text(text)
		case 2, 3, 4:
			p = message.ToolCall{ID: id, Name: "search", Arguments: json.RawMessage(`{}`)}
		case 5, 6, 7:
			p = message.ToolResult{CallID: id, Content: []message.Part{message.Text(text)}}
		case 8:
			p = message.Reasoning(text)
		case 9:
			p = message.ToolCall{ID: id, Name: "search", Arguments: json.RawMessage(`{`)}
		case 10:
			p = message.ToolCall{ID: id}
		case 11:
			p = message.ToolCall{Name: "search"}
		case 12:
			p = message.Text("")
		case 13:
			p = message.ToolResult{CallID: id, Content: []message.Part{message.Text(text), message.ToolCall{ID: id}, nil}}
		case 14:
			p = message.Image{URL: text}
		}
		roles := []message.Role{message.RoleUser, message.RoleAssistant, message.RoleTool, message.RoleSystem, "robot"}
		switch to := int(data[n] >> 4); {
		case to < 12:
			roles := append(roles, message.RoleAssistant, message.RoleTool, message.RoleTool)
			m := message.Message{Role: roles[to%len(roles)]}
			if kind != 15 {
				m.Parts = append(m.Parts, p)
			}
			h = append(h, m)
		case to < 13:
			h = append(h, message.Message{})
		case len(h) > 0 && !h[len(h)-1].IsZero():
			h[len(h)-1].Parts = append(h[len(h)-1].Parts, p)
		}
	}
	return h
}

// said is every text outside of tool messages, in order.
func said(h history) []string {
	var texts []string
	for _, m := range h {
		if m.Role != message.RoleTool && m.Text() != "" {
			texts = append(texts, m.Text())
		}
	}
	return texts
}

func results(h history) []message.ToolResult {
	var all []message.ToolResult
	for _, m := range h {
		for _, p := range m.Parts {
			if r, ok := p.(message.ToolResult); ok {
				all = append(all, r)
			}
		}
	}
	return all
}
