package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"helve/schema"
)

// draft is a call in the making: what a part of the prompt gives for the
// parameters of one tool.
type draft struct {
	tool    definition
	text    string    // the part of the prompt
	found   []finding // the values in it, their positions those in text
	used    []span    // what of text is spoken for
	args    map[string]json.RawMessage
	missing []string // parameters that need a value and have none
	doubt   []string // optional parameters for which the text has a value that can't be read
	reason  string   // why the arguments do not fit the schema, where nothing is missing
}

type span struct{ start, end int }

// filled is a call that can be made.
type filled struct {
	tool definition
	args []argument // in the schema's order
}

type argument struct {
	property schema.Property
	kind     kind
	value    json.RawMessage
}

// fill drafts a call of t from text. From the surest to the weakest: JSON,
// name=value, values of a known kind, words of a list, flags, named text,
// quotations, and the rest of the text.
func fill(t definition, text string) *draft {
	d := &draft{tool: t, text: text, found: scan(text), args: map[string]json.RawMessage{}}
	d.fromObject()
	for _, step := range []func(schema.Property){d.fromPair, d.fromChoices, d.fromNumber, d.fromKind, d.fromList, d.fromFlag, d.fromNamed, d.fromQuotation} {
		for _, p := range t.schema.Properties() {
			if _, done := d.args[p.Name]; !done {
				step(p)
			}
		}
	}
	d.fromPlace()
	d.fromRest()
	d.fromDefaults()
	d.check()
	return d
}

// borrow gives what is still missing from elsewhere in the prompt, if it is of a
// kind that can't be mistaken.
func (d *draft) borrow(prompt string) {
	if len(d.missing) == 0 {
		return
	}
	found := scan(prompt)
	for _, p := range d.tool.schema.Properties() {
		k := wants(d.tool, p)
		if !slices.Contains(d.missing, p.Name) || k == kindText || k == kindNumber {
			continue
		}
		for _, f := range found {
			if v, ok := f.fits(k); ok && !f.quoted && d.set(p, v) {
				break
			}
		}
	}
	d.check()
}

// set gives p the value that text means, if p's type can have it.
func (d *draft) set(p schema.Property, text string) bool {
	v, ok := encodeAs(p.Type, text)
	if !ok || len(p.Enum) > 0 && !slices.ContainsFunc(p.Enum, func(e json.RawMessage) bool { return literal(e) == literal(v) }) {
		return false
	}
	d.args[p.Name] = v
	return true
}

// encodeAs writes text as JSON of a type.
func encodeAs(typ, text string) (json.RawMessage, bool) {
	switch typ {
	case "string", "":
		return encode(text), true
	case "integer", "number":
		n := strings.TrimPrefix(strings.ReplaceAll(text, ",", ""), "+")
		n = trimZeros(n)
		if !json.Valid([]byte(n)) || strings.ContainsAny(n, `{["tfn`) || typ == "integer" && strings.ContainsAny(n, ".eE") {
			return nil, false
		}
		return json.RawMessage(n), true
	case "boolean":
		switch strings.ToLower(text) {
		case "true", "yes", "on", "是":
			return json.RawMessage("true"), true
		case "false", "no", "off", "否":
			return json.RawMessage("false"), true
		}
	case "array", "object":
		open := map[string]byte{"array": '[', "object": '{'}[typ]
		if raw := bytes.TrimSpace([]byte(text)); len(raw) > 0 && raw[0] == open && json.Valid(raw) {
			return raw, true
		}
	}
	return nil, false
}

// trimZeros takes off the leading zeros that JSON does not allow.
func trimZeros(n string) string {
	sign := ""
	if strings.HasPrefix(n, "-") {
		sign, n = "-", n[1:]
	}
	for len(n) > 1 && n[0] == '0' && n[1] >= '0' && n[1] <= '9' {
		n = n[1:]
	}
	return sign + n
}

// literal is a JSON value as a person writes it: a string without its quotes.
func literal(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func (d *draft) use(start, end int) { d.used = append(d.used, span{start, end}) }

func (d *draft) free(f finding) bool { return !d.isUsed(f.start, f.end) }

func (d *draft) isUsed(start, end int) bool {
	return slices.ContainsFunc(d.used, func(u span) bool { return start < u.end && u.start < end })
}

// fromDefaults gives required parameters what the schema says.
func (d *draft) fromDefaults() {
	for _, p := range d.tool.schema.Properties() {
		if _, done := d.args[p.Name]; done || !p.Required {
			continue
		}
		switch {
		case p.Default != nil:
			d.args[p.Name] = p.Default
		case len(p.Enum) == 1:
			d.args[p.Name] = p.Enum[0]
		}
	}
}

// check finds what is missing. Values that break the schema are taken out: a call
// is either valid or not made.
func (d *draft) check() {
	for range len(d.args) + 1 {
		d.findMissing()
		if len(d.missing) > 0 {
			return
		}
		err := d.tool.schema.Validate(d.json())
		if err == nil {
			d.reason = ""
			return
		}
		d.reason = err.Error()
		if !d.dropInvalid(err) {
			return
		}
	}
}

func (d *draft) findMissing() {
	d.missing = slices.Clone(d.doubt)
	for _, p := range d.tool.schema.Properties() {
		if _, ok := d.args[p.Name]; p.Required && !ok {
			d.missing = append(d.missing, p.Name)
		}
	}
}

func (d *draft) dropInvalid(err error) (dropped bool) {
	var invalid *schema.ValidationError
	if !errors.As(err, &invalid) {
		return false
	}
	for _, v := range invalid.Violations {
		token, _, _ := strings.Cut(strings.TrimPrefix(v.Pointer, "/"), "/")
		name := strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if _, ok := d.args[name]; ok && v.Pointer != "" {
			delete(d.args, name)
			dropped = true
		}
	}
	return dropped
}

// ok reports whether the call can be made.
func (d *draft) ok() bool { return len(d.missing) == 0 && d.reason == "" }

func (d *draft) json() json.RawMessage { return d.call().json() }

// call is the draft as a call, its arguments in the schema's order.
func (d *draft) call() filled {
	c := filled{tool: d.tool}
	for _, p := range d.tool.schema.Properties() {
		if v, ok := d.args[p.Name]; ok {
			c.args = append(c.args, argument{p, wants(d.tool, p), v})
		}
	}
	return c
}

func (c filled) json() json.RawMessage {
	out := []byte{'{'}
	for i, a := range c.args {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, encode(a.property.Name)...), ':'), a.value...)
	}
	return append(out, '}')
}

func (c filled) wire() call { return call{name: c.tool.name, arguments: string(c.json())} }

// calls are the call that d drafts, and one more for each further value where the
// prompt names several and the tool takes one: the weather in Paris and London.
func (d *draft) calls() []filled {
	first := d.call()
	out := []filled{first}
	at := slices.IndexFunc(first.args, func(a argument) bool { return a.kind.separable() && a.property.Type != "array" })
	if at < 0 || slices.ContainsFunc(first.args[at+1:], func(a argument) bool { return a.kind == first.args[at].kind }) {
		return out
	}
	for _, f := range d.found {
		v, ok := f.fits(first.args[at].kind)
		if !ok || f.kind == kindText || !d.free(f) {
			continue
		}
		more := filled{tool: first.tool, args: slices.Clone(first.args)}
		more.args[at].value = encode(v)
		if d.tool.schema.Validate(more.json()) == nil {
			out = append(out, more)
		}
	}
	return out
}
