package main

import (
	"log/slog"
	"path/filepath"

	"helve/catalog"
	"helve/gofunc"
	"helve/httptool"
	"helve/mcp"
	"helve/mcp/serve/library"
	"helve/netpolicy"
	"helve/script"
)

// sources are the kinds of tools that a workspace may hold in files, and what else it
// holds for those who use its tools by MCP.
func (a *app) sources() []catalog.Source {
	tools := []catalog.Source{
		gofunc.Source(gofunc.Options{Log: a.logger()}),
		httptool.Source(netpolicy.Policy{AllowPrivate: a.allowPrivate}),
		a.mcpSource(),
		script.Source(script.Options{Sandbox: a.programs, WASM: a.modules, Log: a.logger()}),
		a.skillSource(),
	}
	return append(tools, library.Sources()...)
}

// mcpSource is one for the whole process: it knows the servers of the workspace.
func (a *app) mcpSource() *mcp.Servers {
	if a.servers == nil {
		somebody := a.serving || a.atTerminal()
		a.servers = mcp.Source(mcp.SourceOptions{
			Options: mcp.Options{
				Log:          a.loggerFrom(slog.LevelError), // problems of the workspace say what a warning would
				AllowPrivate: a.allowPrivate, TokenDir: tokenDir(),
				Elicitation: somebody, Sampling: somebody,
			},
			CacheDir: below(xdg("XDG_CACHE_HOME", ".cache"), "mcp"),
			Offline:  a.startNone,
		})
	}
	return a.servers
}

// below is a folder in dir, and none where that is none.
func below(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}
