//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/mcp/serve"
	"helve/message"
	"helve/schema"
	"helve/tool"
)

func hello(context.Context) (string, error) { return "hello", nil }

// TestSetTellsWhatDiffers counts what a client hears when the content changes.
func TestSetTellsWhatDiffers(t *testing.T) {
	t.Parallel()
	for name, transport := range map[string]string{"stdio": "2025-11-25", "http": "2025-11-25"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			heard := make(chan string, 10)
			client := newClient(&sdk.ClientOptions{
				ToolListChangedHandler:     func(context.Context, *sdk.ToolListChangedRequest) { heard <- "tools" },
				PromptListChangedHandler:   func(context.Context, *sdk.PromptListChangedRequest) { heard <- "prompts" },
				ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) { heard <- "resources" },
			})
			s := newServer(t, serve.Options{}, serve.Content{}, simple("a", hello), simple("b", hello))
			session := transports[name](t, s, client, transport)
			set := func(c serve.Content, tools ...tool.Tool) {
				t.Helper()
				registry, _ := tool.NewRegistry(tools...)
				c.Tools, c.Executor = tools, executor.New(executor.Config{Tools: registry})
				if err := s.Set(c); err != nil {
					t.Error(err)
				}
			}
			set(serve.Content{}, simple("a", hello), simple("b", hello)) // nothing differs
			set(serve.Content{}, simple("a", hello), simple("c", hello))
			if got := <-heard; got != "tools" {
				t.Error(got)
			}
			set(serve.Content{Prompts: []serve.Prompt{{Name: "p", Render: func(context.Context, map[string]string) ([]message.Message, error) { return nil, nil }}}},
				simple("a", hello), simple("c", hello))
			got := <-heard
			if got == "tools" { // of what was served first: the SDK tells late, and on a busy machine after the client came
				got = <-heard
			}
			if got != "prompts" {
				t.Error(got)
			}
			set(serve.Content{Resources: []serve.Resource{{Name: "r", URI: "test://r", Read: func(context.Context, string) (message.Resource, error) { return message.Resource{}, nil }}}},
				simple("a", hello), simple("c", hello))
			if got := []string{<-heard, <-heard}; strings.Join(got, " ") != "prompts resources" && strings.Join(got, " ") != "resources prompts" {
				t.Error(got)
			}
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tl := range tools.Tools {
				names = append(names, tl.Name)
			}
			if diff := cmp.Diff([]string{"a", "c"}, names); diff != "" {
				t.Error(diff)
			}
			if len(heard) > 0 {
				t.Errorf("more was heard: %s", <-heard)
			}
		})
	}
}

// odd is a tool with any schema.
type odd struct {
	tool.Tool
	name, schema string
}

func (o odd) Definition() tool.Definition {
	return tool.Definition{Name: o.name, Description: "Odd.", Parameters: schema.MustCompile(o.schema)}
}

func TestOddSchemas(t *testing.T) {
	t.Parallel()
	s := serve.New(serve.Options{})
	defer s.Close()
	err := s.Set(serve.Content{Tools: []tool.Tool{
		odd{name: "any", schema: `true`},
		odd{name: "untyped", schema: `{"properties":{"b":{},"a":{}}}`},
		odd{name: "list", schema: `{"type":["null","object"]}`},
		odd{name: "never", schema: `false`},
		odd{name: "text", schema: `{"type":"string"}`},
		odd{name: "header", schema: `{"type":"object","properties":{"a":{"type":"array","x-mcp-header":"A"}}}`},
		odd{name: "any", schema: `true`},
		odd{name: "$defs", schema: `{"$defs":{"z":{"$anchor":"x"}},"type":"object"}`},
	}})
	for _, want := range []string{`"never" is not served: its schema allows no`, `"text" is not served: its schema wants`, `"header" is not served: AddTool`, `"any" is there twice`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s in %v", want, err)
		}
	}
	session := overStdio(t, s, newClient(nil), "2025-11-25")
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, tl := range tools.Tools {
		data, _ := json.Marshal(tl.InputSchema)
		got[tl.Name] = string(data)
	}
	want := map[string]string{
		"any": `{"type":"object"}`, "untyped": `{"properties":{"a":{},"b":{}},"type":"object"}`, "list": `{"type":"object"}`,
		"$defs": `{"$defs":{"z":{"$anchor":"x"}},"type":"object"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPromptsAndResources(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		s := newServer(t, serve.Options{}, serve.Content{
			Prompts: []serve.Prompt{
				{Name: "review", Title: "Review", Arguments: []serve.Argument{{Name: "lang", Required: true, Values: []string{"Go", "Gleam", "Rust"}}},
					Render: func(_ context.Context, a map[string]string) ([]message.Message, error) {
						return []message.Message{message.User("Review " + a["lang"]), {Role: message.RoleAssistant, Parts: []message.Part{message.Image{Data: []byte{1}, MediaType: "image/png"}, message.Resource{URI: "test://a", Text: "x"}}}}, nil
					}},
				{Name: "panics", Render: func(context.Context, map[string]string) ([]message.Message, error) { panic("secret") }},
			},
			Resources: []serve.Resource{
				{URI: "test://text", Name: "text", MediaType: "text/plain", Read: func(context.Context, string) (message.Resource, error) { return message.Resource{Text: "hi"}, nil }},
				{Template: "test://page/{id}", Name: "page", Read: func(_ context.Context, uri string) (message.Resource, error) {
					if strings.HasSuffix(uri, "/none") {
						return message.Resource{}, fs.ErrNotExist
					}
					return message.Resource{Data: []byte(uri), MediaType: "x/y"}, nil
				}},
			},
		})
		updated := make(chan string, 1)
		session := connect(s, newClient(&sdk.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI }}))

		p, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "review", Arguments: map[string]string{"lang": "Go"}})
		if err != nil || len(p.Messages) != 3 || p.Messages[0].Role != "user" || p.Messages[2].Role != "assistant" {
			t.Errorf("%+v %v", p, err)
		}
		for name, want := range map[string]string{"review": `needs the argument "lang"`, "nothing": "unknown prompt", "panics": "failed unexpectedly"} {
			if _, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v", name, err)
			}
		}
		c, err := session.Complete(t.Context(), &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "review"}, Argument: sdk.CompleteParamsArgument{Name: "lang", Value: "g"}})
		if err != nil || cmp.Diff([]string{"Go", "Gleam"}, c.Completion.Values) != "" {
			t.Errorf("%+v %v", c, err)
		}

		r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://text"})
		if err != nil || r.Contents[0].Text != "hi" || r.Contents[0].MIMEType != "text/plain" {
			t.Errorf("%+v %v", r, err)
		}
		r, err = session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://page/7"})
		if err != nil || string(r.Contents[0].Blob) != "test://page/7" || r.Contents[0].MIMEType != "x/y" {
			t.Errorf("%+v %v", r, err)
		}
		for _, uri := range []string{"test://page/none", "test://nothing"} {
			_, err = session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || wire.Code != sdk.CodeResourceNotFound {
				t.Errorf("%s: %v", uri, err)
			}
		}
		if version >= "2026" {
			return // there a client listens, see the conformance suite
		}
		if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "test://text"}); err != nil {
			t.Fatal(err)
		}
		s.ResourceUpdated("test://text")
		if got := <-updated; got != "test://text" {
			t.Error(got)
		}
		if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "test://nothing"}); err == nil {
			t.Error("subscribed to nothing")
		}
	})
}
