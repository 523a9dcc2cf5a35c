package main

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
)

// subject is a library whose way of running tool calls is measured. setup makes a
// tool of a function and an answer of a model that calls it once for each of
// args, both in the form in which the library's user has them.
type subject struct {
	name  string
	setup func(tb testing.TB, fn toolFunc, args []json.RawMessage) job

	oneAtATime bool // its host runs the calls of an answer together
}

type toolFunc = func(ctx context.Context, in input) (string, error)

// job is an answer to run. run is what is measured: it takes the calls from their
// arguments to the messages or results that the library makes of them; its error
// is that of the answer as a whole. answers reads the texts out of what run made
// last, in the library's order.
type job struct {
	run     func(ctx context.Context) error
	answers func() []string
}

// toolCalls are the libraries as runners of tool calls. helve is first: the
// others are compared with it.
var toolCalls = []subject{
	{"helve", helveExecutor, false},
	{"helve-logged", helveLoggedExecutor, false},
	{"eino", einoToolsNode, false},
	{"eino-graph", einoGraph, false},
	{"mcp-go", mcpgoClient, true},
	{"mcp-go-checked", mcpgoCheckedClient, true},
	{"mcp-sdk", mcpsdkClient, true},
	{"genkit", genkitTool, true},
	{"langchaingo", langchaingoExecutor, false},
}

// wholeRuns are those that have a whole run to offer: a model that calls, the
// calls, and the model's reply. The model is a few lines in memory.
var wholeRuns = []subject{
	{"helve", helveAgent, false},
	{"eino", einoAgent, false},
	{"genkit", genkitGenerate, false},
}

// together is what a host writes around a library that runs one call at a time:
// it runs n calls at once and keeps their order.
func together[T any](n int, call func(i int) (T, error)) ([]T, error) {
	results := make([]T, n)
	if n == 1 {
		var err error
		results[0], err = call(0)
		return results, err
	}
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { results[i], errs[i] = call(i) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}
