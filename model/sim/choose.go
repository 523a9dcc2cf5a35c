package sim

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// plan is what the offline model makes of a prompt: calls, and what it would
// have called but could not.
type plan struct {
	calls []filled
	gaps  []gap
}

// gap is a tool that seems to be meant and can't be called.
type gap struct {
	tool    string
	missing []string
	reason  string
}

// Scores from which a tool counts as meant. One that can't be called needs more:
// else a stray word would make the model complain of it.
const (
	enough      = 1.5
	enoughToSay = 3
	cantCall    = 1.5 // is taken off
)

const (
	maxClauses = 40
	maxCalls   = 16
)

// think decides what to call. It looks at one clause of the prompt after the
// other, and at nothing but the prompt and the tools.
func think(prompt string, req *request) plan {
	tools := candidates(req.tools)
	var p plan
	for _, s := range segments(prompt, tools) {
		d := fill(s.tool.definition, prompt[s.start:s.end])
		d.borrow(prompt)
		if !d.ok() {
			p.gaps = append(p.gaps, gap{d.tool.name, d.missing, d.reason})
			continue
		}
		for _, c := range d.calls() {
			p.add(c)
		}
	}
	return p
}

func (p *plan) add(c filled) {
	same := func(o filled) bool { return o.tool.name == c.tool.name && string(o.json()) == string(c.json()) }
	if len(p.calls) < maxCalls && !slices.ContainsFunc(p.calls, same) {
		p.calls = append(p.calls, c)
	}
}

// candidate is a tool and what its words mean.
type candidate struct {
	definition
	spoken      *regexp.Regexp // its name in full; nil where that is a common word
	name        map[string]bool
	description map[string]bool
	kinds       []wanted
	parameters  bool
	shared      map[string]int // of all tools: how many names hold the word
}

type wanted struct {
	kind     kind
	required bool
}

func candidates(tools []definition) []*candidate {
	shared := map[string]int{}
	out := make([]*candidate, len(tools))
	for i, t := range tools {
		c := &candidate{definition: t, shared: shared}
		c.name = meanings(strings.Join(nameWords(t.name), " "))
		c.description = meanings(t.description)
		if len(nameWords(t.name)) > 1 {
			c.spoken = regexp.MustCompile(`(?i)(?:^|[^\w-])` + regexp.QuoteMeta(t.name) + `(?:$|[^\w-])`)
		}
		for _, p := range t.schema.Properties() {
			c.parameters = true
			if p.Type == "array" {
				if of, ok := p.Items(); ok {
					of.Name, of.Required = p.Name, p.Required
					p = of
				}
			}
			c.kinds = append(c.kinds, wanted{wants(t, p), p.Required})
		}
		for w := range c.name {
			shared[w]++
		}
		out[i] = c
	}
	return out
}

// score says how much a clause speaks of the tool: by its name, by the words of
// its name and description, and by values of the kinds it takes.
func (c *candidate) score(clause string, words []string, found []finding) float64 {
	var score, described float64
	if c.spoken != nil && c.spoken.MatchString(clause) {
		score += 10
	}
	for _, w := range words {
		if c.name[w] {
			score += 3 / float64(c.shared[w])
		}
		if c.description[w] {
			described += 1.5
		}
	}
	score += min(described, 3)
	for _, w := range c.kinds {
		i := slices.IndexFunc(found, func(f finding) bool { _, ok := f.fits(w.kind); return ok && f.kind != kindText })
		if i < 0 {
			continue
		}
		weight := w.kind.weight()
		switch {
		case w.kind == kindPath && found[i].isFile() == c.lists():
			weight /= 2
		case w.kind != kindPath && !w.required:
			weight /= 2
		}
		score += weight
	}
	return score
}

// lists reports whether a path that the tool takes is one of a folder.
func (c *candidate) lists() bool {
	folder := stemOf("directory")
	return c.name["list"] || c.name[folder] || c.description[folder]
}

// segment is the part of a prompt that is about one tool.
type segment struct {
	span
	tool     *candidate
	callable bool // by its first clause alone
}

// segments gives each clause to the tool it speaks of. A clause that speaks of
// none belongs to the one before, or at the beginning to the one after.
func segments(prompt string, tools []*candidate) []segment {
	found := scan(prompt)
	var out []segment
	start := 0
	for _, c := range clauses(prompt, found) {
		tool, callable := best(prompt, c, found, tools)
		last := len(out) - 1
		switch {
		case tool == nil && last >= 0, last >= 0 && out[last].tool == tool && !(callable && out[last].callable):
			out[last].end = c.end
		case tool != nil:
			out = append(out, segment{span{start, c.end}, tool, callable})
		default:
			continue // start stays, for the clause to come
		}
		start = c.end
	}
	return out
}

// best is the tool that a clause speaks of, if it speaks of any, and whether the
// clause alone has all that a call needs.
func best(prompt string, c span, found []finding, tools []*candidate) (tool *candidate, callable bool) {
	var inside []finding
	for _, f := range found {
		if f.start >= c.start && f.end <= c.end {
			inside = append(inside, f)
		}
	}
	clause := prompt[c.start:c.end]
	words := slices.Sorted(maps.Keys(meanings(unsaid(clause, c.start, inside)))) // a sum of floats has an order
	top := 0.0
	for _, t := range tools {
		score := t.score(clause, words, inside)
		if score < enough {
			continue
		}
		ok := fill(t.definition, clause).ok()
		if score < enoughToSay && (!ok || !t.parameters) {
			continue
		}
		if !ok {
			score -= cantCall
		}
		if score > top {
			top, tool, callable = score, t, ok
		}
	}
	return tool, callable
}

// unsaid blanks the values in a clause, so that a word in a path or a quotation
// does not count as a word of the speaker's.
func unsaid(clause string, offset int, found []finding) string {
	b := []byte(clause)
	for _, f := range found {
		if f.kind == kindNumber || f.kind == kindPlace {
			continue
		}
		for i := f.start - offset; i < f.end-offset; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

var border = regexp.MustCompile(`(?i)[?!;]+\s*|\.+(?:\s+|$)|[。？！；，、\n]|,\s|\s(?:and|then|also)\s|然后|并且|以及|还有|同时|和`)

// clauses cuts a prompt where a sentence or a part of one ends, but never inside
// a value. Together they are the whole prompt.
func clauses(prompt string, found []finding) []span {
	var out []span
	start := 0
	for _, m := range border.FindAllStringIndex(prompt, -1) {
		inside := slices.ContainsFunc(found, func(f finding) bool { return f.start < m[1] && m[0] < f.end })
		if inside || len(out) == maxClauses-1 {
			continue
		}
		out = append(out, span{start, m[1]})
		start = m[1]
	}
	if start < len(prompt) {
		out = append(out, span{start, len(prompt)})
	}
	return out
}
