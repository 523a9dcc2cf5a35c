package main

import (
	"fmt"
	"slices"

	"helve/mcp"
)

// longestChain is how many workspaces may use each other's tools in a row: none of this
// length is known that was meant.
const longestChain = 4

// checkChain refuses to be a server of what this process would itself start again.
func (a *app) checkChain() error {
	chain := mcp.Chain()
	if len(chain) > longestChain {
		return &failure{exitUsage, "usage", fmt.Errorf("more than %d workspaces start each other by \"helve mcp\"", longestChain), "take one out of its .mcp.json"}
	}
	dir, _, err := a.folders()
	if err != nil || dir == "" {
		return err
	}
	if slices.Contains(chain, mcp.RealFolder(dir)) {
		return &failure{exitUsage, "usage", fmt.Errorf("this server is helve with this same workspace: it would start itself without end"), "take it out of .mcp.json, or serve another workspace"}
	}
	return nil
}
