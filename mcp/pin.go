package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"helve/catalog"
)

// LockFile holds, beside helve.yaml, what of the servers' tools was approved. It is made
// to be committed: each tool is a line, with the text that a model is told.
const LockFile = "mcp.lock"

const mostLock = 64 << 20 // bytes

// Lock is what was approved, by the names of the servers.
type Lock map[string]Approval

// Approval is what was approved of a server. For another program, or another address,
// that took its name, it is good for nothing.
type Approval struct {
	Server []string       `json:"server"` // the program with its arguments, or the address, without secrets
	Tools  map[string]Pin `json:"tools"`  // by the server's own names of them
}

// Pin is a tool as it was when it was approved.
type Pin struct {
	Fingerprint string          `json:"fingerprint"`     // of what the server said, of all that follows
	Title       string          `json:"title,omitempty"` // for people; models are told the rest
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Annotations json.RawMessage `json:"annotations,omitempty"` // hints, by which hosts may decide
}

// ReadLock reads the lock of a workspace. One that is not there has approved nothing. The
// error is a *[catalog.Problem].
func ReadLock(workspace string) (Lock, error) {
	data, err := readRegular(filepath.Join(workspace, LockFile), mostLock)
	if errors.Is(err, fs.ErrNotExist) {
		return Lock{}, nil
	}
	if err != nil {
		return nil, lockProblem(0, err.Error())
	}
	return parseLock(data)
}

func lockProblem(line int, message string) error {
	return &catalog.Problem{File: LockFile, Line: line, Message: message, Hint: "take the file from version control, or remove it and approve the tools again: helve mcp pin SERVER"}
}

type lockFile struct {
	Servers Lock `json:"servers"`
}

func parseLock(data []byte) (Lock, error) {
	var file lockFile
	if err := json.Unmarshal(data, &file); err != nil {
		line := 0
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			before := data[:min(int(syntax.Offset), len(data))]
			line = 1 + bytes.Count(bytes.TrimRight(before, "\n"), []byte("\n")) // also of a file that ends too early
		}
		return nil, lockProblem(line, "this is not what helve mcp pin writes: "+err.Error())
	}
	if file.Servers == nil {
		file.Servers = Lock{}
	}
	return file.Servers, nil
}

// Write keeps the lock in a workspace.
func (l Lock) Write(workspace string) error {
	if err := replaceFile(filepath.Join(workspace, LockFile), l.encode(), 0o644); err != nil {
		return fmt.Errorf("%s: %w", LockFile, withoutPath(err))
	}
	return nil
}

// encode writes a line for each tool, all sorted, so that a change of one is a change of
// one line.
func (l Lock) encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	write := func(v any) {
		_ = e.Encode(v)         // text, and JSON that was read
		b.Truncate(b.Len() - 1) // without its newline
	}
	next := ""
	b.WriteString("{\"servers\": {")
	for _, server := range sorted(l) {
		b.WriteString(next + "\n  ")
		write(server)
		b.WriteString(": {\"server\": ")
		write(append([]string{}, l[server].Server...)) // never null
		b.WriteString(", \"tools\": {")
		comma := ""
		for _, name := range sorted(l[server].Tools) {
			b.WriteString(comma + "\n    ")
			write(name)
			b.WriteString(": ")
			write(l[server].Tools[name])
			comma = ","
		}
		b.WriteString("\n  }}")
		next = ","
	}
	b.WriteString("\n}}\n")
	return b.Bytes()
}

// Change is how a tool is other than it was approved. Of a new one Was is empty, of one
// that is gone Is.
type Change struct {
	Tool    string // the server's own name
	Was, Is Pin
}

// String says what changed, in a few words.
func (c Change) String() string {
	var changed []string
	switch {
	case c.Was.Fingerprint == "":
		return c.Tool + " is new"
	case c.Is.Fingerprint == "":
		return c.Tool + " is gone"
	}
	if c.Was.Description != c.Is.Description {
		changed = append(changed, "another description")
	}
	if !sameJSON(c.Was.Parameters, c.Is.Parameters) {
		changed = append(changed, "other parameters")
	}
	if c.Was.Title != c.Is.Title {
		changed = append(changed, "another title")
	}
	if !sameJSON(c.Was.Annotations, c.Is.Annotations) {
		changed = append(changed, "other hints")
	}
	if len(changed) == 0 { // what is hashed is what the server wrote, what is kept is what is read of it
		changed = append(changed, "other blanks, or other text that no model is told")
	}
	return c.Tool + " has " + strings.Join(changed, " and ")
}

func sameJSON(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// Moved reports whether what was approved by the name of a server is of another program
// or address.
func (l Lock) Moved(server string, now Approval) bool {
	was, known := l[server]
	return known && !slices.Equal(was.Server, now.Server)
}

// Changes returns how the tools that a server lists now differ from those approved, by
// their names. Of one that has moved all are new.
func (l Lock) Changes(server string, listed Approval) []Change {
	was, now := l[server].Tools, listed.Tools
	if l.Moved(server, listed) {
		was = nil
	}
	both := map[string]bool{}
	for name := range was {
		both[name] = true
	}
	for name := range now {
		both[name] = true
	}
	var changes []Change
	for _, name := range sorted(both) {
		if was[name].Fingerprint != now[name].Fingerprint {
			changes = append(changes, Change{name, was[name], now[name]})
		}
	}
	return changes
}

// reached is where a server is, as a person approves it: what differs between machines
// and what is secret does not count.
func (c *configured) reached() []string {
	if u, err := url.Parse(c.URL); c.URL != "" && err == nil {
		return []string{c.hidden.in((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String())}
	}
	words := append([]string{c.Command}, c.Args...)
	for i, word := range words {
		if len(c.workspace) > 1 { // not the root
			word = strings.ReplaceAll(word, c.workspace, "${workspaceFolder}")
		}
		words[i] = c.hidden.in(word)
	}
	return words
}

// pins returns the tools of a listing that c uses, as they would be approved. What can't
// be read is no tool.
func (c *Config) pins(l Listing) map[string]Pin {
	now := map[string]Pin{}
	for _, raw := range l.Tools {
		t, err := readTool(c.Name, raw, defaultLimits)
		if err != nil || !c.wants(t.raw) {
			continue
		}
		if _, twice := now[t.raw]; !twice {
			now[t.raw] = Pin{t.fingerprint, t.title, t.definition.Description, t.definition.Schema().JSON(), t.annotations}
		}
	}
	return now
}
