package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"helve/internal/excerpt"
	"helve/model"
)

const (
	maxErrorBody = 64 << 10 // bytes of an error that are read
	maxExcerpt   = 300      // bytes of it that are shown
)

// connectionError says that no answer came. It keeps what the network said and
// leaves out the address that [url.Error] shows: it may hold a secret.
func (c *Client) connectionError(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return fmt.Errorf("openai: no answer from %s: %w (is the server running, and is the base URL right?)",
		c.endpoint.Host, err)
}

// statusError reads a response whose status is an error.
func (c *Client) statusError(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // half an error is better than none
	body = c.redact(body)
	e := c.apiError(body)
	if e == nil {
		e = c.notAnAnswer(resp, body)
	}
	e.Status = resp.StatusCode
	e.RetryAfter = retryAfter(resp.Header, time.Now())
	switch {
	case e.Status != http.StatusUnauthorized && e.Status != http.StatusForbidden:
	case c.config.APIKey == "":
		e.Message += " (no API key was sent: set OPENAI_API_KEY)"
	default:
		e.Message += " (check OPENAI_API_KEY)"
	}
	return e
}

// streamError is the error that a server sends where an answer should be, after
// a status that says all is well.
func (c *Client) streamError(data []byte) error {
	data = c.redact(data)
	e := c.apiError(data)
	if e == nil {
		return &model.APIError{Provider: c.config.Provider, Message: oneLine(data)}
	}
	// OpenRouter and others give the status it would have been as the code.
	if status, err := strconv.Atoi(e.Code); err == nil && status >= 400 && status <= 599 {
		e.Status = status
	}
	return e
}

// notAnAnswer is the error for a body that no such API sends, nearly always
// because it is another server's.
func (c *Client) notAnAnswer(resp *http.Response, body []byte) *model.APIError {
	kind := resp.Header.Get("Content-Type")
	if kind == "" {
		kind = "no content type"
	}
	base := url.URL{Scheme: c.endpoint.Scheme, Host: c.endpoint.Host, Path: strings.TrimSuffix(c.endpoint.Path, "/chat/completions")}
	return &model.APIError{
		Provider: c.config.Provider,
		Status:   resp.StatusCode,
		Message: fmt.Sprintf("the server sent %s and not an API's answer: check the base URL %s: %s",
			kind, base.String(), oneLine(c.redact(body))),
	}
}

// wireError is the error in its many forms:
//
//	{"error":{"message":"…","type":"…","code":"…"}}     OpenAI
//	{"error":"…"}                                       Ollama
//	{"object":"error","message":"…","code":400}         vLLM
//	{"detail":"…"} or {"detail":[{"msg":"…"}]}          FastAPI
//	[{"error":{…}}]                                     Gemini
type wireError struct {
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"`
	Type    json.RawMessage `json:"type"`
	Code    json.RawMessage `json:"code"`
	Detail  json.RawMessage `json:"detail"`
}

// apiError reads an error's body. It is nil where the body says nothing.
func (c *Client) apiError(body []byte) *model.APIError {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var e wireError
	if json.Unmarshal(body, &e) != nil {
		return nil
	}
	if present(e.Error) {
		if e.Error[0] == '{' {
			e.Message = nil
			_ = json.Unmarshal(e.Error, &e) // it is valid, and raw fields take any value
		} else {
			e.Message = e.Error
		}
	}
	message := e.Message
	if !present(message) {
		message = e.Detail
	}
	if !present(message) {
		return nil
	}
	return &model.APIError{
		Provider: c.config.Provider,
		Type:     plain(e.Type),
		Code:     plain(e.Code),
		Message:  oneLine([]byte(plain(message))),
	}
}

// isError reports whether the server sent an error in place of a chunk.
func (ch *chunk) isError() bool { return present(ch.Error) || ch.Object == "error" }

func present(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != `""`
}

// plain returns a JSON string's text, and any other value as it is written.
func plain(raw json.RawMessage) string {
	if !present(raw) {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// retryAfter reads the header of RFC 9110, section 10.2.3, and OpenAI's own in
// milliseconds.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// seconds is at most a day: a larger number would overflow, and means nothing.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, 24*60*60) * float64(time.Second))
}

// redact takes the key out of what a server said, before anything is cut: half a
// key is a secret too. A word that is too short for a key, such as the "none" that
// local servers are given, is left alone.
func (c *Client) redact(said []byte) []byte {
	if key := c.config.APIKey; len(key) >= 8 {
		return bytes.ReplaceAll(said, []byte(key), []byte("[key]"))
	}
	return said
}

// oneLine is the head of text in one line.
func oneLine(text []byte) string {
	line := string(bytes.Join(bytes.Fields(text[:min(len(text), 4*maxExcerpt)]), []byte(" ")))
	return strings.ToValidUTF8(excerpt.Of(line, maxExcerpt), "")
}
