package sim

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"helve/internal/excerpt"
	"helve/schema"
)

// respond is the answer to a request, thought up.
//
// Once tools have answered since the last user message it writes text and calls
// nothing more, so that no tool can make it go round in circles. Where it may make
// one call at a time, the calls it has thought of come first. A skill that the prompt
// names is opened, and then its script is run.
func respond(req *request) *reply {
	prompt, after := req.lastUser()
	prompt = excerpt.Head(prompt, maxPrompt)
	says := language(prompt)
	answers := resultsOf(after)
	if u := req.skillNamed(prompt); u != nil && !req.choice.none && req.choice.name == "" {
		if r := u.reply(answers, says); r != nil {
			return r
		}
	}
	p := think(prompt, req)
	if n := len(answers); !req.parallel && req.choice == (choice{}) && 0 < n && n < len(p.calls) {
		return &reply{calls: []call{p.calls[n].wire()}}
	}
	if len(answers) > 0 {
		return &reply{text: says.answer(answers, p.gaps)}
	}
	if req.choice.none {
		return &reply{text: says.withoutTools(p)}
	}
	if req.choice.required {
		p = force(p, prompt, req)
	}
	switch {
	case len(p.calls) > 0:
		if !req.parallel {
			p.calls = p.calls[:1]
		}
		r := &reply{}
		for _, c := range p.calls {
			r.calls = append(r.calls, c.wire())
		}
		return r
	case len(p.gaps) > 0:
		return &reply{text: says.couldNot(p.gaps)}
	case identity.MatchString(prompt):
		return &reply{text: says.identity}
	case req.lesson.unread:
		return &reply{text: says.unread + says.space + says.realModel}
	}
	return &reply{text: says.help(req.tools)}
}

var identity = regexp.MustCompile(`(?i)\b(?:who|what) are you\b|\bwhat('s| is) your name\b|\bare you (?:an? )?(?:ai|real|human|robot|person|language model|llm|gpt|chatgpt|claude|model)\b|你是谁|你是什么|你叫什么|介绍一下你自己`)

// outcome is a call that was answered.
type outcome struct {
	call   call
	result string
}

// pointer says in the text of a result where its pictures are. They are for those
// who can see.
var pointer = regexp.MustCompile(`\n?\[[a-z, ]+: see the user message that follows, under "of call [^"]*"\]$`)

// resultsOf pairs the results after the last user message with their calls, in
// the order of the calls.
func resultsOf(after []turnMessage) []outcome {
	results := map[string]string{}
	for _, m := range after {
		if m.role == "tool" {
			results[m.callID] = pointer.ReplaceAllString(m.text, "")
		}
	}
	var out []outcome
	for _, m := range after {
		for _, c := range m.calls {
			if result, ok := results[c.id]; ok {
				out = append(out, outcome{c, result})
			}
		}
	}
	return out
}

// force makes a plan that calls: the tool that was named, or the one that fits
// best. What the prompt does not give is made up from the schema.
func force(p plan, prompt string, req *request) plan {
	named := func(tool string) bool { return req.choice.name == "" || tool == req.choice.name }
	p.calls = slices.DeleteFunc(p.calls, func(c filled) bool { return !named(c.tool.name) })
	if len(p.calls) > 0 {
		return p
	}
	tools := slices.DeleteFunc(candidates(req.tools), func(c *candidate) bool { return !named(c.definition.name) })
	found := scan(prompt)
	words := slices.Sorted(maps.Keys(meanings(unsaid(prompt, 0, found))))
	slices.SortStableFunc(tools, func(a, b *candidate) int {
		return int(100 * (b.score(prompt, words, found) - a.score(prompt, words, found)))
	})
	p.gaps = nil
	for _, t := range tools {
		d := fill(t.definition, prompt)
		d.invent(prompt)
		if d.ok() {
			return plan{calls: []filled{d.call()}}
		}
		p.gaps = append(p.gaps, gap{d.tool.name, d.missing, d.reason})
	}
	return p
}

// invent gives what is missing a value that the schema allows: an example, or the
// simplest of its type.
func (d *draft) invent(prompt string) {
	for _, p := range d.tool.schema.Properties() {
		if slices.Contains(d.missing, p.Name) {
			d.args[p.Name] = simplest(p, prompt, 0)
		}
	}
	d.check()
}

func simplest(p schema.Property, prompt string, depth int) json.RawMessage {
	switch {
	case len(p.Examples) > 0:
		return p.Examples[0]
	case len(p.Enum) > 0:
		return p.Enum[0]
	}
	switch p.Type {
	case "integer", "number":
		return json.RawMessage("1")
	case "boolean":
		return json.RawMessage("false")
	case "array":
		return json.RawMessage("[]")
	case "null":
		return json.RawMessage("null")
	case "object":
		return simplestObject(p, prompt, depth)
	}
	return encode(prompt)
}

const maxInvented = 5 // levels of objects

func simplestObject(p schema.Property, prompt string, depth int) json.RawMessage {
	out := []byte{'{'}
	for _, member := range p.Properties() {
		if member.Required && depth < maxInvented {
			out = append(separate(out, len(out) > 1), strconv.Quote(member.Name)...)
			out = append(append(out, ':'), simplest(member, prompt, depth+1)...)
		}
	}
	return append(out, '}')
}
