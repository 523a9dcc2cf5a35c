package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"helve/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	var how serveFlags
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools to MCP clients, and look after MCP servers",
		Long: `Mcp serves the tools of the workspace to a client of the Model Context Protocol, such
as Claude Desktop, Cursor or VS Code, over standard input and output: the client starts
helve, and ends it by closing its input. "helve mcp config" prints what a client must be
told. With --http it serves any number of clients at http://ADDRESS/mcp, until it is
interrupted; calls that run then have 5 seconds to end.

Served are the tools of an agent, as it has them: that of --agent, else of HELVE_AGENT,
else of helve.yaml. Without one, or with --all-tools, they are all tools, and no agent's
overrides count. --tools chooses among them. A file of the workspace that changes counts
at once, and clients are told. A call that needs approval is asked of the person at the
client, if --approve does not name the tool. --timeout is that of a call.

Over HTTP clients send a token, Authorization: Bearer TOKEN, that is in the variable
HELVE_MCP_TOKEN or in that of --token-env, or in a line of --token-file. Only on an
address of this machine none is needed.

The servers whose tools a workspace uses are in its files:

  tools/mcp/NAME.yaml   one server: command and args, or mcp_server_url; see
                        "helve schema mcp"
  .mcp.json, mcp.json   {"mcpServers": {NAME: {…}}}, as other programs have it; also
                        in tools/mcp

A server is started when a tool of it is called, or when nothing is known of its tools
yet. What it lists is kept in your cache.`,
		Example: `  helve mcp config claude
  helve mcp --agent analyst
  helve mcp --http 127.0.0.1:8080
  HELVE_MCP_TOKEN=… helve mcp --http :8080
  helve mcp servers
  helve mcp pin github`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(notBoth(cmd.Flags(), "agent", "all-tools"), how.check(cmd.Flags())); err != nil {
				return err
			}
			if err := a.checkChain(); err != nil {
				return err
			}
			return a.serve(cmd.Context(), how)
		},
	}
	a.servedFlags(cmd)
	how.add(cmd.Flags())
	cmd.AddCommand(a.mcpConfigCommand(), a.mcpServersCommand(), a.mcpPinCommand(), a.mcpLoginCommand(a.serverConfig), a.mcpLogoutCommand(a.serverConfig))
	return cmd
}

// servedFlags say which tools are served.
func (a *app) servedFlags(cmd *cobra.Command) {
	a.agentFlag(cmd)
	cmd.Flags().BoolVar(&a.allTools, "all-tools", false, "serve all tools, and not those of an agent")
	cmd.Flags().BoolVar(&a.watch, "watch", true, "use the workspace's files as they change")
}

// serverConfig finds the configuration of a server of the workspace.
func (a *app) serverConfig(ctx context.Context, name string) (mcp.Config, error) {
	a.startNone = true // no server is needed to find one
	c, err := a.loadWorkspace(ctx)
	if err != nil {
		return mcp.Config{}, err
	}
	s, err := a.server(name)
	if err != nil {
		a.tellProblems(c) // maybe its file is at fault
		return mcp.Config{}, err
	}
	return s.Config, nil
}
