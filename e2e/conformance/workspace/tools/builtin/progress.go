package fixtures

import (
	"context"
	"time"

	"helve/message"
	"helve/tool"
)

// step is how long the tools take between two things that they tell.
const step = 50 * time.Millisecond

// Log tells three times how far it is.
//
//helve:tool name=test_tool_with_logging
func Log(ctx context.Context, rt *tool.Runtime) (string, error) {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		rt.Output(message.Text(text))
		if err := pause(ctx, step); err != nil {
			return "", err
		}
	}
	return "Tool with logging executed successfully", nil
}

// LogOnce tells one thing.
//
//helve:tool name=test_logging_tool
func LogOnce(rt *tool.Runtime) string {
	rt.Output(message.Text("This is told to whoever wants to hear it."))
	return "told"
}

// Progress tells its progress.
//
//helve:tool name=test_tool_with_progress
func Progress(ctx context.Context, rt *tool.Runtime) (string, error) {
	for _, done := range []float64{0, 50, 100} {
		rt.Progress(done, 100, "Completed step")
		if err := pause(ctx, step); err != nil {
			return "", err
		}
	}
	return "done", nil
}

// closeStream is serve.CloseStream of helve/mcp/serve, in words: a tool does not need
// the whole protocol for it.
const closeStream = "mcp/close_stream"

// Reconnect closes the stream of its call, and ends a little later.
//
//helve:tool name=test_reconnection
func Reconnect(ctx context.Context, rt *tool.Runtime) (string, error) {
	rt.Callback(closeStream, 10*time.Millisecond)
	return "Reconnection test completed successfully", pause(ctx, 2*step)
}

// Stream tells its progress, and asks for a name on the same stream.
//
//helve:tool name=test_streaming_elicitation
func Stream(ctx context.Context, rt *tool.Runtime) (string, error) {
	rt.Progress(1, 2, "Asking")
	return answered(rt.Ask(ctx, userName))
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
