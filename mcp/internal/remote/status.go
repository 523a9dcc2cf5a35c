package remote

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/net/html"

	"helve/internal/excerpt"
	"helve/internal/httpbody"
)

const (
	maxErrorBody = 1 << 20 // bytes of a refused answer that may be a JSON-RPC error
	maxShown     = 4 << 10 // bytes of it that are looked at for people
	maxExcerpt   = 300     // bytes of it that people see
)

// StatusError is an answer that refuses, or that is none.
type StatusError struct {
	Status     int           // 200 where the body is wrong
	Problem    string        // what is wrong with a body that came with 200
	Body       string        // short text of it, "" where there was none
	Code       int           // of a JSON-RPC error in it
	Scheme     string        // of WWW-Authenticate, such as bearer
	AuthError  string        // error of WWW-Authenticate, such as invalid_token
	RetryAfter time.Duration // 0 where the server did not say
	Session    bool          // the request named a session
	HTML       bool          // the body is a web page
	Forbidden  bool          // 403 to a request that showed who asks
}

func (e *StatusError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the server answered %d %s", e.Status, http.StatusText(e.Status))
	if e.Problem != "" {
		fmt.Fprintf(&b, " %s", e.Problem)
	}
	if e.Scheme != "" {
		fmt.Fprintf(&b, " (WWW-Authenticate: %s)", strings.TrimSpace(e.Scheme+" "+e.AuthError))
	}
	if e.Body != "" {
		fmt.Fprintf(&b, ": %s", e.Body)
	}
	return b.String()
}

// NeedsAuth says whether somebody must log in, or the key is wrong. A 403 to nobody in
// particular is about something else, such as the host.
func (e *StatusError) NeedsAuth() bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden && (e.Forbidden || e.Scheme != "")
}

// SessionGone says whether the server knows the session no more. The protocol says
// 404, which some servers also give for a method that they don't have; the reference
// servers in TypeScript say 400, and name the session. The SDK is told 404 in any
// case, so that it returns ErrSessionMissing.
func (e *StatusError) SessionGone() bool {
	switch {
	case !e.Session:
		return false
	case e.Status == http.StatusNotFound:
		return e.Code != jsonrpc.CodeMethodNotFound
	}
	return e.Status == http.StatusBadRequest && strings.Contains(strings.ToLower(e.Body), "session")
}

// notRun says whether a server that answers so did not act on the request.
func (e *StatusError) notRun() bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusTooManyRequests:
		return true
	case http.StatusServiceUnavailable:
		return e.RetryAfter > 0
	}
	return e.SessionGone()
}

// transient says whether the same request may be answered another time.
func transient(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500
}

// readRefusal reads what a refused answer says and puts back what was read, so that
// the SDK can read it too. The body of an event stream is left alone: it may never
// end.
func (r *Remote) readRefusal(req *http.Request, response *http.Response) (*StatusError, []byte) {
	e := &StatusError{
		Status:     response.StatusCode,
		RetryAfter: retryAfter(response.Header),
		Session:    req.Header.Get("Mcp-Session-Id") != "",
	}
	e.Forbidden = e.Status == http.StatusForbidden && r.withConfigured(req.Header).Get("Authorization") != ""
	e.Scheme, e.AuthError = challenge(response.Header)
	e.AuthError = excerpt.Of(r.redact(e.AuthError, req), 100)
	if isEventStream(response) {
		return e, nil
	}
	data, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorBody))
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(data))
	r.describe(e, req, response.Header, data)
	return e, data
}

// describe fills what the body says to people. It cuts last: half a secret is one.
func (r *Remote) describe(e *StatusError, req *http.Request, header http.Header, data []byte) {
	body, err := httpbody.Read(&http.Response{Header: header, Body: io.NopCloser(bytes.NewReader(data))}, maxShown)
	if err != nil || len(bytes.TrimSpace(body.Data)) == 0 {
		return
	}
	switch {
	case looksLikeJSON(data):
		message, code := messageOf(data)
		e.Body, e.Code = cmp.Or(message, body.Text()), code
	case body.IsHTML():
		e.HTML = true
		e.Body = cmp.Or(title(body.Text()), "a web page")
	case body.IsText():
		e.Body = body.Text()
	default:
		e.Body = "data of the type " + body.MediaType
	}
	e.Body = excerpt.Of(r.redact(plainText(e.Body), req), maxExcerpt)
}

// plainText is one line without what could move a terminal's cursor.
func plainText(text string) string {
	text = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// messageOf is what a JSON body says to people, in the places where servers put it,
// and the code of a JSON-RPC error.
func messageOf(data []byte) (string, int) {
	var b struct {
		Error       json.RawMessage `json:"error"`
		Description string          `json:"error_description"`
		Message     string          `json:"message"`
		Detail      string          `json:"detail"`
	}
	_ = json.Unmarshal(data, &b) // what has another type says nothing
	var rpc struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	_ = json.Unmarshal(b.Error, &rpc)
	var text string
	_ = json.Unmarshal(b.Error, &text)
	return cmp.Or(rpc.Message, b.Description, b.Message, b.Detail, text), rpc.Code
}

// title is the text of a page's title.
func title(page string) string {
	tokens := html.NewTokenizer(strings.NewReader(page))
	inTitle := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken:
			name, _ := tokens.TagName()
			inTitle = string(name) == "title"
		case html.TextToken:
			if inTitle {
				return "a web page, " + strconv.Quote(plainText(string(tokens.Text())))
			}
		}
	}
}

func challenge(h http.Header) (scheme, reason string) {
	values := h.Values("WWW-Authenticate")
	if len(values) == 0 {
		return "", ""
	}
	challenges, err := oauthex.ParseWWWAuthenticate(values)
	if err != nil || len(challenges) == 0 {
		return "", ""
	}
	c := challenges[0]
	for _, other := range challenges {
		if other.Scheme == "bearer" {
			c = other
		}
	}
	return excerpt.Of(plainText(c.Scheme), 50), plainText(c.Params["error"])
}

func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), 86400)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), time.Second)
	}
	return 0
}

func mediaType(h http.Header) string {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil && kind == "" {
		return ""
	}
	return kind
}

func isEventStream(response *http.Response) bool {
	switch response.Header.Get("Content-Type") {
	case "application/json": // as most say, and reading it costs more
		return false
	case "text/event-stream":
		return true
	}
	return mediaType(response.Header) == "text/event-stream"
}

func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// secretsOf are the values that nobody may see, though a server may repeat them.
func secretsOf(header http.Header, u *url.URL) []string {
	var found []string
	for _, values := range header {
		for _, value := range values {
			found = append(found, value)
			if _, key, ok := strings.Cut(value, " "); ok {
				found = append(found, key) // of Bearer and the like
			}
		}
	}
	for _, values := range u.Query() {
		found = append(found, values...)
	}
	return found
}

// redact takes the credentials of req out of what a server said. Short ones are no
// secrets, and may be words.
func (r *Remote) redact(text string, req *http.Request) string {
	secrets := r.secrets
	if _, token, ok := strings.Cut(req.Header.Get("Authorization"), " "); ok {
		secrets = append(secrets[:len(secrets):len(secrets)], token)
	}
	for _, s := range secrets {
		if len(s) >= 6 {
			text = strings.ReplaceAll(text, s, "[secret]")
		}
	}
	return text
}
