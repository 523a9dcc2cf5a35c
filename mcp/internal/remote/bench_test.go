package remote

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkCall is a small call of a tool by the SDK, by turns over a bare
// http.Client and over this package, with the same kind of transport beneath. The
// ratio is that of the medians.
func BenchmarkCall(b *testing.B) {
	for name, asJSON := range map[string]bool{"JSON": true, "events": false} {
		b.Run(name, func(b *testing.B) {
			mcp := newMCP(b)
			server := serve(b, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcp }, &sdk.StreamableHTTPOptions{JSONResponse: asJSON}))
			r := newRemote(b, server.URL, func(o *Options) {
				o.Header = http.Header{"Authorization": {"Bearer k"}}
				o.Mend = bytes.Clone
			})
			open := func(client *http.Client) *sdk.ClientSession {
				transport := &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: client, DisableStandaloneSSE: true}
				session, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).Connect(b.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { session.Close() })
				return session
			}
			sessions := [2]*sdk.ClientSession{open(&http.Client{Transport: r.transport}), open(r.Client())}
			var took [2][]time.Duration
			for b.Loop() {
				for i, session := range sessions {
					start := time.Now()
					ctx, _ := Watch(b.Context())
					if _, err := say(ctx, session, "hello world"); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(start))
				}
			}
			bare, remote := median(took[0]), median(took[1])
			b.ReportMetric(bare/1e3, "bare-µs")
			b.ReportMetric(remote/1e3, "remote-µs")
			b.ReportMetric(remote/bare, "ratio")
		})
	}
}

func median(took []time.Duration) float64 {
	slices.Sort(took)
	return float64(took[len(took)/2])
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
