// Package remote is the HTTP below the SDK's client transports: it reaches one
// MCP server, keeps its credentials at its origin, bounds what it sends, and
// knows afterwards what went wrong.
//
//	r, err := remote.New(remote.Options{Name: "weather", URL: u, Header: keys})
//	…
//	defer r.Close()
//	transport := &sdk.StreamableClientTransport{Endpoint: u.String(), HTTPClient: r.Client()}
//	session, err := client.Connect(ctx, transport, nil)
//	if err != nil {
//		return r.Explain(err) // with the status, the body's text, WWW-Authenticate
//	}
//
//	ctx, outcome := remote.Watch(ctx)
//	result, err := session.CallTool(ctx, params)
//	if err != nil && outcome.NotRun() {
//		// it is safe to call again
//	}
//
// # What a request goes through
//
//   - A request to another origin than the server's own is not sent, be it a
//     redirect or the endpoint that an older server names. A redirect that would
//     turn a POST into a GET is not followed: the message would be lost.
//   - Configured headers are added to GET, POST and DELETE alike, where the
//     request does not say something else itself.
//   - The trace of the connection tells whether any of a request was written. What
//     fails before that is a [*RequestError] with NotRun, as are answers that
//     mean "not now" or "not you".
//   - A refused answer becomes a [*StatusError]. The SDK sees those on which it acts
//     (401, 403, 404, and bodies with a JSON-RPC error); the others end their own
//     request as an error, where the SDK would end the session.
//   - A JSON answer is read whole, at most 32 MiB after decompression, mended, and
//     refused if it is no JSON. Of an event stream every event is mended as soon as it
//     is complete.
//   - The stream on which a server speaks unasked (GET) is kept by a keeper, which
//     asks for it again for as long as the session lives.
//
// There is no proxy: package netpolicy has none, since a proxy would make the
// connection past the check of the address. HTTPS_PROXY has no effect.
package remote
