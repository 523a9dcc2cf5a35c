package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/tool"
)

// Content is what a [Server] serves. It belongs to the server once it was set.
type Content struct {
	Executor  *executor.Executor // runs the tools, which its registry holds; nil is one with the defaults
	Tools     []tool.Tool        // what clients see
	Prompts   []Prompt
	Resources []Resource

	// Runtime is what the host gives every call, prompt and resource: its store,
	// configuration and values. Report and Answer are the server's. It may be nil.
	Runtime *tool.Runtime

	patterns []*regexp.Regexp // what the templates of Resources match; nil for the others
}

// Set serves content from now on. Calls that run go on with what they have. Clients
// are told that a list has changed if one of its definitions has, and of no more.
//
// The error names what can't be served, such as a resource whose address is none; all
// else is served.
func (s *Server) Set(content Content) error {
	s.setting.Lock()
	defer s.setting.Unlock()
	var now served
	var errs []error
	if content.Executor == nil {
		tools, err := tool.NewRegistry(content.Tools...)
		errs = append(errs, err)
		content.Executor = executor.New(executor.Config{Tools: tools, Logger: s.log})
	}
	content.compile()
	s.content.Store(&content)

	for _, t := range content.Tools {
		errs = append(errs, now.add("tool", t.Definition().Name, s.offerTool(t)))
	}
	for _, p := range content.Prompts {
		errs = append(errs, now.add("prompt", p.Name, s.offerPrompt(p)))
	}
	for _, r := range content.Resources {
		errs = append(errs, now.add(r.kind(), r.address(), s.offerResource(r)))
	}
	errs = append(errs, s.change(&now)...)
	s.served = now
	return errors.Join(errs...)
}

// served is what the SDK was given, by kind and name.
type served map[key]offer

type key struct{ kind, name string }

// offer is one thing to serve.
type offer struct {
	definition any    // the SDK's, for comparing
	put        func() // gives it to the SDK, which panics on what it does not like
	drop       func()
	err        error
	wire       []byte // definition
}

// add notes an offer, and says why it can't be one.
func (s *served) add(kind, name string, o offer) (err error) {
	if o.err == nil {
		o.wire, o.err = json.Marshal(o.definition)
	}
	if o.err != nil {
		return fmt.Errorf("mcp: %s %q is not served: %w", kind, name, o.err)
	}
	if *s == nil {
		*s = served{}
	}
	k := key{kind, name}
	if _, taken := (*s)[k]; taken {
		return fmt.Errorf("mcp: %s %q is there twice: the first is served", kind, name)
	}
	(*s)[k] = o
	return nil
}

// change brings the SDK from what is served to what shall be. Its handlers find the
// content when they are called, so that an offer whose definition stays is left alone.
func (s *Server) change(now *served) []error {
	var errs []error
	for _, k := range slices.SortedFunc(maps.Keys(s.served), key.compare) {
		if _, stays := (*now)[k]; !stays {
			s.served[k].drop()
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(*now), key.compare) {
		o := (*now)[k]
		if was, there := s.served[k]; there && bytes.Equal(was.wire, o.wire) {
			continue
		}
		if err := try(o.put); err != nil {
			if _, there := s.served[k]; there {
				o.drop()
			}
			delete(*now, k)
			errs = append(errs, fmt.Errorf("mcp: %s %q is not served: %w", k.kind, k.name, err))
		}
	}
	return errs
}

func (k key) compare(other key) int {
	return bytes.Compare([]byte(k.kind+"\x00"+k.name), []byte(other.kind+"\x00"+other.name))
}

// try makes an error of the panic with which the SDK refuses a definition.
func try(put func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	put()
	return nil
}

// offerTool says how a tool is served.
func (s *Server) offerTool(t tool.Tool) offer {
	d := t.Definition()
	definition := &sdk.Tool{Name: d.Name, Description: d.Description}
	var err error
	if definition.InputSchema, err = objectSchema(d.Schema().JSON()); err != nil {
		return offer{err: err}
	}
	out := outputSchema(t)
	if out != nil {
		definition.OutputSchema = out.JSON()
	}
	if d.ReadOnly || d.Idempotent {
		definition.Annotations = &sdk.ToolAnnotations{ReadOnlyHint: d.ReadOnly, IdempotentHint: d.Idempotent}
	}
	if len(d.Name) > shortName || bytes.ContainsAny([]byte(d.Name), upper) {
		s.hint(d.Name)
	}
	return offer{
		definition: definition,
		put: func() {
			s.sdk.AddTool(definition, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return s.callTool(ctx, req, out)
			})
		},
		drop: func() { s.sdk.RemoveTools(d.Name) },
	}
}

// Names that every client takes, even with the server's name before them.
const (
	shortName = 50
	upper     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// hint logs, once for each name, that some clients may not take it.
func (s *Server) hint(name string) {
	if _, before := s.hinted[name]; before {
		return
	}
	s.hinted[name] = struct{}{}
	s.log.Info("mcp: some clients want tool names of at most 50 lower-case characters; this one is served as it is", slog.String("tool", name))
}
