package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

func einoTools(tb testing.TB, fn toolFunc) compose.ToolsNodeConfig {
	t, err := utils.InferTool(toolName, description, fn)
	if err != nil {
		tb.Fatal(err)
	}
	return compose.ToolsNodeConfig{Tools: []tool.BaseTool{t}}
}

func einoCalls(args []json.RawMessage) *schema.Message {
	calls := make([]schema.ToolCall, len(args))
	for i := range calls {
		calls[i] = schema.ToolCall{ID: callID(i), Type: "function", Function: schema.FunctionCall{Name: toolName, Arguments: string(args[i])}}
	}
	return schema.AssistantMessage("", calls)
}

// einoToolsNode is the node that runs the calls of an assistant message, called
// by itself.
func einoToolsNode(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	node := einoNode(tb, fn)
	return eino(args, func(ctx context.Context, answer *schema.Message) ([]*schema.Message, error) {
		return node.Invoke(ctx, answer)
	})
}

// einoGraph is the node in a graph with nothing else in it: Eino's nodes are made
// to be run by graphs.
func einoGraph(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	graph, err := compose.NewChain[*schema.Message, []*schema.Message]().AppendToolsNode(einoNode(tb, fn)).Compile(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return eino(args, func(ctx context.Context, answer *schema.Message) ([]*schema.Message, error) {
		return graph.Invoke(ctx, answer)
	})
}

func einoNode(tb testing.TB, fn toolFunc) *compose.ToolsNode {
	config := einoTools(tb, fn)
	node, err := compose.NewToolNode(tb.Context(), &config)
	if err != nil {
		tb.Fatal(err)
	}
	return node
}

func eino(args []json.RawMessage, invoke func(context.Context, *schema.Message) ([]*schema.Message, error)) job {
	answer := einoCalls(args)
	var messages []*schema.Message
	return job{
		run: func(ctx context.Context) (err error) {
			messages, err = invoke(ctx, answer)
			return err
		},
		answers: func() []string {
			texts := make([]string, len(messages))
			for i, m := range messages {
				texts[i] = m.Content
			}
			return texts
		},
	}
}

// einoModel calls the tool, and replies with what the last call gave.
type einoModel struct{ calls *schema.Message }

func (m einoModel) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return m, nil }

func (m einoModel) Generate(_ context.Context, messages []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	if last := messages[len(messages)-1]; last.Role == schema.Tool {
		return schema.AssistantMessage(last.Content, nil), nil
	}
	return m.calls, nil
}

func (m einoModel) Stream(ctx context.Context, messages []*schema.Message, options ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	answer, err := m.Generate(ctx, messages, options...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{answer}), nil
}

func einoAgent(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	a, err := react.NewAgent(tb.Context(), &react.AgentConfig{ToolCallingModel: einoModel{einoCalls(args)}, ToolsConfig: einoTools(tb, fn)})
	if err != nil {
		tb.Fatal(err)
	}
	var reply *schema.Message
	return job{
		run: func(ctx context.Context) (err error) {
			reply, err = a.Generate(ctx, []*schema.Message{schema.UserMessage("How is the weather?")})
			return err
		},
		answers: func() []string { return []string{reply.Content} },
	}
}
