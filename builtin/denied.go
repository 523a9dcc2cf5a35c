package builtin

import (
	"fmt"

	"helve/tool"
)

// denied is the error for what a policy or a root forbids.
func denied(format string, args ...any) error {
	return &tool.Error{Kind: tool.KindPermissionDenied, Message: fmt.Sprintf(format, args...)}
}
