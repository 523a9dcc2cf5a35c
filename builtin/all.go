package builtin

import (
	"os"

	"helve/netpolicy"
	"helve/tool"
)

// All returns the built-in tools that are possible, in the order of their names:
// calculate and current_time always, http_get if policy allows a host, and
// list_files and read_file if root is not nil. root stays open and belongs to
// the caller. The error is for a policy with a host that is none.
func All(root *os.Root, policy netpolicy.Policy) ([]tool.Tool, error) {
	tools := []tool.Tool{Calculate(), CurrentTime(nil)}
	if len(policy.Hosts) > 0 {
		get, err := HTTPGet(policy)
		if err != nil {
			return nil, err
		}
		tools = append(tools, get)
	}
	if root != nil {
		tools = append(tools, ListFiles(root), ReadFile(root))
	}
	return tools, nil
}
