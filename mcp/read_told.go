package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"helve/schema"
	"helve/tool"
)

// told is what a model is told of a tool.
type told struct {
	name        string // the server's own
	fingerprint string
	definition  tool.Definition
}

// readTold reads a tool as server listed it.
func readTold(server string, raw json.RawMessage) (told, error) {
	var t struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return told{}, err
	}
	s, err := schema.Compile(t.InputSchema)
	if err != nil {
		return told{}, fmt.Errorf("mcp server %s: tool %q: %w", server, t.Name, err)
	}
	digest := sha256.Sum256(slices.Concat([]byte(t.Name), []byte{0}, []byte(t.Description), []byte{0}, t.InputSchema))
	return told{t.Name, "sha256:" + hex.EncodeToString(digest[:]), tool.Definition{Name: server + "__" + t.Name, Description: t.Description, Parameters: s}}, nil
}

// uses reports whether a tool of that name, the server's own, is allowed and not denied.
func (c *Config) uses(name string) bool {
	matches := func(glob string) bool { ok, _ := path.Match(glob, name); return ok }
	return (len(c.Allow) == 0 || slices.ContainsFunc(c.Allow, matches)) && !slices.ContainsFunc(c.Deny, matches)
}
