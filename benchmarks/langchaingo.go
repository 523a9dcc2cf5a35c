package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/tools"
)

// stringTool is the tool as langchaingo has them: one string comes in, and
// whoever writes the tool reads it.
type stringTool struct{ fn toolFunc }

func (stringTool) Name() string        { return toolName }
func (stringTool) Description() string { return description }

func (t stringTool) Call(ctx context.Context, text string) (string, error) {
	var in input
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return "", err
	}
	return t.fn(ctx, in)
}

// plan is an agent that calls the tool and is done.
type plan struct {
	tool    stringTool
	actions []schema.AgentAction
}

func (plan) GetInputKeys() []string   { return nil }
func (plan) GetOutputKeys() []string  { return nil }
func (p plan) GetTools() []tools.Tool { return []tools.Tool{p.tool} }
func (p plan) Plan(_ context.Context, steps []schema.AgentStep, _ map[string]string, _ ...chains.ChainCallOption) ([]schema.AgentAction, *schema.AgentFinish, error) {
	if len(steps) > 0 {
		return nil, &schema.AgentFinish{ReturnValues: map[string]any{}}, nil
	}
	return p.actions, nil, nil
}

// langchaingoExecutor is the executor with an agent that has its answers ready.
// It runs the calls one after another.
func langchaingoExecutor(_ testing.TB, fn toolFunc, args []json.RawMessage) job {
	actions := make([]schema.AgentAction, len(args))
	for i := range actions {
		actions[i] = schema.AgentAction{Tool: toolName, ToolInput: string(args[i]), ToolID: callID(i)}
	}
	e := agents.NewExecutor(plan{stringTool{fn}, actions}, agents.WithReturnIntermediateSteps())
	inputs := map[string]any{}
	var outputs map[string]any
	return job{
		run: func(ctx context.Context) (err error) {
			outputs, err = e.Call(ctx, inputs)
			return err
		},
		answers: func() []string {
			var texts []string
			for _, s := range outputs["intermediateSteps"].([]schema.AgentStep) {
				texts = append(texts, s.Observation)
			}
			return texts
		},
	}
}
