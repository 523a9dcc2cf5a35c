// Package rest speaks with the simple server of document 004 (4.1.1, 4.5): one address
// that lists tools, and /execute below it that runs them.
//
//	GET  http://tools.example.com/          the tools
//	POST http://tools.example.com/execute   {"tool": "add", "arguments": {"a": 1, "b": 2}}
//
// The document leaves the bodies open, so what is about is read:
//
//   - the tools as a list, or as {"tools": […]}; each one as MCP, OpenAI or Anthropic
//     write it, or with its parameters one by one, as the document does;
//   - the answer as {"result": …}, {"error": …}, any other JSON, text, or an image.
//
// A [Client] makes no retries and knows no keys. The http.Client it is given has a
// transport that adds the key, to this origin alone, and checks where connections lead.
package rest
