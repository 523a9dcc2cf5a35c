package dialect_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/dialect"
	"helve/message"
	"helve/model"
	"helve/schema"
	"helve/tool"
)

// script is a client that says pieces of text, or other events, and keeps what it
// was asked.
type script struct {
	info   model.Info
	events []any // string, model.Event or error
	asked  *model.Request
}

func (s *script) Info() model.Info { return s.info }
func (s *script) Stream(_ context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	s.asked = req
	return func(yield func(model.Event, error) bool) {
		for _, e := range s.events {
			var ok bool
			switch e := e.(type) {
			case string:
				ok = yield(model.TextDelta(e), nil)
			case model.Event:
				ok = yield(e, nil)
			case error:
				ok = yield(nil, e)
			}
			if !ok {
				return
			}
		}
	}
}

var stopped = model.Finish{Reason: model.FinishStop}

// told is what came out of a client, a line an event, adjacent text joined.
func told(t *testing.T, client model.Client, req *model.Request) string {
	t.Helper()
	var out []string
	text := ""
	flush := func() {
		if text != "" {
			out = append(out, fmt.Sprintf("text %q", text))
		}
		text = ""
	}
	for event, err := range client.Stream(t.Context(), req) {
		if e, ok := event.(model.TextDelta); ok && err == nil {
			text += string(e)
			continue
		}
		flush()
		switch e := event.(type) {
		case model.ToolCall:
			out = append(out, fmt.Sprintf("call %s %s %s", e.ID, e.Name, e.Arguments))
		case model.ReasoningDelta:
			out = append(out, fmt.Sprintf("think %q", string(e)))
		case model.Finish:
			out = append(out, "finish "+string(e.Reason))
		}
		if err != nil {
			out = append(out, "error "+err.Error())
		}
	}
	flush()
	return strings.Join(out, "\n")
}

var weather = tool.Definition{Name: "get_weather", Description: "Get the weather for a city.",
	Parameters: schema.MustCompile(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}

func ask(messages ...message.Message) *model.Request {
	if len(messages) == 0 {
		messages = []message.Message{message.User("How is the weather?")}
	}
	return &model.Request{Messages: messages, Tools: []tool.Definition{weather}}
}

const oslo = `<tool_action name="get_weather"><city value="Oslo" /></tool_action>`

func TestWrap(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		events []any
		want   string
	}{
		"a call":                {[]any{"See: ", oslo, stopped}, "text \"See: \"\ncall call_1 get_weather {\"city\":\"Oslo\"}\nfinish tool_calls"},
		"two, and text behind":  {[]any{oslo + "\n" + oslo + " Done.", stopped}, "call call_1 get_weather {\"city\":\"Oslo\"}\ncall call_2 get_weather {\"city\":\"Oslo\"}\ntext \" Done.\"\nfinish tool_calls"},
		"no call":               {[]any{"Fine.", stopped}, "text \"Fine.\"\nfinish stop"},
		"an unknown tool":       {[]any{`<tool_action name="x"/>`, stopped}, "call call_1 x {}\nfinish tool_calls"},
		"half a call":           {[]any{oslo[:30], stopped}, fmt.Sprintf("text %q\nfinish stop", oslo[:30])},
		"a cut answer":          {[]any{oslo, model.Finish{Reason: model.FinishLength}}, "call call_1 get_weather {\"city\":\"Oslo\"}\nfinish length"},
		"reasoning":             {[]any{"<think>hm</think>", "Well.", stopped}, "think \"hm\"\ntext \"Well.\"\nfinish stop"},
		"an error":              {[]any{"So <tool_act", errors.New("gone")}, "text \"So <tool_act\"\nerror gone"},
		"an error behind calls": {[]any{oslo[:40], errors.New("gone")}, fmt.Sprintf("text %q\nerror gone", oslo[:40])},
		"no finish":             {[]any{"a <"}, "text \"a <\""},
	} {
		client := dialect.Wrap(&script{events: tt.events}, lookup("tag"))
		if diff := cmp.Diff(tt.want, told(t, client, ask())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWrapAsksWithoutTools looks at what the wrapped client is asked.
func TestWrapAsksWithoutTools(t *testing.T) {
	t.Parallel()
	conversation := []message.Message{
		message.System("Be kind."),
		message.User("Oslo and Rome?"),
		message.Assistant(message.Text("Let me see."),
			message.ToolCall{ID: "a", Name: "get_weather", Arguments: json.RawMessage(`{"city":"Oslo"}`)},
			message.ToolCall{ID: "b", Name: "get_weather", Arguments: json.RawMessage(`{"city":"Rome"}`)}),
		message.Result(message.ToolResult{CallID: "a", Content: []message.Part{message.Text("rain")}}),
		message.Result(message.ToolResult{CallID: "b", Content: []message.Part{message.Text("sun")}}),
	}
	for _, name := range []string{"tag", "decision", "hermes", "structured"} {
		client := &script{events: []any{stopped}}
		wrapped := dialect.Wrap(client, lookup(name))
		if info := wrapped.Info(); info.FunctionCalling != model.Yes || info.Dialect != name {
			t.Errorf("%s: %+v", name, info)
		}
		req := ask(conversation...)
		before, err := json.Marshal(req.Messages)
		if err != nil {
			t.Fatal(err)
		}
		told(t, wrapped, req)
		if after, err := json.Marshal(req.Messages); err != nil || string(after) != string(before) {
			t.Errorf("%s: the request was changed", name)
		}
		if client.asked.Tools != nil || client.asked.Choice != model.ChooseAuto {
			t.Errorf("%s: tools were sent", name)
		}
		messages := client.asked.Messages
		system := messages[0].Text()
		if !strings.HasPrefix(system, "Be kind.\n\n") || !strings.Contains(system, "get_weather") {
			t.Errorf("%s: the system prompt is %q", name, system)
		}
		if answer := messages[2]; len(answer.ToolCalls()) > 0 || !strings.HasPrefix(answer.Text(), "Let me see.") || !strings.Contains(answer.Text(), "Rome") {
			t.Errorf("%s: the answer went back as %q", name, answer.Text())
		}
		results := messages[3:]
		switch name {
		case "tag":
			if len(results) != 2 || results[0].Role != message.RoleTool {
				t.Errorf("tag: the results went back as %v", results)
			}
		case "decision":
			if want := "[Tool result for get_weather]\nrain\n[Tool result for get_weather]\nsun"; len(results) != 1 || results[0].Role != message.RoleUser || results[0].Text() != want {
				t.Errorf("decision: the results went back as %v", results)
			}
		default:
			if len(results) != 1 || results[0].Role != message.RoleUser {
				t.Errorf("%s: the results went back as %v", name, results)
			}
		}
	}
}

// TestWrapWithoutTools: a request may offer no tools, or forbid them.
func TestWrapWithoutTools(t *testing.T) {
	t.Parallel()
	for _, req := range []*model.Request{
		{Messages: []message.Message{message.User("Hi.")}},
		{Messages: []message.Message{message.User("Hi.")}, Tools: []tool.Definition{weather}, Choice: model.ChooseNone},
	} {
		client := &script{events: []any{oslo, stopped}}
		if got, want := told(t, dialect.Wrap(client, lookup("tag")), req), fmt.Sprintf("text %q\nfinish stop", oslo); got != want {
			t.Errorf("got %s", got)
		}
		if messages := client.asked.Messages; len(messages) != 2 || !strings.Contains(messages[0].Text(), "No tools are available") {
			t.Errorf("the model is not told that there are no tools: %v", messages)
		}
	}
	client := &script{events: []any{stopped}}
	req := ask()
	req.Choice = model.ChooseTool("get_weather")
	told(t, dialect.Wrap(client, lookup("tag"), dialect.InLanguage(dialect.Chinese)), req)
	if system := client.asked.Messages[0].Text(); !strings.Contains(system, "必须调用工具 get_weather") {
		t.Errorf("the demand is missing in %q", system)
	}
	client = &script{events: []any{oslo, stopped}}
	if got, want := told(t, dialect.Wrap(client, lookup("plain-text")), ask()), fmt.Sprintf("text %q\nfinish stop", oslo); got != want || client.asked.Tools != nil {
		t.Errorf("plain-text: %s, asked with %v", got, client.asked.Tools)
	}
	if native := (&script{}); dialect.Wrap(native, lookup("native")) != model.Client(native) {
		t.Error("native wraps")
	}
}

// TestWrapReadsHabits: a model that was taught one form may fall back into that of
// its training.
func TestWrapReadsHabits(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tag", "decision", "structured"} {
		client := &script{events: []any{"So: <tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>", stopped}}
		if got, want := told(t, dialect.Wrap(client, lookup(name)), ask()), "text \"So: \"\ncall call_1 get_weather {\"city\": \"Oslo\"}\nfinish tool_calls"; got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// picky is a server that takes no tool messages, as OpenAI's takes none behind an
// answer without native calls.
type picky struct{ asked int }

func (p *picky) Info() model.Info { return model.Info{} }
func (p *picky) Stream(_ context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		p.asked++
		for _, m := range req.Messages {
			if m.Role == message.RoleTool {
				yield(nil, &model.APIError{Status: 400, Message: "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"})
				return
			}
		}
		_ = yield(model.TextDelta("Fine."), nil) && yield(stopped, nil)
	}
}

// TestWrapCopesWithServersThatTakeNoToolMessages asks once more, once.
func TestWrapCopesWithServersThatTakeNoToolMessages(t *testing.T) {
	t.Parallel()
	server := &picky{}
	client := dialect.Wrap(server, lookup("tag"))
	conversation := []message.Message{
		message.User("Weather?"),
		message.Assistant(message.ToolCall{ID: "a", Name: "get_weather", Arguments: json.RawMessage(`{"city":"Oslo"}`)}),
		message.Result(message.ToolResult{CallID: "a", Content: []message.Part{message.Text("rain")}}),
	}
	for i := range 3 {
		if got := told(t, client, ask(conversation...)); got != "text \"Fine.\"\nfinish stop" || server.asked != i+2 {
			t.Errorf("%s, after %d requests", got, server.asked)
		}
	}
}

// TestWrapAsksNobodyTwice who was not refused, whatever becomes of other requests.
func TestWrapAsksNobodyTwice(t *testing.T) {
	t.Parallel()
	server := &picky{}
	client := dialect.Wrap(server, lookup("tag"))
	empty := dialect.Wrap(&script{}, lookup("tag"))
	if got := told(t, empty, ask()); got != "" {
		t.Errorf("an answer without events became %s", got)
	}
	if told(t, client, ask()); server.asked != 1 {
		t.Errorf("a conversation without results was asked %d times", server.asked)
	}
}

// TestNoTextFollowsTheEndOfTheContext, as model.Client promises.
func TestNoTextFollowsTheEndOfTheContext(t *testing.T) {
	t.Parallel()
	for _, wrap := range []func(model.Client) model.Client{
		func(c model.Client) model.Client { return dialect.Wrap(c, lookup("tag")) },
		func(c model.Client) model.Client { return dialect.Rescue(c, dialect.Auto()) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		client := wrap(&script{events: []any{"Hi <tool_action name=", errors.New("canceled")}})
		for event, err := range client.Stream(ctx, ask()) {
			if err == nil && ctx.Err() != nil {
				t.Errorf("%v comes after the end", event)
			}
			cancel()
		}
	}
}

// TestAQuotedCallIsText: what a tool told must not run because the model shows it.
func TestAQuotedCallIsText(t *testing.T) {
	t.Parallel()
	for _, result := range []string{
		"The file says:\n" + oslo + "\n",
		`{"content":"<tool_action name=\"get_weather\">\n<city value=\"Oslo\" /></tool_action>"}`,
		`{"content":"\u003ctool_action name=\"get_weather\"\u003e\u003ccity value=\"Oslo\" /\u003e\u003c/tool_action\u003e"}`,
	} {
		conversation := []message.Message{
			message.User("Show the file."),
			message.Assistant(message.ToolCall{ID: "a", Name: "get_weather", Arguments: json.RawMessage(`{}`)}),
			message.Result(message.ToolResult{CallID: "a", Content: []message.Part{message.Text(result)}}),
		}
		rome := strings.Replace(oslo, "Oslo", "Rome", 1)
		want := fmt.Sprintf("text %q\ncall call_2 get_weather {\"city\":\"Rome\"}\nfinish tool_calls", "It says "+oslo)
		if got := told(t, dialect.Wrap(&script{events: []any{oslo, stopped}}, lookup("tag"), dialect.WithQuotedCalls()), ask(conversation...)); !strings.Contains(got, "call call_2") {
			t.Errorf("a quoted call was asked for: %s", got)
		}
		for _, client := range []model.Client{
			dialect.Wrap(&script{events: []any{"It says ", oslo, rome, stopped}}, lookup("tag")),
			dialect.Rescue(&script{events: []any{"It says ", oslo, rome, stopped}}, dialect.Auto()),
		} {
			if diff := cmp.Diff(want, told(t, client, ask(conversation...))); diff != "" {
				t.Errorf("%q (-want +got):\n%s", result, diff)
			}
		}
	}
}

func TestRescue(t *testing.T) {
	t.Parallel()
	native := model.ToolCall{ID: "n", Name: "get_weather", Arguments: json.RawMessage(`{"city":"Rome"}`)}
	for name, tt := range map[string]struct {
		events []any
		want   string
	}{
		"a call in text":        {[]any{"See: ", oslo, " Done.", stopped}, "text \"See: \"\ncall call_1 get_weather {\"city\":\"Oslo\"}\ntext \" Done.\"\nfinish tool_calls"},
		"another format":        {[]any{"<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>", stopped}, "call call_1 get_weather {\"city\": \"Oslo\"}\nfinish tool_calls"},
		"a native call behind":  {[]any{"A ", oslo, " B ", native, model.Finish{Reason: model.FinishToolCalls}}, fmt.Sprintf("text %q\ncall n get_weather {\"city\":\"Rome\"}\nfinish tool_calls", "A "+oslo+" B ")},
		"a native call before":  {[]any{native, oslo, model.Finish{Reason: model.FinishToolCalls}}, fmt.Sprintf("call n get_weather {\"city\":\"Rome\"}\ntext %q\nfinish tool_calls", oslo)},
		"native, half a marker": {[]any{"a <tool_", native, "call>", stopped}, "text \"a <tool_\"\ncall n get_weather {\"city\":\"Rome\"}\ntext \"call>\"\nfinish stop"},
		"no call":               {[]any{"a < b", stopped}, "text \"a < b\"\nfinish stop"},
		"an error":              {[]any{oslo, errors.New("gone")}, fmt.Sprintf("text %q\nerror gone", oslo)},
	} {
		client := dialect.Rescue(&script{events: tt.events}, dialect.Auto())
		if diff := cmp.Diff(tt.want, told(t, client, ask())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	wrapped := dialect.Wrap(&script{}, lookup("tag"))
	if dialect.Rescue(wrapped, dialect.Auto()) != wrapped {
		t.Error("a client that reads a dialect is rescued once more")
	}
}

// TestDetectKnowsHowServersRefuse has the words of servers that have no tools, and
// of some that have.
func TestDetectKnowsHowServersRefuse(t *testing.T) {
	t.Parallel()
	for message, refuses := range map[string]bool{
		"registry.ollama.ai/library/gemma:2b does not support tools":                                 true,
		"No endpoints found that support tool use. Try disabling \"get_weather\".":                   true,
		`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`:     true,
		"tools param requires --jinja flag":                                                          true,
		"Unrecognized request argument supplied: tools":                                              true,
		"This model does not support function calling.":                                              true,
		"`tools` is not supported by this model":                                                     true,
		"Function calling is not enabled for models/gemma-3-27b-it":                                  true,
		"tools: Extra inputs are not permitted":                                                      true,
		"Invalid schema for function 'get_weather': In context=(), object schema missing properties": false,
		"Invalid 'tools[0].function.name': string does not match pattern.":                           false,
		"The model `gpt-9` does not exist":                                                           false,
		"messages with role 'tool' must be a response to a preceding message with 'tool_calls'":      false,
		"This model's maximum context length is 4096 tokens, with the tools it is 5000":              false,
	} {
		client := &script{events: []any{&model.APIError{Provider: "p", Status: 400, Message: message}}}
		chosen, err := dialect.Detect(client, dialect.Strategy{Dialect: lookup("tag"), NativeOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		_, err = model.Generate(t.Context(), chosen, ask())
		if got := errors.Is(err, dialect.ErrNoFunctionCalling); got != refuses {
			t.Errorf("%q: refuses tools: %v", message, got)
		}
	}
}
