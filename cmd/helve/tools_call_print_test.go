package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/tool"
)

// drawn is an artifact with something for people, which its own JSON does not hold.
type drawn struct {
	Path string `json:"path"`
	More any    `json:"more,omitempty"`
}

func (drawn) Attachments() []message.Part {
	return []message.Part{message.File{Name: "a.svg", Data: []byte("<svg/>"), MediaType: "image/svg+xml"}}
}

func TestCalledTool(t *testing.T) {
	t.Parallel()
	svg := []shownPart{{Type: "file", Name: "a.svg", MediaType: "image/svg+xml", Size: 6, Data: []byte("<svg/>")}}
	photo := []message.Part{message.Text("a cat "), message.Image{URL: "https://example.org/a.png"}}
	for _, tt := range []struct {
		name   string
		result tool.Result
		want   calledTool
		lost   string
	}{
		{"text alone", tool.Text("4"), calledTool{Content: "4"}, ""},
		{"nothing", tool.Result{}, calledTool{}, ""},
		{"a link", tool.Result{Content: photo}, calledTool{
			Content: "a cat [image https://example.org/a.png]",
			Parts:   []shownPart{{Type: "text", Size: 6, Text: "a cat "}, {Type: "image", URL: "https://example.org/a.png"}},
		}, ""},
		{"what is for people", tool.Result{Artifact: drawn{Path: "<a>"}}, calledTool{Attachments: svg, Artifact: []byte(`{"path":"<a>"}`)}, ""},
		{"no JSON form", tool.Result{Artifact: drawn{More: make(chan bool)}}, calledTool{Attachments: svg}, "no JSON form and is left out"},
	} {
		tt.want.Name = "draw"
		got, err := newCalledTool("draw", tt.result, 0)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if (err != nil) != (tt.lost != "") || err != nil && !strings.Contains(err.Error(), tt.lost) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.lost)
		}
	}
}
