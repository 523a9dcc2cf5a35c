package model_test

import (
	"context"
	"fmt"
	"time"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
)

func ExampleGenerate() {
	client := modeltest.NewScript(modeltest.Text("It is ", "391."))
	resp, err := model.Generate(context.Background(), client, &model.Request{
		Messages: []message.Message{message.User("What is 17 * 23?")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Message.Text(), resp.Finish.Reason)
	// Output: It is 391. stop
}

// Decorators nest: the innermost is nearest to the provider. Here each attempt
// has a time limit, a provider that is busy is asked again, and when it stays
// busy another one answers.
func ExampleFallback() {
	busy := modeltest.Respond(func(*model.Request) modeltest.Turn {
		return modeltest.Fail(&model.APIError{Provider: "first", Status: 503, Message: "overloaded"})
	})
	spare := modeltest.NewScript(modeltest.Text("Hello from the spare."))

	client := model.Fallback(
		model.Retry(
			model.Timeout(busy, model.Timeouts{Request: time.Minute, Idle: 10 * time.Second}),
			model.RetryPolicy{MaxAttempts: 3, MinDelay: time.Millisecond},
		),
		spare,
	)
	resp, err := model.Generate(context.Background(), client, &model.Request{
		Messages: []message.Message{message.User("Hello?")},
	})
	fmt.Println(resp.Message.Text(), err)
	fmt.Println(len(busy.Requests()), "attempts before")
	// Output:
	// Hello from the spare. <nil>
	// 3 attempts before
}
