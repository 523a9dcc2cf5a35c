package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"helve/internal/httpbody"
	"helve/netpolicy"
	"helve/tool"
)

// maxBody is how much of an answer is read, after decompression.
const maxBody = 16 << 20

// Options say which server a [Client] asks. URL and Client are needed.
type Options struct {
	URL    string       // where the tools are listed: mcp_server_url
	Client *http.Client // that adds the key and keeps to the host's policy
	Log    *slog.Logger // slog.Default()
}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	list, execute *url.URL
	http          *http.Client
	log           *slog.Logger

	mu    sync.Mutex
	etag  string
	body  []byte // of the list that was read last
	tools []json.RawMessage
}

// New makes a client. It asks nothing yet. The error is for a URL that is none, and for no http.Client.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.URL)
	switch {
	case o.Client == nil:
		return nil, errors.New("rest: Options has no Client")
	case err != nil:
		return nil, fmt.Errorf("mcp_server_url is not a URL: %w", netpolicy.WithoutURL(err))
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, errors.New("mcp_server_url: write it in full, such as https://tools.example.com/")
	case u.User != nil:
		return nil, errors.New("mcp_server_url holds a user name: leave out what comes before the @, and use mcp_api_key")
	}
	u.Fragment, u.RawFragment = "", ""
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Client{list: u, execute: u.JoinPath("execute"), http: o.Client, log: o.Log}, nil
}

// List returns the server's tools, each as a tools/list of MCP would hold it. changed is
// false where they are the same as the last time, which a server with an ETag says
// without sending them. What is no tool at all is among them as it came.
//
// An error that the server caused is a [*tool.Error], whose kind says what to do:
// [tool.KindPermissionDenied] will be the same again, [tool.KindUnavailable] may pass.
func (c *Client) List(ctx context.Context) (tools []json.RawMessage, changed bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.list.String(), nil)
	if err != nil {
		return nil, false, netpolicy.WithoutURL(err)
	}
	c.mu.Lock()
	etag, known := c.etag, c.tools
	c.mu.Unlock()
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	response, body, err := c.do(request, "list of tools")
	if err != nil {
		return nil, false, err
	}
	if response.StatusCode == http.StatusNotModified && etag != "" {
		return slices.Clone(known), false, nil
	}
	if tools, err = readList(response, body); err != nil {
		return nil, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changed = c.tools == nil || !bytes.Equal(c.body, body.Data)
	c.etag, c.body, c.tools = response.Header.Get("ETag"), body.Data, tools
	return slices.Clone(tools), changed, nil
}

func readList(response *http.Response, body httpbody.Body) ([]json.RawMessage, error) {
	place := netpolicy.Place(response.Request.URL)
	if err := statusError(response, body); err != nil {
		return nil, err
	}
	if body.Cut {
		return nil, failure("%s: the list of tools is longer than %d MiB", place, maxBody>>20)
	}
	if isPage(body) {
		return nil, failure("%s answered with a web page, not with a list of tools: is mcp_server_url right, and does it need mcp_api_key?", place)
	}
	tools, err := parseTools([]byte(body.Text()))
	if err != nil {
		return nil, failure("%s: %v", place, err)
	}
	return tools, nil
}

// Call runs the tool of that name, which is the server's own. args is an object; nothing
// is an empty one. The result's artifact is the answer's "result" as a json.RawMessage,
// where it is other than text. The error is a [*tool.Error], or that of ctx.
func (c *Client) Call(ctx context.Context, name string, args json.RawMessage) (tool.Result, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	body, err := json.Marshal(struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}{name, args})
	if err != nil {
		return tool.Result{}, &tool.Error{Kind: tool.KindInvalidParameters, Message: "The arguments are not JSON.", Err: err}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.execute.String(), bytes.NewReader(body))
	if err != nil {
		return tool.Result{}, netpolicy.WithoutURL(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, answer, err := c.do(request, name)
	if err != nil {
		return tool.Result{}, err
	}
	return readAnswer(response, answer)
}

// do sends a request and reads the whole answer.
func (c *Client) do(request *http.Request, what string) (*http.Response, httpbody.Body, error) {
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "helve")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, httpbody.Body{}, netpolicy.Error(what, request.URL, err)
	}
	defer response.Body.Close()
	body, err := httpbody.Read(response, maxBody)
	if err != nil {
		return nil, httpbody.Body{}, netpolicy.Error(what, request.URL, err)
	}
	c.log.DebugContext(request.Context(), "mcp: rest", "method", request.Method, "url", netpolicy.Place(request.URL), "status", response.StatusCode, "bytes", len(body.Data))
	return response, body, nil
}

func failure(format string, args ...any) *tool.Error {
	return &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf(format, args...)}
}
