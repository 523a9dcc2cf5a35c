package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// someone is a host where a person answers every form with the same.
func someone(answer tool.Answer) context.Context {
	return tool.WithRuntime(context.Background(), &tool.Runtime{
		Answer: func(_ context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
			fmt.Println(questions[0].(tool.Form).Message)
			return []tool.Answer{answer}, nil
		},
	})
}

type delivery struct {
	Street string `json:"street" jsonschema:"minLength=1" jsonschema_description:"Where the parcel goes"`
	Floor  int    `json:"floor,omitempty" jsonschema:"minimum=0,default=2"`
}

// How does a tool ask the person who uses it?
func ExampleAsk() {
	send := tool.Must(tool.New("send", "Send the parcel.", func(ctx context.Context, _ struct{}) (string, error) {
		to, err := tool.Ask[delivery](ctx, "Where to?")
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("On its way to %s, floor %d.", to.Street, to.Floor), nil
	}))
	for _, answer := range []tool.Answer{
		{Action: tool.Accept, Fields: json.RawMessage(`{"street":"Main St 1"}`)},
		{Action: tool.Decline},
	} {
		result, err := tool.Invoke(someone(answer), send, tool.Call{})
		fmt.Println(result.Text(), err)
	}
	_, err := tool.Invoke(context.Background(), send, tool.Call{})
	fmt.Println(err, errors.Is(err, tool.ErrNobody))
	// Output:
	// Where to?
	// On its way to Main St 1, floor 2. <nil>
	// Where to?
	//  denied: A person was asked and declined to answer. Go on without the answer, or do something else.
	// unavailable: The tool has a question, and nobody is there to answer it. true
}

// How does a tool have a person's word before it does something?
func ExampleConfirm() {
	for _, action := range []tool.Action{tool.Accept, tool.Decline} {
		yes, err := tool.Confirm(someone(tool.Answer{Action: action}), "Delete 12 files?")
		fmt.Println(yes, err)
	}
	// Output:
	// Delete 12 files?
	// true <nil>
	// Delete 12 files?
	// false <nil>
}

// How does a tool ask several things at once, and the model of its host?
func ExampleRuntime_Ask() {
	host := &tool.Runtime{Answer: func(_ context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
		var answers []tool.Answer
		for _, q := range questions {
			switch q := q.(type) {
			case tool.Completion:
				answers = append(answers, tool.Answer{Message: message.Assistant(message.Text("A haiku.")), Model: "m"})
			case tool.Link:
				fmt.Println("open", q.URL)
				answers = append(answers, tool.Answer{Action: tool.Accept})
			default:
				return nil, tool.ErrNobody
			}
		}
		return answers, nil
	}}
	answers, err := host.Ask(context.Background(),
		tool.Link{Message: "Please pay.", URL: "https://pay.example.org/17"},
		tool.Completion{Messages: []message.Message{message.User("Write a haiku.")}, MaxTokens: 100})
	fmt.Println(answers[0].Action, answers[1].Message.Text(), err)
	// Output:
	// open https://pay.example.org/17
	// accept A haiku. <nil>
}

// How does a host show a form?
func ExampleForm_Inputs() {
	form := tool.Form{Message: "What shall it look like?", Fields: schema.MustCompile(`{"type":"object","required":["size"],"properties":{
		"size":{"type":"integer","description":"In points","default":12},
		"color":{"type":"string","oneOf":[{"const":"#f00","title":"Red"},{"const":"#00f","title":"Blue"}]}}}`)}
	fields, err := form.Inputs()
	for _, f := range fields {
		fmt.Println(f.Name, f.Type, f.Description, string(f.Default), f.Choices)
	}
	fmt.Println(err)
	// Output:
	// size integer In points 12 []
	// color string   [{#f00 Red} {#00f Blue}]
	// <nil>
}
