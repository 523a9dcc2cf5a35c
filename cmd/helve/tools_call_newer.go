package main

import (
	"context"
	"time"

	"helve/catalog"
	"helve/mcp"
	"helve/tool"
)

// newerWait is how long a server is waited for that may have a newer list of its tools.
const newerWait = 10 * time.Second

// newer returns the tools as they are after the server of the tool t, of which an older
// list may be kept, was asked for them again; nil where t is of no server. Those of a server
// that does not answer are as they were. What is wrong now, and was not before, is told.
func (a *app) newer(ctx context.Context, t tool.Tool) (*tool.Registry, error) {
	servers := a.serversOf(t)
	if len(servers) == 0 {
		return nil, nil
	}
	limited, cancel := a.withTimeout(ctx)
	defer cancel()
	asking, done := context.WithTimeout(limited, newerWait)
	defer done()
	a.connect(asking, servers)

	before := a.catalog
	c, err := a.loadWorkspace(ctx) // it finds the servers connected
	if err != nil {
		return nil, err
	}
	a.tellNewProblems(before, c)
	_ = before.Close() // after the load, or the servers would end in between
	return a.allowed(c.Tools())
}

// serversOf returns the MCP server that a tool is of. Several may share a line of a file.
func (a *app) serversOf(t tool.Tool) (servers []mcp.Server) {
	for _, e := range a.catalog.Entries() {
		if e.Kind != a.mcpSource().Kind() || e.Tool != t { // in this order: not every tool can be compared
			continue
		}
		for _, s := range a.mcpSource().List() {
			if s.File == e.File && s.Line == e.Line {
				servers = append(servers, s)
			}
		}
	}
	return servers
}

// tellNewProblems tells what of a workspace was not told when it was loaded before.
func (a *app) tellNewProblems(before, now *catalog.Catalog) {
	told := map[string]bool{}
	for _, p := range before.Problems() {
		told[p.Error()] = true
	}
	for _, p := range now.Problems() {
		if !told[p.Error()] {
			a.tellProblem(p)
		}
	}
}
