package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"helve/message"
	"helve/model"
	"helve/tool"
)

// answer lets calls ask the host, which is told who asks. A tool that runs calls of its
// own asks for them: of those the host knows the ID alone.
func (a *Agent) answer(calls ...tool.Call) func(context.Context, tool.CallID, []tool.Question) ([]tool.Answer, error) {
	if a.config.Answer == nil {
		return nil
	}
	return func(ctx context.Context, id tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
		call := tool.Call{ID: string(id)}
		if i := slices.IndexFunc(calls, func(c tool.Call) bool { return c.ID == call.ID }); i >= 0 {
			call = calls[i]
		}
		return a.config.Answer(ctx, call, questions)
	}
}

// maxCompletion is how many tokens a model may spend on a tool's question.
const maxCompletion = 4096

// Complete asks client what a tool wants to know of a model, for a [Config].Answer. The
// model gets what the question holds and nothing of the run: not its instructions, its
// conversation or its tools. It answers in at most 4096 tokens. Whether the tool may ask
// is to be decided before: it spends the user's tokens, and reads what the model says.
//
// The error is a [tool.Error] that keeps what the model's server said for the log.
func Complete(ctx context.Context, client model.Client, c tool.Completion) (tool.Answer, error) {
	req := &model.Request{Messages: c.Messages, MaxTokens: maxCompletion}
	if c.System != "" {
		req.Messages = append([]message.Message{message.System(c.System)}, c.Messages...)
	}
	if c.MaxTokens > 0 {
		req.MaxTokens = min(c.MaxTokens, maxCompletion)
	}
	response, err := model.Generate(ctx, client, req)
	if ctx.Err() != nil {
		return tool.Answer{}, ctx.Err()
	}
	if err != nil {
		return tool.Answer{}, &tool.Error{Kind: tool.KindUnavailable, Message: "The model gave no answer.", Err: err}
	}
	said := message.Message{Role: message.RoleAssistant}
	for _, p := range response.Message.Parts {
		switch p.(type) {
		case message.Reasoning, message.ToolCall: // its own affair, and what nobody offered
		default:
			said.Parts = append(said.Parts, p)
		}
	}
	if len(said.Parts) == 0 {
		return tool.Answer{}, &tool.Error{Kind: tool.KindUnavailable, Message: "The model said nothing.", Err: errors.New("it finished with " + string(response.Finish.Reason))}
	}
	return tool.Answer{Message: said, Model: cmp.Or(response.Finish.Model, client.Info().Model)}, nil
}
