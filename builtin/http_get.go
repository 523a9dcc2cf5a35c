package builtin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"helve/message"
	"helve/tool"
)

const (
	httpTimeout  = 20 * time.Second
	maxBody      = 1 << 20 // bytes of a body, after decompression
	maxErrorBody = 1000    // bytes of the body of an answer such as 404
	maxRedirects = 5
)

type httpGetInput struct {
	URL string `json:"url" jsonschema:"example=https://example.com/data.json" jsonschema_description:"The whole URL, such as https://example.com/data.json."`
}

// HTTPGet returns the tool http_get: it fetches one URL that policy allows and
// gives the model the body. Text comes as text, cut at 1 MiB with a note; a PNG,
// JPEG, GIF or WebP image and a PDF come as parts; anything else is an error, as
// is a status other than 2xx.
//
// It sends no cookies and no credentials, and follows at most 5 redirects, each
// checked as the first URL was. It does not use a proxy from the environment: a
// proxy would make the connection itself, past the check of the address. A call
// takes 20 seconds at most.
//
// The error is for a policy with a host that is none.
func HTTPGet(policy HTTPPolicy) (tool.Tool, error) {
	if err := policy.validate(); err != nil {
		return nil, err
	}
	get := &httpGetter{policy, newHTTPClient(policy)}
	return tool.New("http_get",
		"Fetch a web page or a file by HTTP GET and return its content. Works for these hosts only: "+hostList(policy.Hosts)+".",
		get.call, tool.ReadOnly(), tool.Idempotent(), tool.Timeout(httpTimeout+time.Second))
}

func hostList(hosts []string) string {
	switch {
	case len(hosts) == 0:
		return "none"
	case len(hosts) > 20:
		return strings.Join(hosts[:20], ", ") + " and others"
	}
	return strings.Join(hosts, ", ")
}

// newHTTPClient keeps no idle connections: the tool has no Close, and a model
// asks seldom.
func newHTTPClient(policy HTTPPolicy) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: policy.checkDial}
	return &http.Client{
		Timeout: httpTimeout,
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            dialer.DialContext,
			ForceAttemptHTTP2:      true,
			DisableKeepAlives:      true,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("more than %d redirects", maxRedirects)
			}
			req.Header.Del("Referer") // the first URL is not the next server's business
			return policy.checkURL(req.URL)
		},
	}
}

type httpGetter struct {
	policy HTTPPolicy
	client *http.Client
}

func (g *httpGetter) call(ctx context.Context, in httpGetInput) (tool.Result, error) {
	u, err := url.Parse(in.URL)
	if err != nil {
		return tool.Result{}, fmt.Errorf("http_get: not a URL: %w", withoutURL(err))
	}
	if err := g.policy.checkURL(u); err != nil {
		return tool.Result{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return tool.Result{}, fmt.Errorf("http_get: %w", withoutURL(err))
	}
	request.Header.Set("User-Agent", "helve")
	response, err := g.client.Do(request)
	if err != nil {
		return tool.Result{}, requestError(u, err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return tool.Result{}, statusError(response)
	}
	body, err := readBody(response.Body, maxBody)
	if err != nil {
		return tool.Result{}, requestError(u, err)
	}
	return body.result(response)
}

// requestError keeps the kind of an error of ours and leaves out the URL's
// query, which may hold a key.
func requestError(u *url.URL, err error) error {
	var ours *tool.Error
	if errors.As(err, &ours) {
		return ours
	}
	err = withoutURL(err)
	if errors.Is(err, context.Canceled) {
		return err
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &tool.Error{Kind: tool.KindTimeout, Message: "http_get: " + place(u) + " took too long to answer", Err: err, Retryable: true}
	}
	return &tool.Error{Kind: tool.KindUnavailable, Message: fmt.Sprintf("http_get: %s: %v", place(u), err), Err: err, Retryable: true}
}

func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// place is u without its query, and short.
func place(u *url.URL) string {
	return fmt.Sprintf("%.200s", u.Scheme+"://"+u.Host+u.EscapedPath())
}

// statusError gives the model the start of the body too, which often says what
// is wrong.
func statusError(response *http.Response) error {
	e := &tool.Error{
		Kind:    tool.KindExecution,
		Message: fmt.Sprintf("http_get: %s answered %s", place(response.Request.URL), response.Status),
	}
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500 {
		e.Kind, e.Retryable = tool.KindUnavailable, true
	}
	if body, err := readBody(response.Body, maxErrorBody); err == nil && isText(mediaType(response, body.data)) && len(body.data) > 0 {
		e.Detail = map[string]any{"body": validText(body.data)}
	}
	return e
}

type httpBody struct {
	data []byte
	cut  bool
}

func readBody(r io.Reader, limit int64) (httpBody, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return httpBody{}, err
	}
	if int64(len(data)) > limit {
		return httpBody{wholeRunes(data[:limit]), true}, nil
	}
	return httpBody{data, false}, nil
}

func (b httpBody) result(response *http.Response) (tool.Result, error) {
	kind := mediaType(response, b.data)
	if isText(kind) {
		return b.text(response), nil
	}
	where := place(response.Request.URL)
	if b.cut {
		return tool.Result{}, fmt.Errorf("http_get: %s is %s of more than %d bytes: too large", where, kind, maxBody)
	}
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return tool.Result{Content: []message.Part{message.Image{Data: b.data, MediaType: kind}}}, nil
	case "application/pdf":
		return tool.Result{Content: []message.Part{message.File{Data: b.data, MediaType: kind}}}, nil
	}
	return tool.Result{}, fmt.Errorf("http_get: %s is %s: only text, PNG, JPEG, GIF and WebP images, and PDF can be returned", where, kind)
}

func (b httpBody) text(response *http.Response) tool.Result {
	result := tool.Text(validText(b.data))
	if b.cut {
		note := fmt.Sprintf("\n[cut here: the first %d bytes of a longer body]", len(b.data))
		if n := response.ContentLength; n > 0 {
			note = fmt.Sprintf("\n[cut here: the first %d of %d bytes]", len(b.data), n)
		}
		result.Content = append(result.Content, message.Text(note))
	}
	return result
}

// mediaType is what the server says, and where it says nothing what the bytes
// look like.
func mediaType(response *http.Response, body []byte) string {
	declared := response.Header.Get("Content-Type")
	if declared == "" {
		declared = http.DetectContentType(body)
	}
	kind, _, err := mime.ParseMediaType(declared)
	if err != nil {
		return "application/octet-stream"
	}
	return kind
}

func isText(kind string) bool {
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") || strings.HasSuffix(kind, "+yaml") {
		return true
	}
	switch kind {
	case "application/json", "application/x-ndjson", "application/jsonl", "application/xml", "application/yaml",
		"application/x-yaml", "application/toml", "application/javascript", "application/x-javascript",
		"application/ecmascript", "application/sql", "application/x-sh", "application/x-www-form-urlencoded":
		return true
	}
	return false
}
