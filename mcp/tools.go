package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"helve/internal/excerpt"
)

// take makes tools of what the server lists, and reports whether they differ from those
// there were. A tool that did not change stays the same.
func (c *Client) take(raw []json.RawMessage) (changed bool) {
	tools := map[string]*remoteTool{}
	odd := map[oddity]bool{}
	var names, leftOut []string
	for _, data := range raw {
		l, err := readTool(c.config.Name, data, defaultLimits)
		if l.raw != "" {
			names = append(names, l.raw)
		}
		switch {
		case l.raw != "" && !c.config.wants(l.raw):
			continue
		case err != nil:
			why := c.options.Redact(excerpt.Of(err.Error(), mostReason))
			odd[oddity{"a tool of an mcp server can't be used", why}] = true
			leftOut = append(leftOut, why)
			continue
		case tools[l.raw] != nil:
			odd[oddity{"a tool of an mcp server is listed twice: the first counts", excerpt.Of(l.raw, mostName)}] = true
			continue
		}
		for _, w := range l.warnings {
			odd[oddity{"a tool of an mcp server is not used as it is", excerpt.Of(l.raw, mostName) + ": " + w}] = true
		}
		t := &remoteTool{client: c, listed: l, definition: l.definition}
		t.definition.Timeout = c.config.Timeout
		t.definition.Idempotent = matches(c.config.Idempotent, l.raw)
		tools[l.raw] = t
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complain(odd)
	changed = c.diff(tools)
	c.tools, c.status.Tools = tools, len(tools)
	c.status.LeftOut, c.status.Unmatched = leftOut, unmatched(c.config.Allow, names)
	return changed
}

// unmatched returns the patterns that fit none of names. Where there are no names at all,
// they are not to blame.
func unmatched(patterns, names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(patterns), func(p string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return matches([]string{p}, name) })
	})
}

// oddity is what is wrong with a tool that a server lists.
type oddity struct{ what, reason string }

// complain logs what was not odd in the last list: servers list their tools anew and
// anew, with the same faults. Of a list that is known from before it was said before. The
// caller has the lock.
func (c *Client) complain(odd map[oddity]bool) {
	byReason := func(a, b oddity) int { return strings.Compare(a.reason, b.reason) }
	for _, o := range slices.SortedFunc(maps.Keys(odd), byReason) {
		if c.begun && !c.odd[o] {
			c.log.Warn(o.what, "reason", c.options.Redact(o.reason))
		}
	}
	c.odd = odd
}

const (
	mostName   = 100 // bytes of a tool's name that a log line holds
	mostReason = 300 // bytes of why a tool is left out
)

// diff keeps the tools that stayed the same, logs those that did not, and reports
// whether there are any. The caller has the lock.
func (c *Client) diff(tools map[string]*remoteTool) (changed bool) {
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		before, now := c.tools[name], tools[name]
		switch {
		case before == nil:
			changed = true
			if c.tools != nil {
				c.log.Info("mcp server has a new tool", "tool", excerpt.Of(name, mostName))
			}
		case before.listed.fingerprint == now.listed.fingerprint:
			tools[name] = before
		default:
			changed = true
			c.log.Warn("mcp server changed a tool", "tool", excerpt.Of(name, mostName), "what", before.listed.differs(now.listed))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		if tools[name] == nil {
			changed = true
			c.log.Info("mcp server has a tool no more", "tool", excerpt.Of(name, mostName))
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

// differs says in words what of a tool changed.
func (l listed) differs(now listed) string {
	var what []string
	if l.definition.Description != now.definition.Description {
		what = append(what, "description")
	}
	if !bytes.Equal(l.definition.Schema().JSON(), now.definition.Schema().JSON()) {
		what = append(what, "parameters")
	}
	if len(what) == 0 {
		return "what only programs read"
	}
	return strings.Join(what, " and ")
}
