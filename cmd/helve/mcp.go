package main

import "github.com/spf13/cobra"

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Look after the MCP servers of the workspace",
		Long: `Mcp is for servers of the Model Context Protocol. Those whose tools a workspace uses
are in its files:

  tools/mcp/NAME.yaml   one server: command and args, or mcp_server_url; see
                        "helve schema mcp"
  .mcp.json, mcp.json   {"mcpServers": {NAME: {…}}}, as other programs have it; also
                        in tools/mcp

A server is started when a tool of it is called, or when nothing is known of its tools
yet. What it lists is kept in your cache.`,
		Example: `  helve mcp servers
  helve mcp servers --offline
  helve mcp pin github`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.mcpServersCommand(), a.mcpPinCommand())
	return cmd
}
