package wire

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// TestQuestionsTravel: the host is asked what the tool asks, and the tool is told what
// the host says.
func TestQuestionsTravel(t *testing.T) {
	t.Parallel()
	fields := `{"type":"object","properties":{"n":{"type":"integer","default":1}}}`
	questions := []tool.Question{
		tool.Form{Message: "How many?", Fields: schema.MustCompile(fields)},
		tool.Form{Name: "sure", Message: "Sure?"},
		tool.Link{Name: "pay", Message: "Pay.", URL: "https://a/"},
		tool.Completion{System: "Be brief.", Messages: []message.Message{message.User("hi")}, MaxTokens: 7},
		tool.Roots{},
	}
	answers := []tool.Answer{
		{Action: tool.Accept, Fields: json.RawMessage(`{"n":5}`)},
		{Action: tool.Decline},
		{Action: tool.Cancel},
		{Message: message.Assistant(message.Text("ho")), Model: "m"},
		{Roots: []string{"file:///a"}},
	}
	host := &tool.Runtime{Answer: func(_ context.Context, _ tool.CallID, got []tool.Question) ([]tool.Answer, error) {
		if f := got[0].(tool.Form); f.Message != "How many?" || f.Fields.String() != fields {
			t.Errorf("asked %+v", f)
		}
		if f := got[1].(tool.Form); f.Name != "sure" || f.Message != "Sure?" || f.Fields != nil {
			t.Errorf("asked %+v", f)
		}
		if diff := cmp.Diff(questions[2:], got[2:]); diff != "" {
			t.Error(diff)
		}
		return answers, nil
	}}
	given, err := question(t, host, questions)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answers, given); diff != "" {
		t.Error(diff)
	}
}

func TestFailuresOfQuestionsTravel(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  error
		want tool.Kind
		is   error
	}{
		{"nobody", tool.ErrNobody, tool.KindUnavailable, tool.ErrNobody},
		{"nobody, in words", &tool.Error{Kind: tool.KindUnavailable, Message: "no", Err: tool.ErrNobody}, tool.KindUnavailable, tool.ErrNobody},
		{"not allowed", &tool.Error{Kind: tool.KindDenied, Message: "no", Err: errors.New("secret")}, tool.KindDenied, nil},
		{"the end", context.Canceled, tool.KindCanceled, context.Canceled},
	} {
		host := &tool.Runtime{Answer: func(context.Context, tool.CallID, []tool.Question) ([]tool.Answer, error) { return nil, test.err }}
		_, err := question(t, host, []tool.Question{tool.Roots{}})
		if e := tool.AsError(err); e == nil || e.Kind != test.want || test.is != nil && !errors.Is(err, test.is) || e.Err != nil && strings.Contains(e.Err.Error(), "secret") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for name, q := range map[string]Question{"no kind": {}, "no schema": {Form: &Form{Message: "m", Fields: json.RawMessage(`7`)}}} {
		a, _ := Ask{Op: "questions", Questions: []Question{q}}.Do(t.Context(), &tool.Runtime{})
		if a.Err() == nil || !strings.Contains(a.Err().Error(), "question 1") {
			t.Errorf("%s: %v", name, a.Err())
		}
	}
}

// question asks host by frames.
func question(t *testing.T, host *tool.Runtime, questions []tool.Question) ([]tool.Answer, error) {
	t.Helper()
	asked, err := travel(Ask{Op: "questions", Questions: NewQuestions(questions)})
	if err != nil {
		t.Fatal(err)
	}
	given, _ := asked.Do(t.Context(), host)
	given, err = travel(given)
	if err != nil {
		t.Fatal(err)
	}
	return given.ToolAnswers(), given.Err()
}
