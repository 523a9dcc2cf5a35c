package mcp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"helve/internal/excerpt"
	"helve/mcp/internal/rawjson"
	"helve/tool"
)

// limits bound what a server may put into every prompt.
type limits struct {
	name, description, schema int // bytes
}

var defaultLimits = limits{name: 1 << 10, description: 4 << 10, schema: 64 << 10}

// listed is a tool as its server lists it.
type listed struct {
	raw        string // the server's own name for it
	definition tool.Definition

	title        string
	outputSchema json.RawMessage // as the server sent it; nil if it has none
	annotations  json.RawMessage // as outputSchema
	hints        hints
	fingerprint  string   // of all that a person approves when they approve the tool
	warnings     []string // what had to be changed, for the host's log
}

// hints are what a server says of its own tool. Nobody has checked them, so they put
// nothing into the definition: there ReadOnly would let the tool run ahead of the model
// and run again. The host's configuration may.
type hints struct {
	ReadOnly    bool
	Idempotent  bool
	Destructive bool // true where the server does not say
}

// readTool reads one tool of a tools/list as the server sent it. The error says why the
// tool can't be used, naming the tool. Of that what is returned has the name, if there is
// one.
func readTool(server string, raw json.RawMessage, most limits) (listed, error) {
	if notNull(raw) == nil {
		return listed{}, errors.New("a tool is nothing")
	}
	fields := rawjson.Object(raw)
	if fields == nil {
		return listed{}, fmt.Errorf("a tool is no JSON object: %s", excerpt.Of(string(raw), 100))
	}
	l := listed{raw: rawjson.Text(fields["name"]), title: readable(rawjson.Text(fields["title"])), outputSchema: notNull(fields["outputSchema"]), annotations: notNull(fields["annotations"])}
	if l.raw == "" {
		return listed{}, fmt.Errorf("a tool has no name: %s", excerpt.Of(string(raw), 100))
	}
	fail := func(format string, args ...any) (listed, error) {
		return listed{raw: l.raw}, fmt.Errorf("tool %q: %w", excerpt.Of(l.raw, 100), fmt.Errorf(format, args...))
	}
	if len(l.raw) > most.name {
		return fail("its name has %d bytes, and %d are allowed", len(l.raw), most.name)
	}
	if execution := rawjson.Object(fields["execution"]); rawjson.Text(execution["taskSupport"]) == "required" {
		return fail("it needs the tasks extension, which helve does not have")
	}
	if n := len(fields["inputSchema"]); n > most.schema {
		return fail("its inputSchema has %d bytes, and %d are allowed", n, most.schema)
	}
	annotations := rawjson.Object(fields["annotations"])
	l.hints = readHints(annotations)
	l.definition.Name = toolName(server, l.raw)
	l.definition.Description = describe(server, l.raw, fields, annotations, most.description)
	var err error
	if l.definition.Parameters, l.warnings, err = parametersOf(fields["inputSchema"]); err != nil {
		return fail("its inputSchema: %w", err)
	}
	if l.fingerprint, err = fingerprint(fields); err != nil {
		return fail("%w", err)
	}
	return l, nil
}

func readHints(annotations map[string]json.RawMessage) hints {
	is := func(key, value string) bool { return string(annotations[key]) == value }
	return hints{
		ReadOnly:    is("readOnlyHint", "true"),
		Idempotent:  is("idempotentHint", "true"),
		Destructive: !is("destructiveHint", "false"),
	}
}

// describe is what the model reads of a tool.
func describe(server, raw string, fields, annotations map[string]json.RawMessage, most int) string {
	for _, text := range []string{rawjson.Text(fields["description"]), rawjson.Text(fields["title"]), rawjson.Text(annotations["title"])} {
		if text = readable(text); text != "" {
			return excerpt.Of(text, most)
		}
	}
	return fmt.Sprintf("The tool %s of the server %s.", readable(raw), server)
}

// readable takes out what a person does not see and a model reads all the same: control
// characters other than the end of a line and a tab, and Unicode's tags.
func readable(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || 0xE0000 <= r && r <= 0xE007F {
			return -1
		}
		return r
	}, text))
}

// fingerprint is the hash of what a model and a person know of a tool: the schema of its
// results neither of them is told. The order of keys and the blanks between them do not
// count; each digit of a number does.
func fingerprint(fields map[string]json.RawMessage) (string, error) {
	known := map[string]any{}
	for _, key := range []string{"name", "title", "description", "inputSchema", "annotations"} {
		if fields[key] == nil {
			continue
		}
		value, err := exact(fields[key])
		if err != nil {
			return "", fmt.Errorf("its %s: %w", key, err)
		}
		known[key] = value
	}
	canonical, err := json.Marshal(known)
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:]), err
}

// exact decodes JSON and keeps the digits of its numbers.
func exact(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// notNull is raw, or nil where raw says nothing.
func notNull(raw json.RawMessage) json.RawMessage {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}
