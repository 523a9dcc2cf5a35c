package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// take makes tools of what the server lists, and reports whether they differ from those
// there were. A tool that did not change stays the same.
func (c *Client) take(raw []json.RawMessage) (changed bool) {
	tools := map[string]*remoteTool{}
	var held []string
	for _, data := range raw {
		l, err := readTool(c.config.Name, data)
		switch {
		case err != nil:
			held = append(held, err.Error())
			continue
		case !c.config.wants(l.name):
			continue
		case tools[l.name] != nil:
			held = append(held, fmt.Sprintf("%s: it is listed twice; the first counts", clip(l.name)))
			continue
		}
		t := &remoteTool{client: c, listed: l, definition: l.definition}
		t.definition.Timeout = c.config.Timeout
		t.definition.Idempotent = l.definition.ReadOnly && l.definition.Idempotent || matches(c.config.Idempotent, l.name)
		if c.options.Approve != nil && !c.options.Approve(l.name, l.fingerprint) {
			t.held = true
			held = append(held, fmt.Sprintf("%s: nobody approved it as it is", clip(l.name)))
		}
		tools[l.name] = t
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changed = c.diff(tools)
	c.tools = tools
	c.status.Tools, c.status.Held = len(tools), held
	for _, h := range held {
		c.log.Warn("a tool of an mcp server is held back", "reason", h)
	}
	return changed
}

// diff keeps the tools that stayed the same, logs those that did not, and reports
// whether there are any. The caller has the lock.
func (c *Client) diff(tools map[string]*remoteTool) (changed bool) {
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		before, now := c.tools[name], tools[name]
		switch {
		case before == nil:
			changed = true
			if c.tools != nil {
				c.log.Info("mcp server has a new tool", "tool", clip(name))
			}
		case before.listed.fingerprint == now.listed.fingerprint && before.held == now.held:
			tools[name] = before
		default:
			changed = true
			c.log.Warn("mcp server changed a tool", "tool", clip(name), "what", before.listed.differs(now.listed))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		if tools[name] == nil {
			changed = true
			c.log.Info("mcp server has a tool no more", "tool", clip(name))
		}
	}
	return changed
}

// wants says whether a tool is used.
func (c Config) wants(name string) bool {
	return (len(c.Allow) == 0 || matches(c.Allow, name)) && !matches(c.Deny, name)
}

// matches reports whether one of patterns, in the language of path.Match but for the
// slash, fits name.
func matches(patterns []string, name string) bool {
	flat := strings.NewReplacer("/", "\x00")
	for _, p := range patterns {
		if ok, _ := path.Match(flat.Replace(p), flat.Replace(name)); ok {
			return true
		}
	}
	return false
}
