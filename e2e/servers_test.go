package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"helve/mcp"
	"helve/message"
	"helve/tool"
)

// offered are the tools of server-everything 2026.8.31 for a client that can answer
// questions. simulate-research-query is not among them: it wants the tasks extension.
var offered = strings.Fields(`
	echo get-annotated-message get-env get-resource-links get-resource-reference
	get-structured-content get-sum get-tiny-image gzip-file-as-resource
	toggle-simulated-logging toggle-subscriber-updates trigger-elicitation-request
	trigger-long-running-operation trigger-sampling-request trigger-url-elicitation`)

func TestEverything(t *testing.T) {
	t.Parallel()
	for name, start := range over {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t).connect()
			t.Run("tools", func(t *testing.T) { listsTools(t, e) })
			t.Run("results", func(t *testing.T) { givesResults(t, e) })
			t.Run("wrong arguments", func(t *testing.T) { refusesArguments(t, e) })
			t.Run("progress", func(t *testing.T) { reportsProgress(t, e) })
			t.Run("elicitation", func(t *testing.T) { asksThePerson(t, e) })
			t.Run("sampling", func(t *testing.T) { asksTheModel(t, e) })
			t.Run("cancel", func(t *testing.T) { cancels(t, e) })
			t.Run("restart", func(t *testing.T) { restarts(t, e) })
			t.Run("close", func(t *testing.T) { closes(t, e) })
		})
	}
}

func listsTools(t *testing.T, e *everything) {
	tools := e.tools()
	if got := slices.Sorted(maps.Keys(tools)); !slices.Equal(got, offered) {
		t.Errorf("tools: %q\nwant   %q", got, offered)
	}
	sum := tools["get-sum"].Definition()
	if sum.Name != "everything__get-sum" || sum.Description != "Returns the sum of two numbers" {
		t.Errorf("%s: %q", sum.Name, sum.Description)
	}
	if err := sum.Schema().Validate([]byte(`{"a":1}`)); err == nil {
		t.Error("get-sum takes one number, and wants two")
	}
	s := e.client.Status()
	if s.State != mcp.Ready || s.Protocol != "2025-11-25" || !strings.Contains(s.Server, "everything") {
		t.Errorf("status: %+v", s)
	}
}

func givesResults(t *testing.T, e *everything) {
	e.t = t
	e.echoes()
	get := func(name, arguments string) tool.Result {
		t.Helper()
		result, err := e.call(within(t), nil, name, arguments)
		if err != nil {
			t.Fatalf("%s: %s", name, whole(err))
		}
		return result
	}
	if got := get("get-sum", `{"a":2,"b":40.5}`).Text(); got != "The sum of 2 and 40.5 is 42.5." {
		t.Errorf("get-sum: %q", got)
	}

	images := of[message.Image](get("get-tiny-image", `{}`))
	if len(images) != 1 || images[0].MediaType != "image/png" || !bytes.Equal(images[0].Data, tinyImage(t)) {
		t.Errorf("get-tiny-image: %d images, want the one PNG that the server has", len(images))
	}

	weather := get("get-structured-content", `{"location":"Chicago"}`)
	const bytesOfServer = `{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}`
	output, _ := weather.Artifact.(mcp.Output)
	if string(output.Structured) != bytesOfServer || weather.Text() != bytesOfServer {
		t.Errorf("get-structured-content: %s, and as text %s", output.Structured, weather.Text())
	}

	links := of[message.Resource](get("get-resource-links", `{"count":2}`))
	if len(links) != 2 || !strings.HasPrefix(links[0].URI, "demo://resource/dynamic/") || links[0].Name == "" || links[0].MediaType == "" || links[0].Text != "" {
		t.Errorf("get-resource-links: %+v", links)
	}
	embedded := of[message.Resource](get("get-resource-reference", `{"resourceType":"Text","resourceId":1}`))
	if len(embedded) != 1 || embedded[0].URI != "demo://resource/dynamic/text/1" || !strings.Contains(embedded[0].Text, "Resource 1") {
		t.Errorf("get-resource-reference, text: %+v", embedded)
	}
	embedded = of[message.Resource](get("get-resource-reference", `{"resourceType":"Blob","resourceId":2}`))
	if len(embedded) != 1 || !bytes.Contains(embedded[0].Data, []byte("Resource 2")) {
		t.Errorf("get-resource-reference, blob: %+v", embedded)
	}
	if n := len(of[message.Image](get("get-annotated-message", `{"messageType":"success","includeImage":true}`))); n != 1 {
		t.Errorf("get-annotated-message: %d images, want one", n)
	}
	zipped := of[message.Resource](get("gzip-file-as-resource", `{"name":"a.gz","data":"data:text/plain;base64,`+base64.StdEncoding.EncodeToString([]byte("hello"))+`","outputType":"resource"}`))
	if len(zipped) != 1 || zipped[0].MediaType != "application/gzip" || !bytes.HasPrefix(zipped[0].Data, []byte{0x1f, 0x8b}) {
		t.Errorf("gzip-file-as-resource: %+v", zipped)
	}
}

// tinyImage is the picture in the source of server-everything.
func tinyImage(t *testing.T) []byte {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(filepath.Dir(npmServer(t, "everything")), "tools", "get-tiny-image.js"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`"(iVBORw[A-Za-z0-9+/=]+)"`).FindSubmatch(source)
	if found == nil {
		t.Fatal("get-tiny-image.js holds no picture")
	}
	data, err := base64.StdEncoding.DecodeString(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// of are the parts of one kind.
func of[P message.Part](r tool.Result) []P {
	var found []P
	for _, part := range r.Content {
		if p, ok := part.(P); ok {
			found = append(found, p)
		}
	}
	return found
}

// The server checks its arguments too: what it says reaches the model.
func refusesArguments(t *testing.T, e *everything) {
	e.t = t
	_, err := e.call(within(t), nil, "get-sum", `{"a":"two"}`)
	failed := tool.AsError(err)
	if failed == nil || !strings.Contains(failed.Message, "Input validation error") || !strings.Contains(failed.Message, "expected number") {
		t.Errorf("get-sum of a word: %+v", failed)
	}
	e.echoes()
}

func reportsProgress(t *testing.T, e *everything) {
	e.t = t
	var mu sync.Mutex
	var reports []tool.Progress
	rt := &tool.Runtime{CallID: "call-1", Report: func(id tool.CallID, u tool.Update) {
		mu.Lock()
		defer mu.Unlock()
		if p, ok := u.(tool.Progress); ok && id == "call-1" {
			reports = append(reports, p)
		}
	}}
	result, err := e.call(within(t), rt, "trigger-long-running-operation", `{"duration":0.5,"steps":5}`)
	if err != nil || result.Text() != "Long running operation completed. Duration: 0.5 seconds, Steps: 5." {
		t.Errorf("%q, %v", result.Text(), err)
	}
	mu.Lock()
	defer mu.Unlock()
	last := 0.0 // of several reports the latest counts: some may be left out
	for _, p := range reports {
		if p.Done <= last || p.Total != 5 {
			t.Errorf("%+v after %v", p, last)
		}
		last = p.Done
	}
	if last == 0 {
		t.Error("nothing was reported")
	}
}

// answering is a host that gives the same answer to each question, and keeps them.
func answering(a tool.Answer, asked *[]tool.Question) *tool.Runtime {
	return &tool.Runtime{CallID: "call-1", Answer: func(_ context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
		*asked = append(*asked, questions...)
		return slices.Repeat([]tool.Answer{a}, len(questions)), nil
	}}
}

func asksThePerson(t *testing.T, e *everything) {
	e.t = t
	var asked []tool.Question
	for _, c := range []struct {
		tool, arguments string
		answer          tool.Answer
		want            []string
	}{
		{"trigger-elicitation-request", `{}`, tool.Answer{Action: tool.Accept, Fields: json.RawMessage(`{"name":"Ada","check":true}`)},
			[]string{"Name: Ada", "Agreed to terms: true", "Favorite Integer: 42"}}, // the last by default
		{"trigger-elicitation-request", `{}`, tool.Answer{Action: tool.Decline}, []string{"declined"}},
		{"trigger-elicitation-request", `{}`, tool.Answer{Action: tool.Cancel}, []string{"cancelled"}},
		{"trigger-url-elicitation", `{"url":"https://example.com/pay","message":"Pay, please."}`, tool.Answer{Action: tool.Accept}, []string{"completed the URL elicitation flow"}},
	} {
		result, err := e.call(within(t), answering(c.answer, &asked), c.tool, c.arguments)
		if err != nil {
			t.Errorf("%s, %s: %s", c.tool, c.answer.Action, whole(err))
			continue
		}
		for _, words := range c.want {
			if !strings.Contains(result.Text(), words) {
				t.Errorf("%s, %s: %q, want %q", c.tool, c.answer.Action, result.Text(), words)
			}
		}
	}
	if len(asked) != 4 {
		t.Fatalf("%d questions, want 4", len(asked))
	}
	if form, ok := asked[0].(tool.Form); !ok || !strings.Contains(form.Message, "everything") {
		t.Errorf("asked: %#v", asked[0])
	} else if inputs, err := form.Inputs(); err != nil || len(inputs) != 13 || inputs[0].Name != "name" || inputs[12].Name != "legacyTitledEnum" {
		t.Errorf("inputs: %d, %v; want 13 in the server's order, from name to legacyTitledEnum: %+v", len(inputs), err, inputs)
	}
	if link, ok := asked[3].(tool.Link); !ok || link.URL != "https://example.com/pay" || !strings.Contains(link.Message, "Pay, please.") {
		t.Errorf("asked: %#v", asked[3])
	}
	result, err := e.call(within(t), nil, "trigger-elicitation-request", `{}`)
	if err != nil || !strings.Contains(result.Text(), "declined") {
		t.Errorf("nobody there: %q, %v", result.Text(), err)
	}
}

func asksTheModel(t *testing.T, e *everything) {
	e.t = t
	var asked []tool.Question
	said := tool.Answer{Message: message.Message{Role: message.RoleAssistant, Parts: []message.Part{message.Text("Forty-two.")}}, Model: "offline"}
	result, err := e.call(within(t), answering(said, &asked), "trigger-sampling-request", `{"prompt":"What is 6 * 7?","maxTokens":20}`)
	if err != nil || !strings.Contains(result.Text(), "Forty-two.") || !strings.Contains(result.Text(), "offline") {
		t.Errorf("%q, %v", result.Text(), err)
	}
	if len(asked) != 1 {
		t.Fatalf("asked: %v", asked)
	}
	if q, ok := asked[0].(tool.Completion); !ok || q.MaxTokens != 20 || q.System == "" || len(q.Messages) != 1 || !strings.Contains(q.Messages[0].Text(), "What is 6 * 7?") {
		t.Errorf("asked: %+v", asked[0])
	}
	if result, err := e.call(within(t), nil, "trigger-sampling-request", `{"prompt":"?"}`); err == nil {
		t.Errorf("nobody there: %q", result.Text())
	}
	e.echoes()
}

// The call is canceled when it says that it runs. The session goes on.
func cancels(t *testing.T, e *everything) {
	e.t = t
	before := e.client.Status().Generation
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	rt := &tool.Runtime{CallID: "call-1", Report: func(tool.CallID, tool.Update) { cancel() }}
	_, err := e.call(ctx, rt, "trigger-long-running-operation", `{"duration":3000,"steps":30000}`)
	if failed := tool.AsError(err); failed == nil || failed.Kind != tool.KindCanceled {
		t.Errorf("%v", err)
	}
	e.echoes()
	if now := e.client.Status().Generation; now != before {
		t.Errorf("connected %d times, and %d before the call was canceled", now, before)
	}
}

// The server is killed between two calls, and the second does not notice.
func restarts(t *testing.T, e *everything) {
	e.t = t
	for range 2 {
		before := e.client.Status().Generation
		e.restart()
		e.echoes()
		if now := e.client.Status().Generation; now != before+1 {
			t.Errorf("connected %d times, and %d before the server was restarted", now, before)
		}
	}
}

func closes(t *testing.T, e *everything) {
	if err := e.client.Close(); err != nil {
		t.Error(err)
	}
	if e.config.Command == "" {
		return // it was not the client's to end
	}
	if left := e.mark.processes(t); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}
