package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/schema"
	"helve/tool"
)

// callTool is the handler of every tool. out is what its results look like, or nil.
func (s *Server) callTool(ctx context.Context, req *sdk.CallToolRequest, out *schema.Schema) (*sdk.CallToolResult, error) {
	p := req.Params
	r := newRequest(measurable(traced(ctx, req.Params.Meta), req), req)
	r.method, r.name, r.state, r.answers = "tools/call", p.Name, p.RequestState, p.InputResponses
	r.arguments = func() []byte { return canonical(p.Arguments) }

	result, asks, err := s.serve(r, func(ctx context.Context, rt *tool.Runtime) (sdk.Result, error) {
		return s.call(ctx, rt, p, r.rounds, out)
	})
	if asks != nil {
		return &sdk.CallToolResult{InputRequests: asks.inputs(), RequestState: asks.state}, nil
	}
	if err != nil {
		return nil, err
	}
	return result.(*sdk.CallToolResult), nil
}

var noArguments = json.RawMessage(`{}`)

// call runs a tool.
func (s *Server) call(ctx context.Context, rt *tool.Runtime, p *sdk.CallToolParamsRaw, rounds bool, out *schema.Schema) (sdk.Result, error) {
	content := s.content.Load()
	if content.Executor == nil {
		return nil, invalid("unknown tool " + strconv.Quote(clip(p.Name)))
	}
	args := p.Arguments
	if len(args) == 0 || string(args) == "null" {
		args = noArguments
	}
	call := tool.Call{ID: "mcp-" + strconv.FormatUint(s.calls.Add(1), 10), Name: p.Name, Arguments: args}
	r := content.Executor.Execute(tool.WithRuntime(ctx, rt), []tool.Call{call})[0]
	if r.Err != nil {
		return s.failed(r, rounds)
	}
	result := &sdk.CallToolResult{Content: s.parts(r.Output.Content)}
	if a, ok := r.Output.Artifact.(tool.Attacher); ok {
		result.Content = append(result.Content, s.attachments(a)...)
	}
	if out != nil {
		s.structure(ctx, out, r, result)
	}
	return result, nil
}

// failed is what the model reads of an error: its message, and its details as JSON
// where the message does not say them. Only what the protocol itself has an error for
// is an error of the protocol.
func (s *Server) failed(r executor.Result, rounds bool) (sdk.Result, error) {
	var m *missing
	if rounds && r.Err.Kind != tool.KindDenied && errors.As(r.Err, &m) { // who may not run a tool reads why
		return nil, missingError(m)
	}
	result := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: r.Err.Message}}}
	if len(r.Err.Detail) > 0 && r.Err.Kind != tool.KindInvalidParameters {
		detail, _ := r.Err.MarshalJSON() // it always has a JSON form
		result.Content = append(result.Content, &sdk.TextContent{Text: string(detail)})
	}
	return result, nil
}

// structure adds the structured result of a tool that promised one. One that breaks
// the promise is left out: clients refuse the whole result for it.
func (s *Server) structure(ctx context.Context, out *schema.Schema, r executor.Result, result *sdk.CallToolResult) {
	text := r.Output.Text()
	if _, err := out.Prepare(json.RawMessage(text)); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "mcp: a result does not fit its tool's own output schema and is sent as text alone",
			slog.String("tool", r.Call.Name), slog.String("error", clip(err.Error())))
		return
	}
	result.StructuredContent = json.RawMessage(text)
}
