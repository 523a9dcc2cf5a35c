package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"

	"helve/model"
	"helve/schema"
)

// DefaultBaseURL is OpenAI's own endpoint.
const DefaultBaseURL = "https://api.openai.com/v1"

// Config says where a [Client] finds its model. Model is needed; the zero value
// of every other field works.
type Config struct {
	Model   string // such as "gpt-5-mini"
	BaseURL string // what comes before /chat/completions; "" means DefaultBaseURL
	APIKey  string // sent as a bearer token; "" sends none, which local servers take

	Provider        string         // the name in Info and in errors; "" means "openai"
	FunctionCalling model.Ability  // what Info says
	Profile         schema.Profile // how tool schemas are written

	NoStream   bool         // ask for the whole answer at once
	HTTPClient *http.Client // nil means http.DefaultClient; a Timeout in it also ends a long answer
}

// Client is a [model.Client] that speaks OpenAI's chat completions. Make one
// with [New]. It is safe for concurrent use.
type Client struct {
	config   Config
	endpoint *url.URL
}

// New returns a Client. It does not touch the network. The errors are a missing
// model and a base URL that is not one.
func New(config Config) (*Client, error) {
	if config.Model == "" {
		return nil, errors.New("openai: Config.Model is empty: name the model to use")
	}
	if config.BaseURL == "" {
		config.BaseURL = DefaultBaseURL
	}
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		// The address is not shown: it may hold a password.
		return nil, errors.New("openai: Config.BaseURL is not a base URL: want one like " + DefaultBaseURL)
	}
	if config.Provider == "" {
		config.Provider = "openai"
	}
	if config.HTTPClient == nil {
		config.HTTPClient = http.DefaultClient
	}
	config.APIKey = strings.TrimSpace(config.APIKey) // a key read from a file ends in a newline
	return &Client{config, base.JoinPath("chat", "completions")}, nil
}

// Info says what the configuration said.
func (c *Client) Info() model.Info {
	return model.Info{
		Provider:        c.config.Provider,
		Model:           c.config.Model,
		Server:          net.JoinHostPort(c.endpoint.Hostname(), c.port()),
		FunctionCalling: c.config.FunctionCalling,
	}
}

func (c *Client) port() string {
	switch port := c.endpoint.Port(); {
	case port != "":
		return port
	case c.endpoint.Scheme == "http":
		return "80"
	}
	return "443"
}

// Stream asks for one answer, as [model.Client] says. Its errors are
//
//   - a request that can't be sent, before anything is sent;
//   - what ctx ended with;
//   - a connection that failed, which wraps a [net.Error];
//   - a [*model.APIError], from the status, the body or inside the stream;
//   - [model.ErrIncomplete], where the connection closed too early;
//   - a [*LimitError], where the answer is too large.
func (c *Client) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		err := c.answer(ctx, req, yield)
		if err == nil || err == errStopped {
			return
		}
		if ctx.Err() != nil {
			err = ctx.Err() // the rest is a consequence
		}
		yield(nil, err)
	}
}

// errStopped ends an answer whose consumer has left the range.
var errStopped = errors.New("the consumer stopped")

func (c *Client) answer(ctx context.Context, req *model.Request, yield func(model.Event, error) bool) error {
	body, err := c.encode(req)
	if err != nil {
		return fmt.Errorf("openai: %w", err)
	}
	resp, err := c.post(ctx, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return c.statusError(resp)
	}
	tell := func(event model.Event) error {
		if err := ctx.Err(); err != nil {
			return err // also where the rest of the answer has already arrived
		}
		if !yield(event, nil) {
			return errStopped
		}
		return nil
	}
	return c.read(resp, &answer{tell: tell, calls: newMerger(callIDs(req.Messages))})
}

func (c *Client) post(ctx context.Context, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return nil, c.connectionError(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream, application/json")
	if c.config.APIKey != "" {
		r.Header.Set("Authorization", "Bearer "+c.config.APIKey)
	}
	resp, err := c.config.HTTPClient.Do(r)
	if err != nil {
		return nil, c.connectionError(err)
	}
	return resp, nil
}
