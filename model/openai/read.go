package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"helve/model"
)

const (
	maxBody = maxLine  // bytes of an answer that is not streamed
	maxText = 16 << 20 // bytes of text and reasoning in one answer: who asks keeps them
)

// read reads a successful response. It looks at the body rather than trust the
// content type: servers answer without a stream although asked, send a stream
// as JSON, and send a web page as an answer.
func (c *Client) read(resp *http.Response, a *answer) error {
	r := bufio.NewReader(resp.Body)
	switch first, err := firstByte(r); {
	case err != nil:
		return cutOff(err)
	case first == '{':
		return c.readWhole(r, a)
	case isStream(resp, r):
		if err := c.readStream(r, a); err != nil {
			return err
		}
		drain(resp.Body)
		return nil
	default:
		body, err := io.ReadAll(io.LimitReader(r, maxErrorBody))
		if err != nil {
			return cutOff(err)
		}
		return c.notAnAnswer(resp, body)
	}
}

// firstByte returns the first byte that says something, without taking it.
func firstByte(r *bufio.Reader) (byte, error) {
	if bom, err := r.Peek(3); err == nil && string(bom) == "\ufeff" {
		r.Discard(3)
	}
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			return b, r.UnreadByte()
		}
	}
}

func isStream(resp *http.Response, r *bufio.Reader) bool {
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return true
	}
	head, _ := r.Peek(len("event:"))
	for _, field := range []string{"data:", "event:", "id:", ":"} {
		if bytes.HasPrefix(head, []byte(field)) {
			return true
		}
	}
	return false
}

// drain reads what little follows the end of a stream, so that the connection
// can be used again. A server that keeps the stream open does not hold it up.
func drain(body io.ReadCloser) {
	timer := time.AfterFunc(50*time.Millisecond, func() { body.Close() })
	defer timer.Stop()
	io.Copy(io.Discard, io.LimitReader(body, 4<<10))
}

func (c *Client) readWhole(r io.Reader, a *answer) error {
	body, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if err != nil {
		return cutOff(err)
	}
	if len(body) > maxBody {
		return &LimitError{"bytes in one answer", maxBody}
	}
	if err := c.add(a, body); err != nil {
		return err
	}
	return a.end()
}

func (c *Client) readStream(r *bufio.Reader, a *answer) error {
	stream := events{r: r}
	for {
		kind, data, err := stream.next()
		var limit *LimitError
		switch {
		case errors.As(err, &limit):
			return err
		case err != nil && a.reason != "":
			return a.end() // the end of the stream is missing, but not that of the answer
		case err != nil:
			return cutOff(err)
		case string(bytes.TrimSpace(data)) == "[DONE]":
			return a.end()
		case kind == "error":
			return c.streamError(data)
		case len(data) == 0:
			continue
		}
		if err := c.add(a, data); err != nil {
			return err
		}
	}
}

// cutOff is the error of an answer that stops before its end.
func cutOff(err error) error {
	if err == io.EOF {
		return fmt.Errorf("openai: %w: the server closed the connection", model.ErrIncomplete)
	}
	return fmt.Errorf("openai: %w: %w", model.ErrIncomplete, err)
}

// add takes one JSON value of the server's.
func (c *Client) add(a *answer, data []byte) error {
	var ch chunk
	if err := json.Unmarshal(data, &ch); err != nil {
		if isCut(data) {
			return cutOff(io.ErrUnexpectedEOF)
		}
		return fmt.Errorf("openai: the server sent what is not a chat completion: %w: %s",
			err, oneLine(c.redact(data)))
	}
	if ch.isError() {
		return c.streamError(data)
	}
	return a.add(&ch)
}

// isCut reports whether data is the head of a JSON value.
func isCut(data []byte) bool {
	var value json.RawMessage
	return json.NewDecoder(bytes.NewReader(data)).Decode(&value) == io.ErrUnexpectedEOF
}
