package mcp

import (
	"os"
	"path/filepath"
	"strings"
)

// ChainVariable is the environment variable by which a program that is started as a
// server learns on whose behalf: it holds the workspaces that led to it, the nearest last,
// with the separator of path lists. A server that is helve itself knows by it that it
// would start itself without end.
const ChainVariable = "HELVE_MCP_CHAIN"

// Chain returns the workspaces that led to this process, which is none unless it was
// started as a server.
func Chain() []string { return filepath.SplitList(os.Getenv(ChainVariable)) }

// chainWith is the chain of a server that the workspace in dir starts.
func chainWith(dir string) string {
	chain := Chain()
	if dir != "" {
		chain = append(chain, RealFolder(dir))
	}
	return strings.Join(chain, string(filepath.ListSeparator))
}

// RealFolder is a folder as a chain names it: its whole path, without links.
func RealFolder(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}
