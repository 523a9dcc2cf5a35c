package dataanalysis

import (
	"testing"

	"helve/message"
)

// TestAttachments has the picture leave the host that no model can see, and no other.
func TestAttachments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		saved Saved
		want  string
	}{
		{Saved{Path: "a/b.svg", MediaType: "image/svg+xml", Data: []byte("<svg/>")}, "b.svg"},
		{Saved{MediaType: "image/svg+xml", Data: []byte("<svg/>")}, "plot.svg"},
		{Saved{Path: "a.png", MediaType: "image/png", Data: []byte{1}}, ""},
		{Saved{Path: "a.xlsx", MediaType: mediaTypeOf("a.xlsx")}, ""},
	} {
		got := ""
		for _, p := range test.saved.Attachments() {
			got += p.(message.File).Name
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.saved, got, test.want)
		}
	}
}
