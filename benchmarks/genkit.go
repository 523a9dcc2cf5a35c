package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
)

func genkitWeather(g *genkit.Genkit, fn toolFunc) ai.Tool {
	return genkit.DefineTool(g, toolName, description, func(ctx *ai.ToolContext, in input) (string, error) {
		return fn(ctx, in)
	})
}

// genkitArguments is what genkit's model plugins hand on: the arguments as a map.
func genkitArguments(tb testing.TB, args []json.RawMessage) []map[string]any {
	values := make([]map[string]any, len(args))
	for i := range args {
		if err := json.Unmarshal(args[i], &values[i]); err != nil {
			tb.Fatal(err)
		}
	}
	return values
}

// genkitTool is the tool as genkit's loop calls it. To read the arguments is the
// model plugin's work and is not measured.
func genkitTool(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	t := genkitWeather(genkit.Init(tb.Context()), fn)
	values := genkitArguments(tb, args)
	var outputs []any
	return job{
		run: func(ctx context.Context) (err error) {
			outputs, err = together(len(values), func(i int) (any, error) { return t.RunRaw(ctx, values[i]) })
			return err
		},
		answers: func() []string {
			texts := make([]string, len(outputs))
			for i, o := range outputs {
				texts[i] = o.(string)
			}
			return texts
		},
	}
}

// genkitGenerate is a whole run, with a model that calls the tool and replies
// with what the last call gave.
func genkitGenerate(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	g := genkit.Init(tb.Context())
	t := genkitWeather(g, fn)
	values := genkitArguments(tb, args)
	m := genkit.DefineModel(g, "benchmark/script", &ai.ModelOptions{Supports: &ai.ModelSupports{Tools: true, Multiturn: true}},
		func(_ context.Context, req *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
			last := req.Messages[len(req.Messages)-1]
			if last.Role == ai.RoleTool {
				output, _ := last.Content[len(last.Content)-1].ToolResponse.Output.(string)
				return &ai.ModelResponse{Request: req, Message: ai.NewModelTextMessage(output), FinishReason: ai.FinishReasonStop}, nil
			}
			calls := make([]*ai.Part, len(values))
			for i := range calls {
				calls[i] = ai.NewToolRequestPart(&ai.ToolRequest{Name: toolName, Ref: callID(i), Input: values[i]})
			}
			return &ai.ModelResponse{Request: req, Message: ai.NewModelMessage(calls...), FinishReason: ai.FinishReasonStop}, nil
		})
	var reply *ai.ModelResponse
	return job{
		run: func(ctx context.Context) (err error) {
			reply, err = genkit.Generate(ctx, g, ai.WithModel(m), ai.WithPrompt("How is the weather?"), ai.WithTools(t))
			return err
		},
		answers: func() []string { return []string{reply.Text()} },
	}
}
