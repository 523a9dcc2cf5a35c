// Package httpbody reads what a server answered into something a model can be
// given: bounded, of a known kind, and as valid text.
package httpbody

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"helve/internal/excerpt"
	"helve/message"
)

// Body is the body of an answer.
type Body struct {
	Data      []byte // after decompression; whole characters where it was cut
	Cut       bool   // there was more
	MediaType string // in lower case, without parameters

	contentType string // as the server wrote it
}

// Read reads at most limit bytes of response's body, counted after
// decompression, so that a small answer can't become a large one. It does not
// close the body.
func Read(response *http.Response, limit int64) (Body, error) {
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return Body{}, err
	}
	b := Body{Data: data, contentType: response.Header.Get("Content-Type")}
	if int64(len(data)) > limit {
		b.Data, b.Cut = data[:len(excerpt.Head(string(data), int(limit)))], true
	}
	b.MediaType = mediaType(b.contentType, b.Data)
	return b, nil
}

// mediaType is what the server says, and where it says nothing what the bytes
// look like.
func mediaType(declared string, body []byte) string {
	if declared == "" {
		declared = http.DetectContentType(body)
	}
	kind, _, err := mime.ParseMediaType(declared)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return "application/octet-stream"
	}
	return kind
}

// IsText says whether the body is text a model can read.
func (b Body) IsText() bool {
	if strings.HasPrefix(b.MediaType, "text/") || b.IsJSON() || strings.HasSuffix(b.MediaType, "+xml") || strings.HasSuffix(b.MediaType, "+yaml") {
		return true
	}
	switch b.MediaType {
	case "application/x-ndjson", "application/jsonl", "application/xml", "application/yaml",
		"application/x-yaml", "application/toml", "application/javascript", "application/x-javascript",
		"application/ecmascript", "application/sql", "application/x-sh", "application/x-www-form-urlencoded":
		return true
	}
	return false
}

// IsJSON says whether the server calls the body JSON.
func (b Body) IsJSON() bool {
	return b.MediaType == "application/json" || b.MediaType == "text/json" || strings.HasSuffix(b.MediaType, "+json")
}

// IsHTML says whether the server calls the body a web page.
func (b Body) IsHTML() bool {
	return b.MediaType == "text/html" || b.MediaType == "application/xhtml+xml"
}

// Text is the body in UTF-8, from the character set that the server names. What
// can't be read in it is U+FFFD: no provider takes anything else.
func (b Body) Text() string {
	data := b.Data
	if e := b.encoding(); e != nil {
		if decoded, err := e.NewDecoder().Bytes(data); err == nil {
			data = decoded
		}
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), "\uFEFF"), "\uFFFD")
}

// encoding is nil for UTF-8 and for a name that nobody knows.
func (b Body) encoding() encoding.Encoding {
	if b.IsHTML() && !utf8.Valid(b.Data) { // a page may name its encoding inside
		e, _, _ := charset.DetermineEncoding(b.Data, b.contentType)
		return e
	}
	_, parameters, err := mime.ParseMediaType(b.contentType)
	if err != nil {
		return nil
	}
	e, name := charset.Lookup(parameters["charset"])
	if name == "utf-8" || name == "replacement" {
		return nil
	}
	return e
}

// Part is the body as a part of a message where models take it as one: a PNG,
// JPEG, GIF or WebP image, and a PDF.
func (b Body) Part() (message.Part, bool) {
	switch b.MediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return message.Image{Data: b.Data, MediaType: b.MediaType}, true
	case "application/pdf":
		return message.File{Data: b.Data, MediaType: b.MediaType}, true
	}
	return nil, false
}
