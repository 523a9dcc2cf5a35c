package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// answering is a host that answers all questions at once.
func answering(answers []tool.Answer, err error) *tool.Runtime {
	return &tool.Runtime{CallID: "c", Answer: func(_ context.Context, id tool.CallID, _ []tool.Question) ([]tool.Answer, error) {
		if id != "c" {
			return nil, errors.New("another call")
		}
		return answers, err
	}}
}

func form(fields string) tool.Form {
	return tool.Form{Message: "Tell me.", Fields: schema.MustCompile(fields)}
}

func TestQuestionsThatCanNotBeAsked(t *testing.T) {
	t.Parallel()
	field := func(f string) tool.Form { return form(`{"type":"object","properties":{"f":` + f + `}}`) }
	user := []message.Message{message.User("hi")}
	for _, test := range []struct {
		name     string
		question tool.Question
		want     string
	}{
		{"nothing", nil, "by value"},
		{"a pointer", &tool.Form{Message: "hi"}, "by value"},
		{"no message", tool.Form{Message: " "}, "message is empty"},
		{"a long message", tool.Form{Message: strings.Repeat("x", 16<<10+1)}, "16 KiB"},
		{"no object", form(`{"type":"string"}`), "named fields"},
		{"true", form(`true`), "named fields"},
		{"a field of any kind", field(`true`), "exactly one type"},
		{"an untyped field", field(`{}`), "exactly one type"},
		{"an object", field(`{"type":"object"}`), `field "f" is an object`},
		{"two types", field(`{"type":["string","null"]}`), "exactly one type"},
		{"a reference", form(`{"type":"object","properties":{"f":{"$ref":"#/$defs/f"}},"$defs":{"f":{"type":"string"}}}`), "exactly one type"},
		{"a format", field(`{"type":"string","format":"ipv4"}`), "format"},
		{"a choice of numbers", field(`{"type":"string","enum":["a",1]}`), "not text"},
		{"a choice without a title", field(`{"type":"string","oneOf":[{"const":"a"}]}`), "title"},
		{"an array", field(`{"type":"array"}`), "array of anything"},
		{"an array of strings", field(`{"type":"array","items":{"type":"string"}}`), "array of anything"},
		{"large fields", field(`{"type":"string","description":"` + strings.Repeat("x", 64<<10) + `"}`), "64 KiB"},
		{"an address of no kind", tool.Link{Message: "Pay.", URL: "pay.example.org"}, "https://"},
		{"an address of a script", tool.Link{Message: "Pay.", URL: "javascript:alert(1)"}, "https://"},
		{"an address of a file", tool.Link{Message: "Pay.", URL: "file:///etc/passwd"}, "https://"},
		{"a long address", tool.Link{Message: "Pay.", URL: "https://a/" + strings.Repeat("x", 16<<10)}, "16 KiB"},
		{"a link without a reason", tool.Link{URL: "https://a/"}, "empty"},
		{"no messages", tool.Completion{}, "needs a message"},
		{"negative tokens", tool.Completion{Messages: user, MaxTokens: -1}, "negative"},
		{"an orphan result", tool.Completion{Messages: []message.Message{message.Result(message.ToolResult{CallID: "x"})}}, "message 1"},
		{"a long completion", tool.Completion{System: strings.Repeat("x", 4<<20), Messages: user}, "4 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := answering(nil, errors.New("it was asked")).Ask(t.Context(), test.question)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "tool: question 1") {
				t.Errorf("%v, want %q in it", err, test.want)
			}
		})
	}
	if _, err := answering(nil, nil).Ask(t.Context(), make([]tool.Question, 33)...); err == nil || !strings.Contains(err.Error(), "at most 32") {
		t.Errorf("33 questions: %v", err)
	}
}

const pin = `{"type":"object","required":["pin"],"properties":{"pin":{"type":"string","format":"password","pattern":"^[0-9]+$"},"n":{"type":"integer","default":7}},"additionalProperties":false}`

func TestAnswersAreChecked(t *testing.T) {
	t.Parallel()
	accept := func(fields string) tool.Answer {
		return tool.Answer{Action: tool.Accept, Fields: json.RawMessage(fields)}
	}
	said := tool.Answer{Action: tool.Decline, Message: message.Assistant(message.Text("hi")), Model: "m"}
	for _, test := range []struct {
		name     string
		question tool.Question
		answers  []tool.Answer
		want     string // of the fields, action, text and roots; or in the error
	}{
		{"defaults", form(pin), []tool.Answer{accept(`{"pin":"1"}`)}, `accept {"pin":"1","n":7}`},
		{"an integer as 5.0", form(pin), []tool.Answer{accept(`{"pin":"1","n":5.0}`)}, `accept {"pin":"1","n":5}`},
		{"declined, with fields", form(pin), []tool.Answer{{Action: tool.Decline, Fields: json.RawMessage(`{"pin":1}`)}}, "decline"},
		{"canceled", form(pin), []tool.Answer{{Action: tool.Cancel}}, "cancel"},
		{"yes", tool.Form{Message: "Sure?"}, []tool.Answer{accept(`{"extra":1}`)}, "accept"},
		{"wrong fields", form(pin), []tool.Answer{accept(`{"pin":"hunter2","n":"secret"}`)}, "error: answer to question 1 does not fit its fields: /n (type), /pin (pattern)"},
		{"no fields", form(pin), []tool.Answer{accept(``)}, "error: /pin (required)"},
		{"no JSON", form(pin), []tool.Answer{accept(`hunter2`)}, "error: is not JSON"},
		{"too long", form(pin), []tool.Answer{accept(strings.Repeat(" ", 1<<20) + `{"pin":"1"}`)}, "error: 1024 KiB"},
		{"no action", form(pin), []tool.Answer{{}}, `error: action ""`},
		{"another action", tool.Link{Message: "Pay.", URL: "https://a/"}, []tool.Answer{{Action: "yes"}}, "error: action"},
		{"opened", tool.Link{Message: "Pay.", URL: "https://a/"}, []tool.Answer{accept(`{}`)}, "accept"},
		{"too few", tool.Roots{}, nil, "error: 0 answers to 1 questions"},
		{"too many", tool.Roots{}, make([]tool.Answer, 2), "error: 2 answers"},
		{"no message", tool.Completion{Messages: []message.Message{message.User("hi")}}, []tool.Answer{{}}, "error: no message"},
		{"the user's message", tool.Completion{Messages: []message.Message{message.User("hi")}}, []tool.Answer{{Message: message.User("hi")}}, "error: no message"},
		{"a message", tool.Completion{Messages: []message.Message{message.User("hi")}}, []tool.Answer{said}, "hi m"},
		{"roots", tool.Roots{}, []tool.Answer{{Action: tool.Accept, Roots: []string{"file:///a"}}}, "file:///a"},
		{"a root elsewhere", tool.Roots{}, []tool.Answer{{Roots: []string{"https://a"}}}, "error: file://"},
		{"many roots", tool.Roots{}, []tool.Answer{{Roots: make([]string, 1001)}}, "error: 1000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			answers, err := answering(test.answers, nil).Ask(t.Context(), test.question)
			if want, fails := strings.CutPrefix(test.want, "error: "); fails {
				if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "secret") {
					t.Errorf("%v, want %q in it and no secret", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			a := answers[0]
			words := strings.Fields(strings.Join(append([]string{string(a.Action), string(a.Fields), a.Message.Text(), a.Model}, a.Roots...), " "))
			if got := strings.Join(words, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestAskWithoutAHost(t *testing.T) {
	t.Parallel()
	if _, err := new(tool.Runtime).Ask(t.Context(), tool.Roots{}); !errors.Is(err, tool.ErrNobody) {
		t.Errorf("nobody is there: %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := answering(nil, errors.New("asked")).Ask(canceled, tool.Roots{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	failure := errors.New("the line is dead")
	if _, err := answering(nil, failure).Ask(t.Context(), tool.Roots{}); !errors.Is(err, failure) {
		t.Errorf("a host that fails: %v", err)
	}
	if answers, err := answering(nil, errors.New("asked")).Ask(t.Context()); err != nil || answers != nil {
		t.Errorf("no question: %v, %v", answers, err)
	}
}

type choice struct {
	Size   string   `json:"size" jsonschema:"enum=s,enum=m"`
	Extras []string `json:"extras,omitempty" jsonschema:"enum=nuts,enum=cream"`
	Number int8     `json:"number,omitempty"`
	Price  *float64 `json:"price"`
}

func TestAskDecodes(t *testing.T) {
	t.Parallel()
	ask := func(a tool.Answer, err error) (choice, error) {
		return tool.Ask[choice](tool.WithRuntime(t.Context(), answering([]tool.Answer{a}, err)), "Which?")
	}
	got, err := ask(tool.Answer{Action: tool.Accept, Fields: json.RawMessage(`{"size":"m","extras":["nuts"],"number":5}`)}, nil)
	if err != nil || got.Size != "m" || len(got.Extras) != 1 || got.Number != 5 || got.Price != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, test := range []struct {
		name   string
		answer tool.Answer
		err    error
		kind   tool.Kind
		want   string
	}{
		{"declined", tool.Answer{Action: tool.Decline}, nil, tool.KindDenied, "declined"},
		{"canceled", tool.Answer{Action: tool.Cancel}, nil, tool.KindDenied, "no answer"},
		{"nobody", tool.Answer{}, tool.ErrNobody, tool.KindUnavailable, "nobody is there"},
		{"wrong", tool.Answer{Action: tool.Accept, Fields: json.RawMessage(`{"size":"xl"}`)}, nil, tool.KindExecution, "/size (enum)"},
		{"too large", tool.Answer{Action: tool.Accept, Fields: json.RawMessage(`{"size":"m","number":300}`)}, nil, tool.KindExecution, "number"},
	} {
		got, err := ask(test.answer, test.err)
		e := tool.AsError(err)
		if e == nil || e.Kind != test.kind || !strings.Contains(e.Message, test.want) || got.Size != "" || strings.Contains(e.Message, "300") {
			t.Errorf("%s: %+v, %v, want %s and %q", test.name, got, err, test.kind, test.want)
		}
	}
}

func TestAskOfATypeThatIsNoForm(t *testing.T) {
	t.Parallel()
	ctx := tool.WithRuntime(t.Context(), answering(nil, errors.New("asked")))
	check := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "asked") {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
	_, err := tool.Ask[bool](ctx, "Sure?")
	check(err, "named fields")
	_, err = tool.Ask[struct{}](ctx, "Sure?")
	check(err, "Confirm")
	_, err = tool.Ask[struct{ To delivery }](ctx, "Where to?")
	check(err, `"To" is an object`)
	_, err = tool.Ask[struct{ C chan int }](ctx, "Which?")
	check(err, "chan int")
}

// FuzzInputs: a form that can be asked has only fields that a person can be shown, and
// what it says can be chosen is valid.
func FuzzInputs(f *testing.F) {
	f.Add(pin)
	f.Add(`{"properties":{"c":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}}}`)
	f.Add(`{"type":"object","properties":{"c":{"type":"string","enum":["a"],"enumNames":["A"]}}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		s, err := schema.Compile([]byte(doc))
		if err != nil {
			return
		}
		fields, err := tool.Form{Message: "hi", Fields: s}.Inputs()
		if err != nil {
			return
		}
		for _, field := range fields {
			switch field.Type {
			case "string", "number", "integer", "boolean":
			case "array":
				if len(field.Choices) == 0 {
					t.Errorf("%s: nothing can be chosen for %q", doc, field.Name)
				}
			default:
				t.Errorf("%s: %q is of type %q", doc, field.Name, field.Type)
			}
		}
	})
}
