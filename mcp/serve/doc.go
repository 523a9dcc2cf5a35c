// Package serve serves tools to any client of the Model Context Protocol: Claude
// Desktop, Cursor, VS Code and the like, of protocol 2024-11-05 to 2026-07-28.
//
//	s := serve.New(serve.Options{Name: "handbook", Version: "1.0"})
//	defer s.Close()
//	err := s.Set(serve.Content{Tools: tools})
//
// A program that a client starts speaks over its standard input and output, and
// nothing else may write there, so [Guard] comes first:
//
//	out, err := serve.Guard()
//	err = s.ServeStdio(ctx, os.Stdin, out)
//
// A server that many clients share is an [net/http.Handler]. One address serves
// clients of every protocol version:
//
//	handler, err := s.Handler(serve.HTTP{Tokens: tokens})
//	http.Handle("/mcp", handler)
//
// # Calls
//
// A call runs through the executor: validation, deadline, middleware, hooks and log
// are those of any other call. What the tool tells while it runs ([tool.Runtime])
// becomes a progress notification or a log message; the callback [CloseStream] closes
// the stream of an HTTP call, and the client comes back for the rest. A client that
// cancels a call, or hangs up where it can't come back, ends the call's context.
//
// What a tool asks ([tool.Runtime.Ask]) the client's person or model answers. A client
// of 2026-07-28 is asked by the result of its call, and calls again with the answers.
// In between the tool waits where it asked, for ten minutes at most. Who has not said
// that it can answer is not asked: then Ask fails with [tool.ErrNobody].
//
// # Results
//
// Text, pictures, recordings and small files travel in the result. Long text is cut
// where [Options].MaxInline says, with a link to the whole, helve://result/…; so are
// large pictures and files. Such an address holds a secret of its own, is listed
// nowhere, and lasts an hour. The artifact of a result stays here, but for what it
// marks (see [tool.Attacher]). A tool that is a [tool.Outputter] has structured
// results.
//
// An error of a tool is a result too, which the model reads: the message, and the
// details as JSON. Its cause, and the stack of a panic, go to the log alone.
package serve
