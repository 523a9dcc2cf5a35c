package telemetry_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/tool"
)

// contentKeys are the attributes that hold what was said.
var contentKeys = []string{
	"gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.definitions",
	"gen_ai.tool.call.arguments", "gen_ai.tool.call.result",
}

// talk runs an agent to which people, a model and a tool say secret things.
func talk(w *watch) {
	login := tool.Must(tool.New("login", "Logs in.", func(_ context.Context, in struct {
		User     string `json:"user"`
		Password string `json:"password"`
	}) (string, error) {
		return "welcome " + in.User + ", your token=tok_0123456789abcdef", nil
	}))
	client := modeltest.NewScript(
		modeltest.Calls(call("1", "login", `{"user":"ada","password":"hunter2"}`)),
		modeltest.Text("You are in, ", "ada."),
	)
	a := w.newAgent(client, agent.Config{Instructions: "Serve the countess."}, login)
	if _, err := agent.Collect(w.stream(w.t.Context(), a, "Log me in with sk-abcdefghijklmnopqrstuvwx.")); err != nil {
		w.t.Fatal(err)
	}
}

func TestContentIsNotCapturedByDefault(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	talk(w)
	for _, said := range []string{"ada", "hunter2", "sk-abc", "tok_", "countess", "Log me in", "You are in"} {
		if strings.Contains(w.everything(), said) {
			t.Errorf("%q is in the telemetry", said)
		}
	}
	for _, s := range w.spans.Ended() {
		for _, key := range contentKeys {
			if v, ok := attrs(s.Attributes())[key]; ok {
				t.Errorf("%s has %s: %v", s.Name(), key, v)
			}
		}
	}
}

func TestContentIsCapturedRedacted(t *testing.T) {
	t.Parallel()
	w := newWatch(t, capturing)
	talk(w)
	for _, secret := range []string{"hunter2", "sk-abc", "tok_"} {
		if strings.Contains(w.everything(), secret) {
			t.Errorf("%q is in the telemetry", secret)
		}
	}
	got := map[string]any{}
	for k, v := range attrs(w.span("execute_tool login").Attributes()) {
		got[k] = v
	}
	last := w.spans.Ended()[2]
	if last.Name() != "chat script" {
		t.Fatal(w.tree())
	}
	for k, v := range attrs(last.Attributes()) {
		got[k] = v
	}
	want := map[string]string{
		"gen_ai.tool.call.arguments": `{"password":"[redacted]","user":"ada"}`,
		"gen_ai.tool.call.result":    `welcome ada, your [redacted]`,
		"gen_ai.system_instructions": `[{"type":"text","content":"Serve the countess."}]`,
		"gen_ai.input.messages": `[{"role":"user","parts":[{"type":"text","content":"Log me in with [redacted]."}]},` +
			`{"role":"assistant","parts":[{"type":"tool_call","id":"1","name":"login","arguments":{"password":"[redacted]","user":"ada"}}]},` +
			`{"role":"tool","parts":[{"type":"tool_call_response","id":"1","response":"welcome ada, your [redacted]"}]}]`,
		"gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"text","content":"You are in, ada."}],"finish_reason":"stop"}]`,
	}
	for key, value := range want {
		if diff := cmp.Diff(value, got[key]); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
	if s, _ := got["gen_ai.tool.definitions"].(string); !strings.HasPrefix(s, `[{"type":"function","name":"login","description":"Logs in.","parameters":{`) {
		t.Errorf("definitions are %s", s)
	}
}

// What the log hides is hidden here too, in every place, and where text is cut.
func TestContentHidesWhatTheLogHides(t *testing.T) {
	t.Parallel()
	const address = "postgres://admin:hunter2hunter2@db"
	cut := strings.Repeat("x", 8<<10-len("postgres://admin:hunter2hunter2")) + address
	for _, secret := range []string{
		`{"api_keys":["hunter2"]}`, `{"password":"correct hunter2 battery"}`, `{"token":{"value":"hunter2"}}`, `{"secret":"a\"hunter2"}`, cut,
	} {
		w := newWatch(t, capturing)
		tells := simple("tells", func(context.Context) (string, error) { return secret, nil })
		client := modeltest.NewScript(modeltest.Calls(call("1", "tells", `{}`)), modeltest.Text(secret))
		if _, err := agent.Collect(w.stream(t.Context(), w.newAgent(client, agent.Config{Instructions: secret}, tells), secret)); err != nil {
			t.Fatal(err)
		}
		if got := w.everything(); strings.Contains(got, "hunter2") {
			t.Errorf("%.100s: got %.1000s", secret, got)
		}
	}
}

func TestContentOfAFailedCall(t *testing.T) {
	t.Parallel()
	w := newWatch(t, capturing)
	execute(w.newExecutor(executor.Config{}, failing()), t.Context(), call("1", "fail", `not JSON`))
	got := attrs(w.span("execute_tool fail").Attributes())
	if got["gen_ai.tool.call.arguments"] != "[not JSON]" || !strings.HasPrefix(got["gen_ai.tool.call.result"].(string), `{"success":false`) {
		t.Errorf("got %v", got)
	}
}

func TestContentHasBounds(t *testing.T) {
	t.Parallel()
	w := newWatch(t, capturing)
	var long []message.Message
	for range 100 {
		long = append(long, message.User(strings.Repeat("many words ", 1000)))
	}
	long = append(long, message.Message{Role: message.RoleUser, Parts: []message.Part{
		message.Text("the last"),
		message.Image{Data: make([]byte, 1<<20), MediaType: "image/png"},
		message.Image{URL: "https://user:pass@example.org/a.png"},
		message.Audio{Data: []byte("x"), MediaType: "audio/wav"},
		message.File{Data: []byte("x"), MediaType: "application/pdf"},
		message.Resource{URI: "file:///a"},
		message.Reasoning("hm"),
	}})
	long = append(long, message.Assistant(call("9", "add", `{"a":"`+strings.Repeat("x", 5000)+`"}`)))
	client := w.Client(modeltest.NewScript(modeltest.Text(strings.Repeat("many words ", 100_000))))
	if _, err := model.Generate(t.Context(), client, &model.Request{Messages: long}); err != nil {
		t.Fatal(err)
	}
	w.checkSendable()
	got := attrs(w.span("chat script").Attributes())
	for _, key := range []string{"gen_ai.input.messages", "gen_ai.output.messages"} {
		if s, _ := got[key].(string); !json.Valid([]byte(s)) {
			t.Errorf("%s is no JSON: %.200s", key, s)
		}
	}
	input := got["gen_ai.input.messages"].(string)
	for _, part := range []string{
		`[{"type":"omitted","count":`, `"the last"`,
		`{"type":"omitted","modality":"image","mime_type":"image/png","bytes":1048576}`,
		`{"type":"uri","modality":"image","uri":"https[redacted]example.org/a.png"}`,
		`{"type":"omitted","modality":"audio","mime_type":"audio/wav","bytes":1}`,
		`{"type":"omitted","modality":"file","mime_type":"application/pdf","bytes":1}`,
		`{"type":"uri","modality":"file","uri":"file:///a"}`,
		`{"type":"reasoning","content":"hm"}`,
		`"arguments":"{\"a\":\"xxx`,
	} {
		if !strings.Contains(input, part) {
			t.Errorf("%s is not in …%s", part, input[len(input)-2000:])
		}
	}
}
