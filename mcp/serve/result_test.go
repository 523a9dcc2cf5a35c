package serve

import (
	"bytes"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/message"
)

// TestSmallIsNotKept sends what travels in the result: nothing of it takes the room of
// what is to be fetched, and what has one name has two addresses.
func TestSmallIsNotKept(t *testing.T) {
	t.Parallel()
	s := quietServer()
	defer s.Close()
	small := message.File{Name: "a b.csv", MediaType: "text/csv", Data: []byte("1,2")}
	content := s.parts([]message.Part{message.Image{Data: []byte("x")}, message.Audio{Data: []byte("x")}, small, small})
	if s.kept.bytes != 0 {
		t.Errorf("%d bytes are kept", s.kept.bytes)
	}
	var uris []string
	for _, c := range content[2:] {
		r := c.(*sdk.EmbeddedResource).Resource
		if string(r.Blob) != "1,2" || r.MIMEType != "text/csv" || !strings.HasSuffix(r.URI, "/a%20b.csv") {
			t.Errorf("%+v", r)
		}
		uris = append(uris, r.URI)
	}
	if uris[0] == uris[1] {
		t.Error("two files have one address")
	}
}

// TestMedia sends each kind of media as itself, as what is fetched elsewhere, and as
// what is fetched here.
func TestMedia(t *testing.T) {
	t.Parallel()
	s := quietServer()
	defer s.Close()
	large := bytes.Repeat([]byte("x"), mostMedia+1)
	for _, test := range []struct {
		name                  string
		inline, url, tooLarge message.Part
	}{
		{"image", message.Image{Data: []byte("x"), MediaType: "a/b"}, message.Image{URL: "https://x/", MediaType: "a/b"}, message.Image{Data: large, MediaType: "a/b"}},
		{"audio", message.Audio{Data: []byte("x"), MediaType: "a/b"}, message.Audio{URL: "https://x/", MediaType: "a/b"}, message.Audio{Data: large, MediaType: "a/b"}},
		{"file", message.File{Data: []byte("x"), MediaType: "a/b"}, message.File{URL: "https://x/", MediaType: "a/b"}, message.File{Data: large, MediaType: "a/b"}},
	} {
		content := s.parts([]message.Part{test.inline, test.url, test.tooLarge})
		var mediaType string
		switch c := content[0].(type) {
		case *sdk.ImageContent:
			mediaType = "image " + c.MIMEType
		case *sdk.AudioContent:
			mediaType = "audio " + c.MIMEType
		case *sdk.EmbeddedResource:
			mediaType = "file " + c.Resource.MIMEType
		}
		if mediaType != test.name+" a/b" {
			t.Errorf("%s: %T %s", test.name, content[0], mediaType)
		}
		if l, ok := content[1].(*sdk.ResourceLink); !ok || l.URI != "https://x/" || l.Name != test.name || l.MIMEType != "a/b" {
			t.Errorf("%s elsewhere: %+v", test.name, content[1])
		}
		if l, ok := content[2].(*sdk.ResourceLink); !ok || !strings.HasPrefix(l.URI, artifactAddress) || l.Name != test.name || *l.Size != int64(len(large)) {
			t.Errorf("%s to fetch here: %+v", test.name, content[2])
		}
	}
}
