package badserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// behaviour is what a tool does when it is called.
type behaviour struct {
	name, about string
	properties  string // of its arguments: the inside of a JSON object
	more        string // members of its definition, with a comma before
	run         func(c *call) (result, failure raw)
}

// tools are what every server has. Those from huge on are the faults of a call.
var tools = []behaviour{
	{"echo", "Returns its text.", `"text":{"type":"string"}`, `,"annotations":{"readOnlyHint":true}`, (*call).echo},
	{"counter", "Adds one to a number of the server and returns it.", ``, ``, (*call).count},
	{"sleep", "Sleeps until it is canceled.", ``, ``, (*call).sleep},
	{"progress", "Reports steps, some milliseconds apart.", `"steps":{"type":"integer"},"pause":{"type":"integer"}`, ``, (*call).progress},
	{"fail", "Fails, as tools do.", ``, ``, always(`{"isError":true,"content":[{"type":"text","text":"no such city: Atlantis"}]}`)},
	{"image", "Returns a small picture.", ``, ``, always(`{"content":[{"type":"image","mimeType":"image/png","data":"` + pixel + `"}]}`)},
	{"mixed", "Returns one of each kind.", ``, ``, always(mixed)},
	{"structured", "Returns text and structure.", ``, `,"outputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}`,
		always(`{"content":[{"type":"text","text":"the id"}],"structuredContent":{"id":12345678901234567890}}`)},
	{"elicit", "Asks the person for a name.", ``, ``, (*call).elicit},
	{"sample", "Asks the model of the client.", ``, ``, (*call).sample},
	{"environ", "Returns the names of the environment's variables.", ``, ``, (*call).environ},

	{"huge", "Returns megabytes of text.", `"megabytes":{"type":"integer"}`, ``, (*call).huge},
	{"unknown_content", "Returns a kind of content that does not exist.", ``, ``,
		always(`{"content":[{"type":"text","text":"before"},{"type":"hologram","n":12345678901234567890},{"type":"text","text":"after"}]}`)},
	{"bad_base64", "Returns a picture that is not base64.", ``, ``, always(`{"content":[{"type":"image","mimeType":"image/png","data":"!!not base64!!"}]}`)},
	{"data_url", "Returns a picture as a data: URL.", ``, ``, always(`{"content":[{"type":"image","mimeType":"image/png","data":"data:image/png;base64,` + pixel + `"}]}`)},
	{"no_content", "Returns an empty list.", ``, ``, always(`{"content":[]}`)},
	{"null_content", "Returns null for a list.", ``, ``, always(`{"content":null}`)},
	{"nothing", "Returns an empty object.", ``, ``, always(`{}`)},
	{"structured_only", "Returns structure without text.", ``, ``, always(`{"structuredContent":{"id":12345678901234567890}}`)},
	{"task_required", "Is for clients that have tasks.", ``, `,"execution":{"taskSupport":"required"}`,
		always(`{"isError":true,"content":[{"type":"text","text":"task_required requires task augmentation"}]}`)},
	{"error", "Answers an error of the protocol.", ``, ``, refuse("the disk is on fire")},
	{"error_without_message", "Answers an error that says nothing.", ``, ``, refuse("")},
	{"never", "Never answers, canceled or not.", ``, ``, (*call).never},
	{"die", "Ends the server before it answers.", ``, ``, (*call).die},
	{"die_once", "Ends the server, unless the file exists: it makes it.", `"file":{"type":"string"}`, ``, (*call).dieOnce},
	{"kill", "Kills the server.", ``, ``, (*call).kill},
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const mixed = `{"content":[
	{"type":"text","text":"one of each"},
	{"type":"image","mimeType":"image/png","data":"` + pixel + `"},
	{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="},
	{"type":"resource","resource":{"uri":"test://note","mimeType":"text/plain","text":"a note"}},
	{"type":"resource_link","uri":"test://far","name":"far away"}]}`

// definition is how the tool stands in a list.
func (b behaviour) definition() raw {
	head := bytes.TrimSuffix(define(b.name, b.about, `{"type":"object","properties":{`+b.properties+`}}`), []byte("}"))
	return append(head, b.more+"}"...)
}

func always(result string) func(*call) (raw, raw) {
	return func(*call) (raw, raw) {
		return raw(strings.NewReplacer("\n", "", "\t", "").Replace(result)), nil
	}
}

func refuse(message string) func(*call) (raw, raw) {
	return func(*call) (raw, raw) { return nil, failure(-32000, message) }
}

func text(s string) raw {
	return encode(map[string]any{"content": []any{map[string]any{"type": "text", "text": s}}})
}

func (c *call) echo() (raw, raw) { return text(c.args.Text), nil }

func (c *call) count() (raw, raw) {
	return text(fmt.Sprint(c.session.server.add(&c.session.server.counter, 1))), nil
}

func (c *call) sleep() (raw, raw) {
	<-c.ctx.Done()
	c.session.server.tell("woken")
	return nil, nil
}

func (c *call) never() (raw, raw) {
	<-c.session.server.closed
	return nil, nil
}

func (c *call) progress() (raw, raw) {
	for i := range c.args.Steps {
		select {
		case <-time.After(time.Duration(c.args.Pause) * time.Millisecond):
		case <-c.ctx.Done():
			return nil, nil
		}
		if c.params.Meta.Token != nil {
			c.out(notification("notifications/progress", map[string]any{
				"progressToken": c.params.Meta.Token, "progress": i + 1, "total": c.args.Steps, "message": fmt.Sprintf("step %d", i+1),
			}))
		}
	}
	return text("all steps done"), nil
}

func (c *call) elicit() (raw, raw) {
	question := form("Your name?")
	if c.modern() {
		return c.require("elicitation/create", question)
	}
	m, err := c.session.ask(c.ctx, c.out, "elicitation/create", question)
	return c.answered(m, err, action)
}

func (c *call) sample() (raw, raw) {
	question := map[string]any{
		"systemPrompt": "Answer in one word.", "maxTokens": 50,
		"messages": []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": "The capital of France?"}}},
	}
	if c.modern() {
		return c.require("sampling/createMessage", question)
	}
	m, err := c.session.ask(c.ctx, c.out, "sampling/createMessage", question)
	return c.answered(m, err, sampled)
}

// require asks by the result, as modern servers do: the client calls again with the
// answer.
func (c *call) require(method string, question any) (raw, raw) {
	if c.params.Responses == nil {
		return encode(map[string]any{
			"resultType": "input_required", "requestState": "state of " + c.params.Name,
			"inputRequests": map[string]any{"question": map[string]any{"method": method, "params": question}},
		}), nil
	}
	m := message{Result: c.params.Responses["question"]}
	if method == "elicitation/create" {
		return c.answered(m, nil, action)
	}
	return c.answered(m, nil, sampled)
}

func (c *call) answered(m message, err error, read func(message) string) (raw, raw) {
	if err != nil {
		return nil, nil
	}
	c.session.server.tell("answered " + read(m))
	return text("the answer: " + read(m)), nil
}

func sampled(m message) string {
	var result struct {
		Model   string
		Content struct{ Text string }
	}
	if m.Error != nil {
		return "error " + string(m.Error)
	}
	_ = json.Unmarshal(m.Result, &result)
	return result.Content.Text
}

func (c *call) environ() (raw, raw) {
	var names []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	return text(strings.Join(names, " ")), nil
}

func (c *call) huge() (raw, raw) {
	return text(strings.Repeat("0123456789abcde\n", c.args.Megabytes<<20/16)), nil
}

func (c *call) die() (raw, raw) {
	c.session.end("fatal: the disk is on fire")
	return nil, nil
}

func (c *call) dieOnce() (raw, raw) {
	f, err := os.OpenFile(c.args.File, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return text("alive the second time"), nil
	}
	f.Close()
	return c.die()
}

func (c *call) kill() (raw, raw) {
	if !c.session.program {
		return c.die()
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {} // SIGKILL is on its way
}
