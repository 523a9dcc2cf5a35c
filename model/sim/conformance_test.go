package sim

import (
	"slices"
	"testing"

	"helve/model"
	"helve/model/modeltest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	server := start(t, Options{})
	streamed, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	for name, client := range map[string]model.Client{"streamed": streamed, "whole": connectWhole(t, server)} {
		t.Run(name, func(t *testing.T) {
			modeltest.Run(t, modeltest.Harness{
				Client: client,
				Text:   ask("Hello"),
				Call:   ask("What is 17 * 23, and what time is it in Asia/Shanghai?", "calculate", "current_time"),
			})
		})
	}
}

// TestConformanceScripted adds what needs a server that stalls.
func TestConformanceScripted(t *testing.T) {
	t.Parallel()
	stall := Turn{When: "stall", Text: "Wait for it, wait for it.", Fault: Stall}
	text := Turn{When: "hello", Text: "Hello to you."}
	call := Turn{When: "add", Calls: []Call{{Name: "add", Arguments: `{"a":1,"b":2}`}}}
	answer := Turn{When: "add", Text: "It is 42."}
	script := Script{Turns: slices.Concat(slices.Repeat([]Turn{stall}, 2), slices.Repeat([]Turn{text}, 40),
		[]Turn{call}, []Turn{call, answer}, []Turn{call, call})}
	modeltest.Run(t, modeltest.Harness{
		Client: connect(t, Options{Script: &script}),
		Text:   ask("hello"),
		Call:   ask("add", "add"),
		Stall:  ask("stall"),
	})
}
