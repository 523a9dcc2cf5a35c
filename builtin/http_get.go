package builtin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"helve/internal/httpbody"
	"helve/message"
	"helve/netpolicy"
	"helve/tool"
)

const (
	httpTimeout  = 20 * time.Second
	maxBody      = 1 << 20 // bytes of a body, after decompression
	maxErrorBody = 1000    // bytes of the body of an answer such as 404
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
func HTTPGet(policy netpolicy.Policy) (tool.Tool, error) {
	if err := policy.Check(); err != nil {
		return nil, fmt.Errorf("http_get: %w", err)
	}
	get := &httpGetter{policy, newHTTPClient(policy)}
	return tool.New("http_get",
		"Fetch a web page or a file by HTTP GET and return its content. Works for these hosts only: "+policy.HostList()+".",
		get.call, tool.ReadOnly(), tool.Idempotent(), tool.Timeout(httpTimeout+time.Second))
}

// newHTTPClient keeps no idle connections: the tool has no Close, and a model
// asks seldom.
func newHTTPClient(policy netpolicy.Policy) *http.Client {
	transport := policy.Transport()
	transport.DisableKeepAlives = true
	return policy.Client(transport, httpTimeout)
}

type httpGetter struct {
	policy netpolicy.Policy
	client *http.Client
}

func (g *httpGetter) call(ctx context.Context, in httpGetInput) (tool.Result, error) {
	u, err := url.Parse(in.URL)
	if err != nil {
		return tool.Result{}, fmt.Errorf("http_get: not a URL: %w", netpolicy.WithoutURL(err))
	}
	if err := g.policy.CheckURL(u); err != nil {
		return tool.Result{}, netpolicy.Error("http_get", u, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return tool.Result{}, fmt.Errorf("http_get: %w", netpolicy.WithoutURL(err))
	}
	request.Header.Set("User-Agent", "helve")
	response, err := g.client.Do(request)
	if err != nil {
		return tool.Result{}, netpolicy.Error("http_get", u, err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return tool.Result{}, statusError(response)
	}
	body, err := httpbody.Read(response, maxBody)
	if err != nil {
		return tool.Result{}, netpolicy.Error("http_get", u, err)
	}
	return httpResult(response, body)
}

// statusError gives the model the start of the body too, which often says what
// is wrong.
func statusError(response *http.Response) error {
	e := &tool.Error{
		Kind:    tool.KindExecution,
		Message: fmt.Sprintf("http_get: %s answered %s", netpolicy.Place(response.Request.URL), response.Status),
	}
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500 {
		e.Kind, e.Retryable = tool.KindUnavailable, true
	}
	if body, err := httpbody.Read(response, maxErrorBody); err == nil && body.IsText() && len(body.Data) > 0 {
		e.Detail = map[string]any{"body": body.Text()}
	}
	return e
}

func httpResult(response *http.Response, body httpbody.Body) (tool.Result, error) {
	if body.IsText() {
		return httpText(response, body), nil
	}
	where := netpolicy.Place(response.Request.URL)
	if body.Cut {
		return tool.Result{}, fmt.Errorf("http_get: %s is %s of more than %d bytes: too large", where, body.MediaType, maxBody)
	}
	part, ok := body.Part()
	if !ok {
		return tool.Result{}, fmt.Errorf("http_get: %s is %s: only text, PNG, JPEG, GIF and WebP images, and PDF can be returned", where, body.MediaType)
	}
	return tool.Result{Content: []message.Part{part}}, nil
}

func httpText(response *http.Response, body httpbody.Body) tool.Result {
	result := tool.Text(body.Text())
	if body.Cut {
		note := fmt.Sprintf("\n[cut here: the first %d bytes of a longer body]", len(body.Data))
		if n := response.ContentLength; n > 0 {
			note = fmt.Sprintf("\n[cut here: the first %d of %d bytes]", len(body.Data), n)
		}
		result.Content = append(result.Content, message.Text(note))
	}
	return result
}
