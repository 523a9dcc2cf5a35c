package remote

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkCall is a small call of a tool by the SDK: over a bare http.Client, and
// over this package. Both have the same transport beneath.
func BenchmarkCall(b *testing.B) {
	for _, asJSON := range []bool{true, false} {
		name := map[bool]string{true: "JSON", false: "events"}[asJSON]
		mcp := newMCP(b)
		server := serve(b, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, &sdk.StreamableHTTPOptions{JSONResponse: asJSON}))
		r := newRemote(b, server.URL, func(o *Options) {
			o.Header = http.Header{"Authorization": {"Bearer k"}}
			o.Mend = bytes.Clone
		})
		for by, client := range map[string]*http.Client{"bare": {Transport: r.transport}, "remote": r.Client()} {
			b.Run(name+"/"+by, func(b *testing.B) {
				transport := &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: client, DisableStandaloneSSE: true}
				session, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).Connect(b.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
				if err != nil {
					b.Fatal(err)
				}
				defer session.Close()
				b.ReportAllocs()
				for b.Loop() {
					ctx, _ := Watch(b.Context())
					if _, err := say(ctx, session, "hello world"); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkEvents is the rewriter alone, over many small events and one large one.
func BenchmarkEvents(b *testing.B) {
	small := bytes.Repeat([]byte("event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}\n\n"), 10_000)
	large := append(append([]byte("data: {\"x\":\""), bytes.Repeat([]byte("x"), len(small))...), "\"}\n\n"...)
	for name, stream := range map[string][]byte{"small": small, "large": large} {
		b.Run(name, func(b *testing.B) {
			r := &Remote{maxBody: maxBody}
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				e := r.newEvents(&http.Request{}, io.NopCloser(bytes.NewReader(stream)), eventOptions{})
				if _, err := io.Copy(io.Discard, e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
