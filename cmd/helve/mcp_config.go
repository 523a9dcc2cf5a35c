package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mcpClient is a program that uses MCP servers, and how it is told of one.
type mcpClient struct {
	key      string // of the servers in its file
	typed    bool   // a server on standard input and output has its type
	remote   string // the type of one that has an address; "" for none
	token    func(variable string) (value string, inputs []any)
	where    func() string // the file, for a program that it starts
	whereURL func() string // for an address, where that is another
}

var mcpClients = map[string]mcpClient{
	"claude": {
		key: "mcpServers", remote: "http",
		token: func(variable string) (string, []any) { return "${" + variable + "}", nil },
		where: claudeFile,
		whereURL: func() string {
			return ".mcp.json of a project, for Claude Code; Claude Desktop takes an address in its settings, under connectors"
		},
	},
	"cursor": {
		key:   "mcpServers",
		token: func(variable string) (string, []any) { return "${env:" + variable + "}", nil },
		where: func() string { return homeFile(".cursor", "mcp.json") + ", or .cursor/mcp.json of a project" },
	},
	"vscode": {
		key: "servers", typed: true, remote: "http",
		token: askedToken,
		where: func() string {
			return ".vscode/mcp.json of a project, or what its command \"MCP: Open User Configuration\" opens"
		},
	},
}

// askedToken is how VS Code asks for a token, once, and keeps it.
func askedToken(variable string) (string, []any) {
	return "${input:helve-token}", []any{map[string]any{
		"type": "promptString", "id": "helve-token", "description": "The token of helve mcp, " + variable, "password": true,
	}}
}

func claudeFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "claude_desktop_config.json"
	}
	return filepath.Join(dir, "Claude", "claude_desktop_config.json") + " for Claude Desktop, or .mcp.json of a project for Claude Code"
}

func homeFile(names ...string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "~"
	}
	return filepath.Join(append([]string{home}, names...)...)
}

// clientServer is a server in a client's file.
type clientServer struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

func (a *app) mcpConfigCommand() *cobra.Command {
	var name, address, tokenEnv string
	cmd := &cobra.Command{
		Use:   "config {claude|cursor|vscode}",
		Short: "Print what an MCP client must be told to use these tools",
		Long: `Config prints the JSON that a client needs to start helve with this workspace, and says
on standard error into which file it goes. Where that file has servers already, add this
one to them. Flags such as --agent, --tools, --files or --approve are for helve as the
client starts it.

With --http it is for a server that runs: helve mcp --http. Those flags are given to that
one. A token is never printed: the client takes it from a variable, or asks for it.

A client may start helve without the variables of your shell. Those that the workspace's
files name go into the server's "env".`,
		Example: `  helve mcp config claude
  helve mcp config cursor --agent analyst
  helve mcp config vscode --workspace ~/work --name work > .vscode/mcp.json
  helve mcp config cursor --http https://tools.example.com/mcp`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || mcpClients[args[0]].key == "" {
				return errors.New("name a client: claude, cursor or vscode")
			}
			return nil
		},
		ValidArgs: []string{"claude", "cursor", "vscode"},
		RunE: func(cmd *cobra.Command, args []string) error {
			client := mcpClients[args[0]]
			if cmd.Flags().Changed("http") {
				if err := onlyOfURL(cmd); err != nil {
					return err
				}
				return a.configURL(client, name, address, tokenEnv)
			}
			if tokenEnv != "" {
				return usage("--token-env is for a server that runs: --http URL")
			}
			if err := notBoth(cmd.Flags(), "agent", "all-tools"); err != nil {
				return err
			}
			return a.configProgram(cmd, client, name)
		},
	}
	a.servedFlags(cmd)
	cmd.Flags().StringVar(&name, "name", "helve", "the `NAME` that the client gives the server")
	cmd.Flags().StringVar(&address, "http", "", "the `URL` of a server that runs, such as http://127.0.0.1:8080/mcp")
	cmd.Flags().StringVar(&tokenEnv, "token-env", "", "the `NAME` of the variable with the token (default "+tokenVariable+" where other machines reach the server)")
	return cmd
}

// configProgram is for a client that starts helve.
func (a *app) configProgram(cmd *cobra.Command, client mcpClient, name string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"mcp"}
	dir, _, err := a.folders()
	if err != nil {
		return err
	}
	if dir == "" {
		fmt.Fprintln(a.std.err, "helve: there is no workspace, so these are the tools of helve itself; \"helve init\" makes one")
	} else if dir, err = filepath.Abs(dir); err != nil {
		return err
	} else {
		args = append(args, "--workspace", dir)
	}
	agent, err := a.configAgent(cmd.Context())
	if err != nil {
		return err
	}
	more, err := passedOn(cmd)
	if err != nil {
		return err
	}
	if a.workspaceFlags.agent == "" && agent != "" { // of a variable, which the client may not have
		more = append(more, "--agent="+agent)
	}
	server := clientServer{Command: program, Args: append(args, more...)}
	if client.typed {
		server.Type = "stdio"
	}
	a.printConfig(client, name, server, nil, client.where)
	return nil
}

// configAgent is the agent that --agent or the variable names, "" for none. It is an error
// where helve, as the client starts it, would have none to serve.
func (a *app) configAgent(ctx context.Context) (string, error) {
	if a.allTools {
		return "", nil
	}
	a.startNone = true // no server is needed to find an agent
	c, err := a.loadWorkspace(ctx)
	if err != nil {
		return "", err
	}
	if _, err := a.chosen(c); err != nil {
		a.tellProblems(c) // maybe its file is at fault
		return "", err
	}
	return cmp.Or(a.workspaceFlags.agent, os.Getenv("HELVE_AGENT")), nil
}

// onlyOfURL refuses flags that a client of a server that runs can't be told.
func onlyOfURL(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "http", "token-env", "name", "json", "jsonl", "verbose":
			return
		}
		err = cmp.Or(err, usage("--%s says nothing with --http: give it to \"helve mcp --http\", which runs there", f.Name))
	})
	return err
}

// passedOn are the flags that helve gets when the client starts it.
func passedOn(cmd *cobra.Command) (args []string, err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		switch f.Name {
		case "workspace", "name", "json", "jsonl": // said otherwise, or about this command
			return
		case "files", "sim-script":
			absolute, absErr := filepath.Abs(value)
			value, err = absolute, cmp.Or(err, absErr)
		}
		args = append(args, "--"+f.Name+"="+value)
	})
	return args, err
}

// configURL is for a client that reaches a server that runs.
func (a *app) configURL(client mcpClient, name, address, tokenEnv string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return usage("--http %q is no address of a server: write it as http://HOST:PORT/mcp", address)
	}
	if u.User != nil {
		return usage("--http: leave the password out of the address: the client takes a token from a variable")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/mcp" // where helve mcp serves
	}
	server := clientServer{Type: client.remote, URL: u.String()}
	if tokenEnv == "" && !thisMachine(u.Hostname()) {
		tokenEnv = tokenVariable
	}
	var inputs []any
	if tokenEnv != "" {
		token, asks := client.token(tokenEnv)
		server.Headers, inputs = map[string]string{"Authorization": "Bearer " + token}, asks
	}
	where := client.where
	if client.whereURL != nil {
		where = client.whereURL
	}
	a.printConfig(client, name, server, inputs, where)
	return nil
}

func thisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (a *app) printConfig(client mcpClient, name string, server clientServer, inputs []any, where func() string) {
	file := map[string]any{client.key: map[string]clientServer{name: server}}
	if inputs != nil {
		file["inputs"] = inputs
	}
	e := json.NewEncoder(a.std.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	_ = e.Encode(file) // a full disk is found when the program ends
	fmt.Fprintf(a.std.err, "helve: it goes into %s\n", printable(where()))
}
