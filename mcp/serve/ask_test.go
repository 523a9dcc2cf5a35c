//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/serve"
	"helve/message"
	"helve/schema"
	"helve/tool"
)

var nameForm = tool.Form{Name: "user_name", Message: "Your name?", Fields: schema.MustCompile(`{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","default":30}},"required":["name"]}`)}

// asker asks everything that there is, and a second time.
var asker = simple("ask", func(ctx context.Context) (string, error) {
	rt := tool.RuntimeFrom(ctx)
	a, err := rt.Ask(ctx, nameForm, tool.Completion{System: "Be kind.", Messages: []message.Message{message.User("Greet.")}}, tool.Roots{}, tool.Link{Message: "Pay", URL: "https://example.com/pay"})
	if err != nil {
		return "", err
	}
	b, err := rt.Ask(ctx, tool.Form{Message: "Sure?"})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s | %s by %s | %v | %s | %s", a[0].Action, a[0].Fields, a[1].Message.Text(), a[1].Model, a[2].Roots, a[3].Action, b[0].Action), nil
})

// answering is a client that can answer all.
func answering() *sdk.Client {
	client := newClient(&sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{
			RootsV2:     &sdk.RootCapabilities{},
			Sampling:    &sdk.SamplingCapabilities{},
			Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}},
		},
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			switch r.Params.Message {
			case "Your name?":
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
			case "Sure?":
				return &sdk.ElicitResult{Action: "decline"}, nil
			}
			return &sdk.ElicitResult{Action: "accept"}, nil
		},
		CreateMessageHandler: func(_ context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return &sdk.CreateMessageResult{Role: "assistant", Model: "m", Content: &sdk.TextContent{Text: r.Params.SystemPrompt + " Hello."}}, nil
		},
	})
	client.AddRoots(&sdk.Root{URI: "file:///work"})
	return client
}

func TestAsk(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		session := connect(newServer(t, serve.Options{}, serve.Content{}, asker), answering())
		want := `accept {"age":30,"name":"Ada"} | Be kind. Hello. by m | [file:///work] | accept | decline`
		if got := text(t, call(t, session, "ask", nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestAskOfWhoCannotAnswer(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		s := newServer(t, serve.Options{}, serve.Content{},
			simple("gives_back", func(ctx context.Context) (string, error) {
				_, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Completion{Messages: []message.Message{message.User("x")}})
				return "", fmt.Errorf("needs a model: %w", err)
			}),
			simple("goes_on", func(ctx context.Context) (string, error) {
				_, err := tool.RuntimeFrom(ctx).Ask(ctx, nameForm)
				return fmt.Sprint(errors.Is(err, tool.ErrNobody)), nil
			}))
		session := connect(s, newClient(&sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}))
		if got := text(t, call(t, session, "goes_on", nil)); got != "true" {
			t.Error(got)
		}
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "gives_back"})
		if version < "2026" {
			if err != nil || !r.IsError || !strings.Contains(text(t, r), "needs a model") {
				t.Errorf("%+v %v", r, err)
			}
			return
		}
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != -32021 || string(wire.Data) != `{"requiredCapabilities":{"sampling":{}}}` {
			t.Errorf("%v", err)
		}
	})
}

func TestFormThatNoClientTakes(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`:     `field "a" is an object`,
		`{"type":"object","properties":{"a":{"type":"string","format":"password"}}}`: `asks for a password ("a"), which MCP forbids`,
		`{"type":"object","properties":{"a":{"type":["string","null"]}}}`:            `field "a" has not exactly one type`,
	} {
		s := newServer(t, serve.Options{}, serve.Content{}, simple("ask", func(ctx context.Context) (string, error) {
			_, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Form{Message: "Well?", Fields: schema.MustCompile(doc)})
			return "", err
		}))
		session := overStdio(t, s, answering(), "2026-07-28")
		if got := text(t, call(t, session, "ask", nil)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", doc, got)
		}
	}
}

// wire sends one request of 2026-07-28, without a client that does the rounds.
func wire(t *testing.T, url, token, method, name, params string) (status int, result, rpcError json.RawMessage) {
	t.Helper()
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"sampling":{}}}`
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,%s}}`, method, params, meta)
	req, _ := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name, "Authorization": "Bearer " + token} {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if i := bytes.Index(data, []byte("data: ")); i >= 0 {
		data, _, _ = bytes.Cut(data[i+6:], []byte("\n"))
	}
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatalf("%d %s: %v", resp.StatusCode, data, err)
	}
	return resp.StatusCode, answer.Result, answer.Error
}

func TestRequestState(t *testing.T) {
	t.Parallel()
	s := newServer(t, serve.Options{}, serve.Content{},
		tool.Must(tool.FromSchema("greet", "Greet.", []byte(`{"type":"object"}`), func(ctx context.Context, _ json.RawMessage) (string, error) {
			a, err := tool.RuntimeFrom(ctx).Ask(ctx, nameForm)
			if err != nil {
				return "", err
			}
			return "Hello, " + string(a[0].Fields), nil
		})))
	url := listen(t, s, serve.HTTP{Tokens: []serve.Secret{"one", "two"}}).URL

	send := func(token, args, more string) (state, result, rpcError string) {
		_, r, e := wire(t, url, token, "tools/call", "greet", `"name":"greet","arguments":`+args+more)
		var asked struct {
			ResultType    string
			RequestState  string
			InputRequests map[string]struct{ Method string }
		}
		json.Unmarshal(r, &asked)
		if asked.ResultType == "input_required" && asked.InputRequests["user_name"].Method != "elicitation/create" {
			t.Errorf("asked: %s", r)
		}
		return asked.RequestState, string(r), string(e)
	}
	answers := func(state string) string {
		return fmt.Sprintf(`,"requestState":%q,"inputResponses":{"user_name":{"action":"accept","content":{"name":"Ada"}},"other":{"action":"accept"}}`, state)
	}
	refused := func(what, e string) {
		t.Helper()
		if !strings.Contains(e, "-32602") || !strings.Contains(e, "invalid requestState") {
			t.Errorf("%s: %s", what, e)
		}
	}

	state, _, _ := send("one", `{"a":1,"b":2}`, "")
	if len(state) < 26 {
		t.Fatalf("state %q", state)
	}
	_, _, e := send("one", `{"a":1,"b":2}`, answers(state+"-TAMPERED"))
	refused("tampered", e)
	_, _, e = send("one", `{"a":1,"b":3}`, answers(state))
	refused("other arguments", e)
	_, _, e = send("two", `{"a":1,"b":2}`, answers(state))
	refused("another's", e)

	// Answers that are missing or do not fit are asked for again.
	next, _, e := send("one", `{"a":1,"b":2}`, `,"requestState":"`+state+`","inputResponses":{"wrong":{"action":"accept"}}`)
	if next == "" || next == state {
		t.Fatalf("asked again: %q %s", next, e)
	}
	last, _, e := send("one", `{"b":2, "a":1}`, `,"requestState":"`+next+`","inputResponses":{"user_name":{"action":"accept","content":{"name":7}}}`)
	if last == "" || last == next {
		t.Fatalf("asked again: %q %s", last, e)
	}
	_, r, e := send("one", `{"b":2,"a":1}`, answers(last))
	if !strings.Contains(r, `Ada`) {
		t.Errorf("answered: %s %s", r, e)
	}
	_, _, e = send("one", `{"a":1,"b":2}`, answers(last))
	refused("used twice", e)

	// Who knows the questions may answer at once.
	if _, r, e := send("one", `{}`, answers("")); !strings.Contains(r, "Ada") {
		t.Errorf("answers at once: %s %s", r, e)
	}
}

func TestPromptThatAsks(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		s := newServer(t, serve.Options{}, serve.Content{
			Prompts: []serve.Prompt{{Name: "p", Render: func(ctx context.Context, _ map[string]string) ([]message.Message, error) {
				a, err := tool.RuntimeFrom(ctx).Ask(ctx, nameForm)
				if err != nil {
					return nil, err
				}
				return []message.Message{message.User(string(a[0].Fields))}, nil
			}}},
			Resources: []serve.Resource{{Name: "r", URI: "test://r", Read: func(ctx context.Context, uri string) (message.Resource, error) {
				a, err := tool.RuntimeFrom(ctx).Ask(ctx, nameForm)
				if err != nil {
					return message.Resource{}, err
				}
				return message.Resource{Text: string(a[0].Fields)}, nil
			}}},
		})
		session := connect(s, answering())
		p, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "p"})
		if err != nil || p.Messages[0].Content.(*sdk.TextContent).Text != `{"age":30,"name":"Ada"}` {
			t.Errorf("%+v %v", p, err)
		}
		r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://r"})
		if err != nil || r.Contents[0].Text != `{"age":30,"name":"Ada"}` {
			t.Errorf("%+v %v", r, err)
		}
	})
}
