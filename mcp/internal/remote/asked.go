package remote

import (
	"context"
	"io"
	"log/slog"
	"net/http"

	"helve/mcp/internal/mend"
)

// pass mends a message. Nothing is left of what the SDK is not to see: what mending leaves
// out, and a request beyond those that may be open. A server that asks so much gets no
// answer to that: it would be one more request to wait for.
func (r *Remote) pass(data []byte) []byte {
	if r.mend != nil {
		data = r.mend(data)
	}
	id, asks := mend.Asks(data)
	if !asks {
		return data
	}
	err := r.open.Begin(id)
	if err == nil {
		return data
	}
	level := slog.LevelWarn
	if r.leftOut.Swap(true) {
		level = slog.LevelDebug // it was said
	}
	r.log.Log(context.Background(), level, "a request of an MCP server was left out", "error", err)
	return nil
}

// answering notes that req answers a request of the server, if it does, until done.
func (r *Remote) answering(req *http.Request, s summary) (done func()) {
	nothing := func() {}
	if s.method != "" || req.GetBody == nil {
		return nothing
	}
	body, err := req.GetBody()
	if err != nil {
		return nothing
	}
	defer body.Close()
	data, err := io.ReadAll(body)
	if err != nil {
		return nothing
	}
	return r.open.Answer(mend.ID(data))
}
