// Package stdio runs an MCP server as a child process and speaks to it on its standard
// input and output, as the protocol's transport "stdio" says: one JSON-RPC message a
// line. It survives what such programs do.
//
//	p, err := stdio.Start(ctx, stdio.Command{
//		Name: "memory", Path: "npx", Args: []string{"-y", "@modelcontextprotocol/server-memory"},
//		Env: stdio.Environment(nil),
//	})
//	…
//	session, err := client.Connect(ctx, p.Transport(), nil)
//	if err != nil {
//		p.Close()
//		return p.Explain(err)
//	}
//
// What it does that the SDK's CommandTransport does not:
//
//   - Lines on standard output that are no messages, such as a banner, are skipped and
//     counted. A message that is JSON-RPC but can't be read fails the call that it
//     answers, not the connection.
//   - A message may have 32 MiB. A longer one ends the connection; it is never in memory.
//   - A batch may have a thousand messages; a larger one is skipped, and logged.
//   - A server may ask a hundred things at once ([asked.Most]); what it asks beyond that
//     is refused. Where it does not read the refusals either, the connection ends.
//   - Writing to a server that does not read ends with the context of the call, and the
//     stream stays whole: what was begun is finished before the next message.
//   - The end of standard error is kept, without secrets, for the error ([Process.Explain]).
//   - The server and all it started are one process group, which is ended as a whole:
//     after its leader ended, on [Process.Close], and by a watchdog if this process is
//     killed. A process that made itself a group of its own (setsid) is out of reach; its
//     holding the output open keeps nobody waiting.
//
// The watchdog is one /bin/sh for all servers of this process. It reads the groups from
// a pipe and ends those that are left when the pipe closes.
//
// On systems that are not Unix there are no groups, signals and deadlines of pipes: only
// the server itself is ended, half a second after its standard input was closed, there
// is no watchdog, and writing to a server that does not read ends with the server.
package stdio
