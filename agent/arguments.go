package agent

import (
	"fmt"

	"helve/internal/excerpt"
	"helve/model"
	"helve/tool"
)

// BadArguments says what to do with a call whose arguments are not JSON.
type BadArguments string

const (
	BadArgumentsFail   BadArguments = ""       // end the run with a [*model.ArgumentsError] (document 000)
	BadArgumentsAnswer BadArguments = "answer" // tell the model what was wrong and go on
	BadArgumentsRepair BadArguments = "repair" // mend what can be mended safely, and answer the model where nothing can
)

// notJSON is the result of a call whose arguments are not JSON.
func notJSON(err *model.ArgumentsError) *tool.Error {
	const most = 500 // bytes of what it wrote
	return &tool.Error{
		Kind:    tool.KindInvalidParameters,
		Message: fmt.Sprintf("Invalid parameters for %s: they are not a JSON object (%v). Call it again with a complete JSON object.", err.Tool, err.Err),
		Detail:  map[string]any{"received": excerpt.Of(err.Raw, most)},
		Err:     err,
	}
}
