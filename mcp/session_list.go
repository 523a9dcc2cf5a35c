package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/mend"
)

// What one list may cost.
const (
	maxPages     = 100
	maxTools     = 2000
	maxListBytes = 8 << 20
)

// list reads all pages.
func (s *session) list(ctx context.Context) ([]json.RawMessage, error) {
	var all []json.RawMessage
	seen, size, cursor := map[string]bool{}, 0, ""
	for range maxPages {
		page, err := s.sdk.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			raw, err := rawTool(t)
			if err != nil {
				return nil, err
			}
			size += len(raw)
			if len(all) == maxTools || size > maxListBytes {
				s.client.log.Warn("mcp server has more tools than are read", "read", len(all), "most", maxTools, "most_bytes", maxListBytes)
				return all, nil
			}
			all = append(all, raw)
		}
		if cursor = page.NextCursor; cursor == "" {
			return all, nil
		}
		if seen[cursor] {
			s.client.log.Warn("mcp server lists its tools in a circle: the first round counts", "tools", len(all))
			return all, nil
		}
		seen[cursor] = true
	}
	s.client.log.Warn("mcp server lists its tools without an end: the first pages count", "pages", maxPages, "tools", len(all))
	return all, nil
}

// rawTool is a tool as the server wrote it.
func rawTool(t *sdk.Tool) (json.RawMessage, error) {
	if raw, ok := t.Meta[mend.RawTool].(string); ok {
		return json.RawMessage(raw), nil
	}
	return json.Marshal(t)
}
