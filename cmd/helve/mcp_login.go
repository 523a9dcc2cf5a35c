package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"helve/mcp"
)

// mcpServer finds the configuration of an MCP server by its name.
type mcpServer func(ctx context.Context, name string) (mcp.Config, error)

func (a *app) mcpLoginCommand(find mcpServer) *cobra.Command {
	noBrowser := false
	cmd := &cobra.Command{
		Use:   "login SERVER",
		Short: "Log in to an MCP server",
		Long: `Login opens the page where you log in to an MCP server, waits for your browser to
come back to this machine, and keeps the token, in a file that you alone can read. From
then on helve uses it, and renews it where the server allows. Where the server wants
more rights later, log in again: it asks for them.

On a machine without a browser open the address on any other, with the port of the
address's redirect_uri led here: ssh -L PORT:127.0.0.1:PORT HOST.

For a server with a client secret (grant: client_credentials) nobody is asked: the
credentials are tried.`,
		Example: `  helve mcp login notes
  helve mcp login notes --no-browser`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.mcpLogin(cmd.Context(), find, args[0], noBrowser)
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	return cmd
}

func (a *app) mcpLogoutCommand(find mcpServer) *cobra.Command {
	return &cobra.Command{
		Use:   "logout SERVER",
		Short: "Forget the login to an MCP server",
		Long: `Logout deletes the token of an MCP server, and tells the server where one logs in
that it is over. It forgets the client that helve registered there, too.`,
		Example: "  helve mcp logout notes",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.mcpLogout(cmd.Context(), find, args[0])
		},
	}
}

// loggedIn is a login for programs.
type loggedIn struct {
	Server  string    `json:"server"`
	Expires time.Time `json:"expires,omitzero"`
	Renewed bool      `json:"renewed"`
	Tools   int       `json:"tools"`
}

func (a *app) mcpLogin(ctx context.Context, find mcpServer, name string, noBrowser bool) error {
	c, o, err := a.mcpAccount(ctx, find, name)
	if err != nil {
		return err
	}
	asked := false
	v, err := mcp.Login(ctx, c, o, func(ctx context.Context, address string) error {
		asked = true
		fmt.Fprintf(a.std.err, "To log in to %s, open\n\n  %s\n\n", printable(name), printable(address))
		if !noBrowser && !a.json && !a.jsonl && isTerminal(a.std.err) {
			openBrowser(address)
		}
		fmt.Fprintln(a.std.err, "Waiting for the browser to come back, for 5 minutes at most; Ctrl-C stops.")
		return nil
	})
	if err != nil {
		return loginFailed(err)
	}
	tools, useErr := countTools(ctx, c, o)
	if a.json || a.jsonl {
		encode(a.std.out, loggedIn{name, v.Expires, v.Renewed, tools})
	}
	if useErr != nil {
		fmt.Fprintf(a.std.err, "helve: warning: the login is kept, but the server can't be used: %s\n", printable(useErr.Error()))
	}
	if a.json || a.jsonl {
		return nil
	}
	words := "Logged in to " + printable(name)
	if !asked {
		words = "The client credentials are good for " + printable(name)
	}
	if useErr == nil {
		words += ", which has " + counted(tools, "tool")
	}
	fmt.Fprintf(a.std.out, "%s%s.\n", words, howLong(v))
	return nil
}

// countTools uses a login for the first time.
func countTools(ctx context.Context, c mcp.Config, o mcp.Options) (int, error) {
	client, err := mcp.New(c, o)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	tools, err := client.Tools(ctx)
	return len(tools), err
}

func howLong(v mcp.Validity) string {
	at := v.Expires.Local().Format("2006-01-02 15:04")
	switch {
	case v.Expires.IsZero():
		return ""
	case v.Renewed:
		return "; the token is good until " + at + " and is renewed by itself"
	}
	return "; the token is good until " + at + ", then log in again"
}

func (a *app) mcpLogout(ctx context.Context, find mcpServer, name string) error {
	c, o, err := a.mcpAccount(ctx, find, name)
	if err != nil {
		return err
	}
	was, err := mcp.Logout(ctx, c, o)
	var still *mcp.StillValidError
	if errors.As(err, &still) && ctx.Err() == nil {
		fmt.Fprintf(a.std.err, "helve: warning: %s\n", printable(still.Error()))
		err = nil
	}
	if err != nil {
		return loginFailed(err)
	}
	switch {
	case a.json || a.jsonl:
		encode(a.std.out, struct {
			Server string `json:"server"`
			Was    bool   `json:"was_logged_in"`
		}{name, was})
	case was:
		fmt.Fprintf(a.std.out, "Logged out of %s.\n", printable(name))
	default:
		fmt.Fprintf(a.std.out, "Nobody was logged in to %s.\n", printable(name))
	}
	return nil
}

// mcpAccount is the server, and where its tokens are kept.
func (a *app) mcpAccount(ctx context.Context, find mcpServer, name string) (mcp.Config, mcp.Options, error) {
	c, err := find(ctx, name)
	if err != nil {
		return c, mcp.Options{}, err
	}
	if c.URL == "" {
		return c, mcp.Options{}, usage("the MCP server %s is a program on this machine: it has no login", name)
	}
	o := mcp.Options{Log: a.logger(), AllowPrivate: a.allowPrivate, TokenDir: tokenDir()}
	if o.TokenDir == "" {
		return c, o, usage("there is no home folder to keep the login in: set HELVE_HOME")
	}
	return c, o, nil
}

// tokenDir is where logins to MCP servers are kept; "" where the user has no home.
func tokenDir() string { return below(dataFolder(), "mcp-logins") }

// loginFailed gives the error of a login its exit code: that of authentication, unless
// nobody could be reached.
func loginFailed(err error) error {
	var network *net.OpError
	var lookup *net.DNSError
	var address *url.Error
	switch {
	case errors.Is(err, mcp.ErrNoLogin):
		return &failure{exitUsage, "no_login", err, "use it as it is, or give it the key that it wants: mcp_api_key"}
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case errors.As(err, &network), errors.As(err, &lookup), errors.As(err, &address):
		return &failure{exitUnreachable, "unreachable", err, "check the server's URL, and --allow-private for a server in your own network"}
	}
	return &failure{exitAuth, "authentication", err, ""}
}

// openBrowser tries to open a page. The address is printed too, for where this does
// nothing.
func openBrowser(address string) {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", address)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	default:
		cmd = exec.Command("xdg-open", address)
	}
	if cmd.Start() == nil {
		_ = cmd.Process.Release() // it lives as long as it likes
	}
}
