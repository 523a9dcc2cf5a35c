package telemetry

import (
	"context"
	"errors"
	"net"
	"strconv"

	"helve/agent"
	"helve/model"
	"helve/tool"
)

// Values of error.type besides HTTP statuses and the kinds of [tool.Error]. They
// are few, so that they can be labels of a metric.
const (
	errorCanceled   = "canceled"          // the caller stopped
	errorTimeout    = "timeout"           // somebody's patience ended
	errorIncomplete = "incomplete"        // the answer was cut off
	errorArguments  = "invalid_arguments" // the model wrote arguments that are not JSON
	errorUnfinished = "unfinished"        // the model was stopped in the middle of its calls
	errorConnection = "connection"        // the server could not be reached, or went away
	errorPanic      = "panic"
	errorTool       = "tool_error" // over MCP: the request was answered, and the answer is that the tool failed
)

// errorType sorts an error of a model or a run. What an error says is never part
// of it: it may quote a conversation or a key.
func errorType(err error) string {
	var (
		api        *model.APIError
		arguments  *model.ArgumentsError
		unfinished *agent.UnfinishedError
		network    net.Error
	)
	switch {
	case errors.Is(err, context.Canceled):
		return errorCanceled
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, model.ErrTimeout):
		return errorTimeout
	case errors.As(err, &api):
		return apiErrorType(api)
	case errors.As(err, &arguments):
		return errorArguments
	case errors.As(err, &unfinished):
		return errorUnfinished
	case errors.Is(err, model.ErrIncomplete):
		return errorIncomplete
	case errors.As(err, &network):
		return errorConnection
	}
	return other
}

// apiErrorType is the HTTP status, or of an error inside a stream its type, where
// that is one that providers agree on.
func apiErrorType(e *model.APIError) string {
	if e.Status > 0 {
		return strconv.Itoa(e.Status)
	}
	switch e.Type {
	case "server_error", "rate_limit_error", "overloaded_error", "invalid_request_error":
		return e.Type
	}
	return other
}

// toolErrorType is the kind, if it is one of ours: a tool may make up its own.
func toolErrorType(e *tool.Error) string {
	switch e.Kind {
	case tool.KindInvalidParameters, tool.KindNotFound, tool.KindTimeout, tool.KindPermissionDenied,
		tool.KindDenied, tool.KindUnavailable, tool.KindCanceled, tool.KindExecution:
		return string(e.Kind)
	}
	return other
}
