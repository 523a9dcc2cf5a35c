//go:build !unix

package serve

import (
	"fmt"
	"os"

	"helve/tool"
)

// Main says that this system has no pipes to pass on.
func Main([]tool.Tool) {
	fmt.Fprintln(os.Stderr, "Go functions of a workspace need a Unix system")
	os.Exit(2)
}
