package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"helve/message"
	"helve/tool"
)

// Resource is something that clients can read, at an address or at all addresses of a
// template such as wiki://{page} (RFC 6570). One of URI and Template is set.
//
// Read returns the content at an address: its Text or its Data, and a MediaType where
// it is another. An error that wraps [fs.ErrNotExist] says that there is nothing. It is
// called by many goroutines at once.
type Resource struct {
	URI, Template string

	Name, Title, Description string

	MediaType string
	Read      func(ctx context.Context, uri string) (message.Resource, error)
}

func (r *Resource) address() string {
	if r.URI != "" {
		return r.URI
	}
	return r.Template
}

// kind keeps an address apart from a template of the same letters.
func (r *Resource) kind() string {
	if r.URI != "" {
		return "resource"
	}
	return "template"
}

func (s *Server) offerResource(r Resource) offer {
	if err := r.check(); err != nil {
		return offer{err: err}
	}
	if r.URI != "" {
		definition := &sdk.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MediaType}
		return offer{
			definition: definition,
			put:        func() { s.sdk.AddResource(definition, s.readResource) },
			drop:       func() { s.sdk.RemoveResources(r.URI) },
		}
	}
	definition := &sdk.ResourceTemplate{URITemplate: r.Template, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MediaType}
	return offer{
		definition: definition,
		put:        func() { s.sdk.AddResourceTemplate(definition, s.readResource) },
		drop:       func() { s.sdk.RemoveResourceTemplates(r.Template) },
	}
}

func (r *Resource) check() error {
	switch {
	case (r.URI == "") == (r.Template == ""):
		return errors.New("it needs an address or a template, and not both")
	case r.Name == "":
		return errors.New("it has no name")
	case r.Read == nil:
		return errors.New("its Read is nil")
	case strings.HasPrefix(r.address(), "helve:"):
		return errors.New("addresses with helve: are the server's own")
	case r.Template != "":
		_, err := uritemplate.New(r.Template)
		return err
	}
	u, err := url.Parse(r.URI)
	if err == nil && u.Scheme == "" {
		err = errors.New("its address has no scheme, such as the notes of notes://today")
	}
	return err
}

// resource is the one that answers for uri.
func (c *Content) resource(uri string) (Resource, bool) {
	for _, r := range c.Resources {
		if r.URI == uri {
			return r, true
		}
	}
	for i, pattern := range c.patterns {
		if pattern != nil && pattern.MatchString(uri) {
			return c.Resources[i], true
		}
	}
	return Resource{}, false
}

// compile prepares the templates for reads, of which there are many.
func (c *Content) compile() {
	c.patterns = make([]*regexp.Regexp, len(c.Resources))
	for i, r := range c.Resources {
		if t, err := uritemplate.New(r.Template); err == nil && r.Template != "" {
			c.patterns[i] = t.Regexp()
		}
	}
}

// readResource is the handler of every resource of the content.
func (s *Server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	params := req.Params
	found, ok := s.content.Load().resource(params.URI)
	if !ok {
		return nil, sdk.ResourceNotFoundError(params.URI)
	}
	r := newRequest(ctx, req)
	r.method, r.name, r.state, r.answers = "resources/read", params.URI, params.RequestState, params.InputResponses
	r.arguments = func() []byte { return nil }
	result, asks, err := s.serve(r, func(ctx context.Context, rt *tool.Runtime) (sdk.Result, error) {
		content, err := found.Read(tool.WithRuntime(ctx, rt), params.URI)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, sdk.ResourceNotFoundError(params.URI)
		case err != nil:
			return nil, requestError(err)
		}
		if content.URI == "" {
			content.URI = params.URI
		}
		if content.MediaType == "" {
			content.MediaType = found.MediaType
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents(content)}}, nil
	})
	if asks != nil {
		return &sdk.ReadResourceResult{InputRequests: asks.inputs(), RequestState: asks.state}, nil
	}
	if err != nil {
		return nil, err
	}
	return result.(*sdk.ReadResourceResult), nil
}

// subscribe lets a client watch what there is.
func (s *Server) subscribe(_ context.Context, req *sdk.SubscribeRequest) error {
	if _, ok := s.content.Load().resource(req.Params.URI); !ok {
		return sdk.ResourceNotFoundError(req.Params.URI)
	}
	return nil
}

// requestError is the protocol's error for a prompt or resource that failed.
func requestError(err error) error {
	var m *missing
	if errors.As(err, &m) {
		return missingError(m)
	}
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return wire
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: tool.AsError(err).Message}
}

func missingError(m *missing) error {
	data, _ := json.Marshal(map[string]json.RawMessage{"requiredCapabilities": m.capability}) // constants
	return &jsonrpc.Error{Code: sdk.CodeMissingRequiredClientCapabilities, Message: m.Error(), Data: data}
}
