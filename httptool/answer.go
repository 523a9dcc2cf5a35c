package httptool

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"helve/internal/excerpt"
	"helve/internal/httpbody"
	"helve/internal/jsonobject"
	"helve/message"
	"helve/tool"
)

// Answer is what the server sent, for the host: the artifact of a call, also of
// one that failed with a status. The body is whole up to 10 MiB. Cookies are left
// out.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// MarshalJSON writes {"status", "header", "body"}; the body is text, or base64 in
// "data" where it is none.
func (a Answer) MarshalJSON() ([]byte, error) {
	out := map[string]any{"status": a.Status, "header": a.Header}
	if text := strings.ToValidUTF8(string(a.Body), ""); len(text) == len(a.Body) {
		out["body"] = text
	} else {
		out["data"] = a.Body
	}
	return json.Marshal(out)
}

func newAnswer(response *http.Response, body httpbody.Body) Answer {
	header := response.Header.Clone()
	header.Del("Set-Cookie")
	return Answer{response.StatusCode, header, body.Data}
}

// pageBytes is how much of the words of a web page the model gets. An API that
// answers with a page nearly always has an error or a login on it.
const pageBytes = 4000

// presenter makes what the model reads of a good answer.
type presenter struct {
	selection selection
	maxBytes  int
}

func (p presenter) present(response *http.Response, body httpbody.Body) ([]message.Part, error) {
	part, isPart := body.Part()
	switch {
	case len(body.Data) == 0:
		return text("The server answered %s, with an empty body.", statusText(response.StatusCode)), nil
	case body.IsHTML():
		words := pageText(body.Text())
		if !p.selection.none() {
			return nil, &tool.Error{Kind: tool.KindExecution, Message: "the server answered with a web page, not with JSON", Detail: map[string]any{"body": excerpt.Of(words, errorBytes)}}
		}
		return text("[The server answered with a web page. Its words:]\n%s", p.cut(words, min(p.maxBytes, pageBytes))), nil
	case body.IsText():
		return p.presentText(body)
	case body.Cut:
		return nil, &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf("the answer is %s of more than %d bytes: too large", body.MediaType, maxRead)}
	case isPart:
		return []message.Part{part}, nil
	}
	return text("The server answered %s with %s of %d bytes, which can't be shown here.", statusText(response.StatusCode), body.MediaType, len(body.Data)), nil
}

func (p presenter) presentText(body httpbody.Body) ([]message.Part, error) {
	content := body.Text()
	if p.selection.none() {
		if !body.IsJSON() {
			return text("%s", p.cutBody(content, body.Cut)), nil
		}
		if !body.Cut && !json.Valid([]byte(content)) {
			return text("[The server calls this JSON, and it is not.]\n%s", p.cut(content, p.maxBytes)), nil
		}
		return text("%s", p.cutBody(string(jsonobject.Compact([]byte(content))), body.Cut)), nil
	}
	if body.Cut {
		return nil, &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf("the answer is longer than %d bytes: ask for less", maxRead)}
	}
	selected, err := p.selection.of([]byte(content))
	if err != nil {
		return nil, &tool.Error{
			Kind:    tool.KindExecution,
			Message: fmt.Sprintf("the answer is not as expected: %s: %v", orDefault(p.selection.text, "$"), err),
			Detail:  map[string]any{"body": readable(body, errorBytes)},
			Err:     err,
		}
	}
	return text("%s", p.cut(string(selected), p.maxBytes)), nil
}

// cut shortens content and says so.
func (p presenter) cut(content string, most int) string {
	head := excerpt.Head(content, most)
	if len(head) == len(content) {
		return content
	}
	return fmt.Sprintf("%s\n[cut here: the first %d of %d bytes]", head, len(head), len(content))
}

func (p presenter) cutBody(content string, more bool) string {
	if !more {
		return p.cut(content, p.maxBytes)
	}
	head := excerpt.Head(content, p.maxBytes)
	return fmt.Sprintf("%s\n[cut here: the first %d bytes of more than %d]", head, len(head), maxRead)
}

func text(format string, args ...any) []message.Part {
	return []message.Part{message.Text(fmt.Sprintf(format, args...))}
}
