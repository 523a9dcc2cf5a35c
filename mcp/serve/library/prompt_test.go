package library_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"helve/tool"
)

const png = "\x89PNG\r\n\x1a\n"

func TestRender(t *testing.T) {
	t.Parallel()
	prompts, _ := loaded(t, map[string]string{
		"prompts/review.yaml": `
name: review
title: Review a page
arguments:
  - {name: page, required: true, values: [home, about]}
  - {name: tone}
messages:
  - text: Review {page}{tone}. Answer as {"page":"{page}","mark":1}, and not as {{page}}.
  - role: assistant
    text: Gladly.
  - resource: wiki://{page}
  - image: a.png
  - audio: a.wav
`,
		"resources/wiki.yaml": "uri: wiki://{page}\nname: wiki\nfile: wiki/{page}.md\n",
		"wiki/home.md":        "# Home",
		"a.png":               png,
		"a.wav":               "RIFF\x00\x00\x00\x00WAVEfmt ",
	})
	p := prompts[0]
	if p.Title != "Review a page" || len(p.Arguments) != 2 || !p.Arguments[0].Required || len(p.Arguments[0].Values) != 2 {
		t.Errorf("listed as %+v", p)
	}
	messages, err := p.Render(t.Context(), map[string]string{"page": "home"})
	if err != nil {
		t.Fatal(err)
	}
	want := `user Review home. Answer as {"page":"home","mark":1}, and not as {page}.
assistant Gladly.
user wiki://home text/markdown # Home
user image/png
user audio/wav`
	if got := spoken(messages); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := p.Render(t.Context(), map[string]string{"page": "home, or {tone}", "tone": " kindly"}); tool.AsError(err) == nil {
		t.Error("a resource that is not there is no error")
	}
}

// TestAValueIsNoTemplate: what a person fills in is put in as it is.
func TestAValueIsNoTemplate(t *testing.T) {
	t.Parallel()
	prompts, _ := loaded(t, map[string]string{"prompts/a.yaml": "name: a\narguments: [{name: a}, {name: b}]\nmessages: [{text: '{a}{b}'}]\n"})
	messages, err := prompts[0].Render(t.Context(), map[string]string{"a": "{b}", "b": "{{a}}"})
	if got := spoken(messages); err != nil || got != "user {b}{{a}}" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAsk: who has not filled in what is wanted is asked.
func TestAsk(t *testing.T) {
	t.Parallel()
	const file = `
name: a
arguments:
  - {name: who, required: true, ask: "Who is it?"}
  - {name: how, ask: "How?"}
messages: [{text: "{who} {how}"}]
`
	prompts, _ := loaded(t, map[string]string{"prompts/a.yaml": file})
	optional, _ := loaded(t, map[string]string{"prompts/a.yaml": "name: a\narguments: [{name: how, ask: How}]\nmessages: [{text: 'so {how}.'}]\n"})
	if prompts[0].Arguments[0].Required {
		t.Error("a client must not insist on what is asked")
	}
	accept := func(fields string) tool.Answer {
		return tool.Answer{Action: tool.Accept, Fields: json.RawMessage(fields)}
	}
	for _, test := range []struct {
		name    string
		given   map[string]string
		answers []tool.Answer // nil is for nobody
		want    string
		kind    tool.Kind
	}{
		{"given", map[string]string{"who": "Ada", "how": "well"}, nil, "user Ada well", ""},
		{"asked", nil, []tool.Answer{accept(`{"who":"Ada"}`), accept(`{"how":"well"}`)}, "user Ada well", ""},
		{"asked for one", map[string]string{"who": "Ada"}, []tool.Answer{accept(`{"how":"well"}`)}, "user Ada well", ""},
		{"declined", nil, []tool.Answer{accept(`{"who":"Ada"}`), {Action: tool.Decline}}, "user Ada ", ""},
		{"declined what is needed", nil, []tool.Answer{{Action: tool.Cancel}, {Action: tool.Decline}}, "", tool.KindDenied},
		{"answered with nothing", nil, []tool.Answer{accept(`{"who":""}`), {Action: tool.Decline}}, "", tool.KindExecution},
		{"nobody", nil, nil, "", tool.KindUnavailable},
	} {
		rt := &tool.Runtime{}
		if test.answers != nil {
			rt.Answer = func(_ context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
				if len(questions) != len(test.answers) {
					t.Errorf("%s: asked %v", test.name, questions)
				}
				return test.answers, nil
			}
		}
		messages, err := prompts[0].Render(tool.WithRuntime(t.Context(), rt), test.given)
		if got := spoken(messages); got != test.want || test.kind == "" && err != nil || test.kind != "" && (err == nil || tool.AsError(err).Kind != test.kind) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
		if test.name == "nobody" && !errors.Is(err, tool.ErrNobody) {
			t.Errorf("%v is not ErrNobody: a client could not be told what it lacks", err)
		}
	}
	messages, err := optional[0].Render(t.Context(), nil)
	if got := spoken(messages); err != nil || got != "user so ." {
		t.Errorf("nobody to ask for what is not needed: %q, %v", got, err)
	}
}
