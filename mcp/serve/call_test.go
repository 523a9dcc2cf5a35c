//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/serve"
	"helve/message"
	"helve/schema"
	"helve/tool"
)

type addInput struct {
	A int `json:"a" jsonschema:"minimum=0"`
	B int `json:"b,omitempty" jsonschema:"default=40"`
}

func add(_ context.Context, in addInput) (int, error) { return in.A + in.B, nil }

func TestCall(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		var log logBuffer
		s := newServer(t, serve.Options{Name: "test", Log: log.logger()}, serve.Content{},
			tool.Must(tool.New("add", "Add.", add, tool.ReadOnly(), tool.Idempotent())),
			simple("fails", func(context.Context) (string, error) {
				return "", &tool.Error{Kind: tool.KindUnavailable, Message: "Not now.", Detail: map[string]any{"until": "noon"}, Err: errors.New("secret cause")}
			}),
			simple("panics", func(context.Context) (string, error) { panic("secret panic") }),
		)
		session := connect(s, newClient(nil))

		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		schema, _ := json.Marshal(tools.Tools[0].InputSchema)
		if want := `"properties":{"a":{"minimum":0,"type":"integer"}`; tools.Tools[0].Name != "add" || !strings.Contains(string(schema), want) {
			t.Errorf("%s %s: want %s", tools.Tools[0].Name, schema, want)
		}
		if a := tools.Tools[0].Annotations; a == nil || !a.ReadOnlyHint || !a.IdempotentHint {
			t.Errorf("annotations: %+v", a)
		}

		if r := call(t, session, "add", map[string]any{"a": 2}); r.IsError || text(t, r) != "42" {
			t.Errorf("add: %+v", r)
		}
		if r := call(t, session, "add", map[string]any{"a": -2, "c": 1}); !r.IsError || !strings.Contains(text(t, r), "/a must be") || !strings.Contains(text(t, r), "/c") {
			t.Errorf("invalid: %v", text(t, r))
		}
		r := call(t, session, "fails", nil)
		if !r.IsError || text(t, r) != "Not now." || len(r.Content) != 2 || !strings.Contains(r.Content[1].(*sdk.TextContent).Text, `"until":"noon"`) {
			t.Errorf("fails: %+v", r)
		}
		if r := call(t, session, "panics", nil); !r.IsError || text(t, r) != "The tool failed unexpectedly." {
			t.Errorf("panics: %v", text(t, r))
		}
		_, err = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "ad"})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("unknown tool: %v", err)
		}
		if !strings.Contains(log.String(), "secret cause") || !strings.Contains(log.String(), "secret panic") {
			t.Errorf("the log lacks causes:\n%s", log.String())
		}
	})
}

func TestResults(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		long := strings.Repeat("ä0123456789", 1000)
		huge := make([]byte, 1<<20+1)
		s := newServer(t, serve.Options{MaxInline: 997}, serve.Content{},
			simple("parts", func(context.Context) ([]message.Part, error) {
				return []message.Part{
					message.Text("hello"),
					message.Image{Data: []byte{1}, MediaType: "image/png"},
					message.Audio{Data: []byte{2}, MediaType: "audio/wav"},
					message.Image{URL: "https://example.com/a.png", MediaType: "image/png"},
					message.Resource{URI: "test://a", Text: "content", MediaType: "text/plain"},
					message.Resource{URI: "test://b/name"},
					message.File{Name: "a.bin", Data: []byte{3}, MediaType: "application/x"},
				}, nil
			}),
			simple("long", func(context.Context) (string, error) { return long, nil }),
			simple("huge", func(context.Context) (tool.Result, error) {
				return tool.WithArtifact("made", picture{{message.Image{Data: huge, MediaType: "image/png"}, message.File{Name: "a.svg", Data: []byte("<svg/>"), MediaType: "image/svg+xml"}}}), nil
			}),
		)
		session := connect(s, newClient(nil))

		r := call(t, session, "parts", nil)
		var kinds []string
		for _, c := range r.Content {
			data, _ := c.MarshalJSON()
			var k struct{ Type string }
			json.Unmarshal(data, &k)
			kinds = append(kinds, k.Type)
		}
		if diff := cmp.Diff([]string{"text", "image", "audio", "resource_link", "resource", "resource_link", "resource"}, kinds); diff != "" {
			t.Error(diff)
		}

		r = call(t, session, "long", nil)
		head := text(t, r)
		if !strings.HasPrefix(long, head[:996]) || !strings.Contains(head, "[cut: the first 996 of 12000 bytes") || len(r.Content) != 2 {
			t.Fatalf("%d parts, %s", len(r.Content), head)
		}
		whole, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.Content[1].(*sdk.ResourceLink).URI})
		if err != nil || whole.Contents[0].Text != long {
			t.Errorf("the whole: %v", err)
		}

		r = call(t, session, "huge", nil)
		for i, want := range []struct {
			mediaType string
			size      int
		}{{"image/png", len(huge)}, {"image/svg+xml", 6}} {
			link, ok := r.Content[i+1].(*sdk.ResourceLink)
			if !ok || link.MIMEType != want.mediaType || *link.Size != int64(want.size) || !strings.HasPrefix(link.URI, "helve://artifact/") {
				t.Fatalf("attachment %d: %+v", i, r.Content[i+1])
			}
			got, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: link.URI})
			if err != nil || len(got.Contents[0].Blob) != want.size {
				t.Errorf("attachment %d: %v", i, err)
			}
		}

		if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "helve://result/guessed"}); err == nil {
			t.Error("a guessed address is readable")
		}
		if listed, err := session.ListResources(t.Context(), nil); err != nil || len(listed.Resources) != 0 {
			t.Errorf("listed: %+v %v", listed, err)
		}
		templates, err := session.ListResourceTemplates(t.Context(), nil)
		if err != nil || len(templates.ResourceTemplates) != 2 {
			t.Errorf("templates: %+v %v", templates, err)
		}
	})
}

type picture [][]message.Part

func (p picture) Attachments() []message.Part { return p[0] }

type weather struct {
	City  string   `json:"city"`
	Names []string `json:"names"`
	Note  *string  `json:"note"`
}

func TestStructured(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		var log logBuffer
		s := newServer(t, serve.Options{Log: log.logger()}, serve.Content{},
			simple("weather", func(context.Context) (weather, error) { return weather{City: "Köln"}, nil }),
			liar{simple("wrong", func(context.Context) (string, error) { return "no JSON", nil })},
		)
		session := connect(s, newClient(nil))
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tl := range tools.Tools {
			if tl.OutputSchema == nil {
				t.Errorf("%s has no output schema", tl.Name)
			}
		}
		r := call(t, session, "weather", nil)
		got, _ := json.Marshal(r.StructuredContent)
		if string(got) != `{"city":"Köln","names":null,"note":null}` {
			t.Errorf("%s", got)
		}
		if r := call(t, session, "wrong", nil); r.StructuredContent != nil || text(t, r) != "no JSON" {
			t.Errorf("%+v", r)
		}
		if !strings.Contains(log.String(), "does not fit its tool's own output schema") {
			t.Error("a broken promise is not logged")
		}
	})
}

// liar promises what weather returns.
type liar struct{ tool.Tool }

func (liar) OutputSchema() *schema.Schema {
	return schema.MustCompile(`{"type":"object","required":["city"]}`)
}

func TestProgressAndLog(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		s := newServer(t, serve.Options{}, serve.Content{},
			simple("work", func(ctx context.Context) (string, error) {
				rt := tool.RuntimeFrom(ctx)
				rt.Output(message.Text("started"))
				for i := range 100 {
					rt.Progress(float64(i), 100, "")
				}
				rt.Progress(50, 100, "backwards")
				rt.Progress(math.NaN(), math.Inf(1), "nowhere")
				rt.Progress(100, 100, "done")
				rt.Output(message.Image{Data: []byte{1}, MediaType: "image/png"}, message.Text("ended"))
				return "done", nil
			}))
		var mu sync.Mutex
		var progress []float64
		var logs []string
		complete, ended := make(chan struct{}), make(chan struct{})
		session := connect(s, newClient(&sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
				mu.Lock()
				defer mu.Unlock()
				progress = append(progress, r.Params.Progress)
				if r.Params.Progress == 100 {
					close(complete)
				}
			},
			LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
				mu.Lock()
				defer mu.Unlock()
				logs = append(logs, r.Params.Logger+": "+r.Params.Data.(string))
				if r.Params.Data == "ended" {
					close(ended)
				}
			},
		}))
		p := &sdk.CallToolParams{Name: "work"}
		if version >= "2026" {
			p.Meta = sdk.Meta{"io.modelcontextprotocol/logLevel": "info"}
		} else if err := session.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "info"}); err != nil {
			t.Fatal(err)
		}
		p.SetProgressToken("t")
		if _, err := session.CallTool(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		soon(t, "the last progress", complete)
		soon(t, "the last output", ended)
		mu.Lock()
		defer mu.Unlock()
		if len(progress) < 2 || len(progress) > 40 || progress[0] != 0 || progress[len(progress)-1] != 100 {
			t.Errorf("progress: %v", progress)
		}
		for i := 1; i < len(progress); i++ {
			if progress[i] <= progress[i-1] {
				t.Errorf("progress goes back: %v", progress)
			}
		}
		if diff := cmp.Diff([]string{"work: started", "work: ended"}, logs); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCancel(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		begun, ended := make(chan struct{}), make(chan struct{})
		s := newServer(t, serve.Options{}, serve.Content{},
			simple("wait", func(ctx context.Context) (string, error) {
				close(begun)
				<-ctx.Done()
				close(ended)
				return "", ctx.Err()
			}),
			simple("quick", func(context.Context) (string, error) { return "quick", nil }))
		session := connect(s, newClient(nil))
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "wait"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		soon(t, "the tool to end", ended)
		if r := call(t, session, "quick", nil); text(t, r) != "quick" {
			t.Errorf("after a cancelled call: %+v", r)
		}
	})
}
