package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"testing"

	"helve/message"
	"helve/model/modeltest"
	"helve/schema"
	"helve/tool"
)

// asks is a program of the scripts: "asks FILE" puts the questions in FILE, as a call of
// helve run does, and prints the answers.
func asks() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	data, err := os.ReadFile(os.Args[len(os.Args)-1])
	var file struct {
		Tool      string
		Questions []struct {
			Form, Link, Prompt, System string
			Fields                     json.RawMessage
			Roots                      bool
		}
	}
	if err = errors.Join(err, json.Unmarshal(data, &file)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var questions []tool.Question
	for _, q := range file.Questions {
		switch {
		case q.Roots:
			questions = append(questions, tool.Roots{})
		case q.Prompt != "":
			questions = append(questions, tool.Completion{System: q.System, Messages: []message.Message{message.User(q.Prompt)}})
		case q.Link != "":
			questions = append(questions, tool.Link{Message: "Please pay.", URL: q.Link})
		case q.Fields != nil:
			questions = append(questions, tool.Form{Message: q.Form, Fields: schema.MustCompile(string(q.Fields))})
		default:
			questions = append(questions, tool.Form{Message: q.Form})
		}
	}
	a := &app{std: stdio{os.Stdin, os.Stdout, os.Stderr}, json: os.Args[1] == "--json", approve: []string{"*"}}
	answer := a.answering(modeltest.NewScript(modeltest.Text("Tiger")))
	rt := &tool.Runtime{Answer: func(ctx context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
		return answer(ctx, tool.Call{Name: file.Tool}, questions)
	}}
	answers, err := rt.Ask(ctx, questions...)
	if err != nil {
		e := tool.AsError(err)
		fmt.Println(e.Kind, e.Message)
		os.Exit(1)
	}
	for _, a := range answers {
		fmt.Println(a.Action, string(a.Fields), a.Message.Text())
	}
}

func TestFieldValue(t *testing.T) {
	t.Parallel()
	form := tool.Form{Message: "m", Fields: schema.MustCompile(`{"type":"object","required":["text","other","some"],"properties":{
		"text":{"type":"string","minLength":2},
		"note":{"type":"string"},
		"pin":{"type":"string","format":"password","pattern":"^[0-9]+$"},
		"mail":{"type":"string","format":"email"},
		"n":{"type":"integer","minimum":1,"default":3},
		"x":{"type":"number"},
		"ok":{"type":"boolean"},
		"color":{"type":"string","oneOf":[{"const":"#f00","title":"Red"},{"const":"#00f","title":"Blue"}]},
		"some":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"maxItems":2,"uniqueItems":true},
		"a/b~c":{"type":"integer","maximum":9},
		"other":{"type":"string"}}}`)}
	inputs, err := form.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]tool.Field{}
	for _, f := range inputs {
		fields[f.Name] = f
	}
	for _, test := range []struct{ field, typed, want, problem string }{
		{"text", "two words", `"two words"`, ""},
		{"text", "", "", "It is needed."},
		{"text", "x", "", "It must have at least 2 characters."},
		{"note", "", "", ""},
		{"note", " 5 ", `" 5 "`, ""},
		{"pin", "hunter2", "", "It must match the pattern ^[0-9]+$."},
		{"mail", "nobody", "", "It must be a valid email."},
		{"n", "", "3", ""},
		{"n", " 7 ", "7", ""},
		{"n", "0", "", "It must be at least 1."},
		{"n", "1.5", "", "It must be an integer."},
		{"n", "seven", "", "Type a number, such as 12."},
		{"n", "true", "", "Type a number, such as 12."},
		{"n", "12345678901234567890", "12345678901234567890", ""},
		{"x", "-1e3", "-1e3", ""},
		{"ok", "YES", "true", ""},
		{"ok", "否", "false", ""},
		{"ok", "maybe", "", "Type y or n."},
		{"color", "2", `"#00f"`, ""},
		{"color", "red", `"#f00"`, ""},
		{"color", "3", "", "Type a number from 1 to 2."},
		{"some", "1, c", `["a","c"]`, ""},
		{"some", "-", `[]`, ""},
		{"some", "", `[]`, ""},
		{"some", "1,2,3", "", "It must have at most 2 items."},
		{"some", "1,4", "", "Type numbers from 1 to 3 with commas between, or - for none."},
		{"a/b~c", "10", "", "It must be at most 9."},
	} {
		value, problem := fieldValue(form.Fields, fields[test.field], test.typed)
		if problem != test.problem || problem == "" && string(value) != test.want {
			t.Errorf("%s, %q typed: %s, %q; want %s, %q", test.field, test.typed, value, problem, test.want, test.problem)
		}
	}
}
