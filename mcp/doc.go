// Package mcp uses the tools of Model Context Protocol servers as if they were the
// program's own.
//
// A [Client] keeps the connection to one server. It starts with the first need, is made
// again whenever it is lost, and is one for all callers:
//
//	client, err := mcp.New(mcp.Config{Name: "files", Command: "mcp-server-filesystem", Args: []string{"."}}, mcp.Options{})
//	defer client.Close()
//	tools, err := client.Tools(ctx) // []tool.Tool
//
// The tools are called like any others. Their names are the server's and their own,
// files__read_file, in letters that every provider takes.
//
// # How a server is reached
//
// A program speaks on its standard input and output; a server on the network by
// Streamable HTTP, by the older HTTP with server-sent events, or in the simple form of
// document 004, section 4.1.1: GET lists the tools, POST /execute calls one. Which of
// them it is, the client finds out. It speaks the protocol from 2024-11-05 to
// 2026-07-28.
//
// # What may go wrong
//
// A call is sent again only when the first one provably did not run, or when the
// configuration calls its tool idempotent ([Config].Idempotent): a connection that breaks
// says nothing of the tool. A server that is lost is connected again after 0.5 s to a
// minute, for as long as the client lives; who calls meanwhile tries at once. Of each
// server [Client.Status] says how it is and what went wrong last.
//
// What a server says is not trusted: its names, descriptions and schemas are bounded and
// cleaned, its hints change nothing, its messages are limited to 32 MiB, and a tool that
// is not as it was approved is held back ([Options].Approve). Credentials go to the
// origin that the configuration names and to no other.
//
// # Questions
//
// A server may ask the person, or the model, while it runs a call. The question goes to
// the call's own host ([helve/tool.Runtime].Answer) if the policy of the configuration
// allows it, and is declined where nobody is there.
//
// # Workspaces
//
// [Source] finds the servers of a workspace's files for package catalog. [Login] lets a
// person log in by OAuth. Package mcp/serve is the other side: it serves tools.
package mcp
