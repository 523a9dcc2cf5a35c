package httpbody

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"helve/message"
)

func response(contentType string, body io.Reader) *http.Response {
	r := &http.Response{Header: http.Header{}, Body: io.NopCloser(body)}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, contentType, body, kind, want string }{
		{"UTF-8", "text/plain; charset=utf-8", "café", "text/plain", "café"},
		{"no charset", "text/plain", "café", "text/plain", "café"},
		{"no type", "", "hello", "text/plain", "hello"},
		{"Latin 1", "text/plain; charset=iso-8859-1", "caf\xe9", "text/plain", "café"},
		{"GBK", "application/json; charset=GBK", "\xc4\xe3\xba\xc3", "application/json", "你好"},
		{"Shift JIS", "text/plain; charset=Shift_JIS", "\x82\xa0", "text/plain", "あ"},
		{"UTF-16 with a mark", "text/plain; charset=utf-16", "\xff\xfeh\x00i\x00", "text/plain", "hi"},
		{"a mark of UTF-8", "application/json", "\xef\xbb\xbf{}", "application/json", "{}"},
		{"says UTF-8 and is not", "text/plain; charset=utf-8", "caf\xe9", "text/plain", "caf\uFFFD"},
		{"a page that names its own", "text/html", "<meta charset=windows-1252>caf\xe9", "text/html", "<meta charset=windows-1252>café"},
		{"unknown charset", "text/plain; charset=klingon", "caf\xe9", "text/plain", "caf\uFFFD"},
		{"the charset that replaces all", "text/plain; charset=iso-2022-kr", "hello", "text/plain", "hello"},
		{"parameters that are broken", "text/plain; charset", "caf\xe9", "text/plain", "caf\uFFFD"},
		{"no media type at all", ";;;", "x", "application/octet-stream", "x"},
	} {
		b, err := Read(response(test.contentType, strings.NewReader(test.body)), 1000)
		if err != nil || b.MediaType != test.kind || b.Text() != test.want || b.Cut {
			t.Errorf("%s: got %q %q, cut %v, %v", test.name, b.MediaType, b.Text(), b.Cut, err)
		}
	}
}

func TestReadCuts(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]string{8: "aé日", 7: "aé日", 6: "aé日", 5: "aé", 3: "aé", 2: "a", 0: ""} {
		b, err := Read(response("text/plain", strings.NewReader("aé日")), limit)
		if err != nil || b.Text() != want || b.Cut != (limit < 6) {
			t.Errorf("%d bytes: got %q, cut %v, %v", limit, b.Text(), b.Cut, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Read(response("text/plain", iotest.ErrReader(broken)), 10); err != broken {
		t.Errorf("got %v", err)
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	type kinds struct{ Text, JSON, HTML bool }
	for contentType, want := range map[string]kinds{
		"application/json":                {Text: true, JSON: true},
		"Application/Problem+JSON; a=b":   {Text: true, JSON: true},
		"text/html; charset=utf-8":        {Text: true, HTML: true},
		"application/xhtml+xml":           {Text: true, HTML: true},
		"application/x-ndjson":            {Text: true},
		"image/svg+xml":                   {Text: true},
		"application/zip":                 {},
		"application/vnd.ms-excel; x=y;z": {},
	} {
		b, err := Read(response(contentType, strings.NewReader("x")), 10)
		if got := (kinds{b.IsText(), b.IsJSON(), b.IsHTML()}); err != nil || got != want {
			t.Errorf("%s: got %+v, want %+v, %v", contentType, got, want, err)
		}
	}
}

func TestPart(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]message.Part{
		"image/png":       message.Image{Data: []byte("x"), MediaType: "image/png"},
		"application/pdf": message.File{Data: []byte("x"), MediaType: "application/pdf"},
		"image/tiff":      nil,
		"text/plain":      nil,
	} {
		b, err := Read(response(contentType, strings.NewReader("x")), 10)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := b.Part()
		if diff := cmp.Diff(want, got); diff != "" || ok != (want != nil) {
			t.Errorf("%s: %v (-want +got):\n%s", contentType, ok, diff)
		}
	}
}

// Whatever a server sends, the text is valid UTF-8 and bounded by what was read,
// and it is the body itself where that is valid and names no other encoding.
func FuzzText(f *testing.F) {
	f.Add("text/plain; charset=gbk", []byte("\xc4\xe3\xff"), 2)
	f.Add("text/html", []byte("<meta charset=utf-16>x"), 100)
	f.Add("application/json", []byte("\xef\xbb\xbf{}"), 5)
	f.Fuzz(func(t *testing.T, contentType string, data []byte, limit int) {
		limit = max(0, min(limit, 1<<16))
		b, err := Read(response(contentType, strings.NewReader(string(data))), int64(limit))
		if err != nil {
			t.Fatal(err)
		}
		text := b.Text()
		if !utf8.ValidString(text) {
			t.Errorf("%q is not UTF-8", text)
		}
		if len(b.Data) > limit || len(text) > 4*limit+4 {
			t.Errorf("%d bytes became %d of data and %d of text", limit, len(b.Data), len(text))
		}
		if plain := !strings.Contains(contentType, "charset"); plain && !b.Cut && utf8.Valid(data) && text != strings.TrimPrefix(string(data), "\uFEFF") {
			t.Errorf("%q became %q", data, text)
		}
	})
}
