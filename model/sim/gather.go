package sim

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"helve/schema"
)

// The steps of fill. Each gives one parameter a value or leaves it alone, and
// marks what of the text is spoken for.

// fromObject takes the keys of a JSON object in the text that the tool declares.
func (d *draft) fromObject() {
	for _, f := range d.found {
		if f.kind != kindObject {
			continue
		}
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(f.value), &object) != nil {
			continue
		}
		for _, p := range d.tool.schema.Properties() {
			if v, ok := object[p.Name]; ok {
				d.args[p.Name] = v
				d.use(f.start, f.end)
			}
		}
	}
}

// fromPair reads name=value and name: value.
func (d *draft) fromPair(p schema.Property) {
	if !strings.ContainsAny(d.text, ":=：＝") {
		return
	}
	m := nameFollowedBy(p.Name, `\s*([:=：＝])\s*`).FindStringSubmatchIndex(d.text)
	if m == nil {
		return
	}
	from := m[1]
	for _, f := range d.found {
		if f.start == from && (f.quoted || f.kind == wants(d.tool, p)) && d.set(p, f.value) {
			d.use(m[0], f.end)
			return
		}
	}
	stop := ",;，；\n"
	if p.Type == "array" {
		stop = ";；\n"
	} else if strings.ContainsAny(d.text[m[2]:m[3]], "=＝") {
		stop += " \t"
	}
	end := from + indexAny(d.text[from:], stop)
	value := strings.Trim(d.text[from:end], " .?!。？！")
	if p.Type == "array" && d.setList(p, splitList(value)) || value != "" && d.set(p, value) {
		d.use(m[0], end)
	}
}

func indexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

var listSeparator = regexp.MustCompile(`\s*(?:,|，|、|\band\b|和)\s*`)

func splitList(s string) []string {
	return slices.DeleteFunc(listSeparator.Split(s, -1), func(item string) bool { return item == "" })
}

// setList gives an array parameter its elements.
func (d *draft) setList(p schema.Property, items []string) bool {
	of, _ := p.Items()
	out := []byte{'['}
	for i, item := range items {
		v, ok := encodeAs(of.Type, strings.Trim(item, `"'`))
		if !ok {
			return false
		}
		out = append(separate(out, i > 0), v...)
	}
	if len(items) > 0 {
		d.args[p.Name] = append(out, ']')
	}
	return len(items) > 0
}

// fromKind takes the first value of the kind that p wants. An optional number
// needs its name beside it: a number may mean anything.
func (d *draft) fromKind(p schema.Property) {
	k := wants(d.tool, p)
	if k == kindText || p.Enum != nil || k == kindNumber && !p.Required || p.Type == "array" {
		return
	}
	found := d.found
	if k == kindNumber {
		found = d.numbers()
	}
	for _, want := range d.directions(p) {
		for _, f := range found {
			v, ok := f.fits(k)
			if ok && d.free(f) && (want == nil || want.MatchString(d.text[:f.start])) && d.set(p, v) {
				d.use(f.start, f.end)
				return
			}
		}
	}
}

var (
	fromHere = regexp.MustCompile(`(?i)(?:\bfrom|从)\s*(?:[\d.,]+\s*)?$`)
	toHere   = regexp.MustCompile(`(?i)(?:\b(?:to|into)|到|成)\s*$`)
	inHere   = regexp.MustCompile(`(?i)\bin\s*$`)
)

// directions are the words that should stand before p's value, in the order they
// are tried; nil is none. From Paris to Tokyo has an origin and a destination.
func (d *draft) directions(p schema.Property) []*regexp.Regexp {
	for _, w := range nameWords(p.Name) {
		switch w {
		case "from", "origin", "source", "start", "departure":
			return []*regexp.Regexp{fromHere, nil}
		case "to", "destination", "target", "end", "arrival":
			return []*regexp.Regexp{toHere, inHere, nil}
		}
	}
	return []*regexp.Regexp{nil}
}

// fromList fills an array with all values of its elements' kind.
func (d *draft) fromList(p schema.Property) {
	of, ok := p.Items()
	if p.Type != "array" || !ok {
		return
	}
	of.Name = p.Name
	k := wants(d.tool, of)
	if k == kindNumber && !p.Required {
		return
	}
	var items []string
	var spans []span
	for _, f := range d.found {
		if v, ok := f.fits(k); ok && d.free(f) {
			items, spans = append(items, v), append(spans, span{f.start, f.end})
		}
	}
	for _, raw := range of.Enum {
		if start, _ := findWord(d.text, literal(raw)); start >= 0 {
			items = append(items, literal(raw))
		}
	}
	if d.setList(p, items) {
		d.used = append(d.used, spans...)
	}
}

var negated = regexp.MustCompile(`(?i)(?:\b(?:no|not|without|don't|do not|non)|不)[\s-]*$`)

// fromFlag sets a boolean that the text names: recursively, without links.
func (d *draft) fromFlag(p schema.Property) {
	if p.Type != "boolean" {
		return
	}
	about := meanings(strings.Join(nameWords(d.tool.name), " "))
	var words []string
	for _, w := range nameWords(p.Name) {
		if !fillers[w] && w != "include" && !about[meaning(w)] && len(w) > 2 {
			words = append(words, regexp.QuoteMeta(strings.TrimSuffix(w, "e")))
		}
	}
	if len(words) == 0 {
		return
	}
	m := regexp.MustCompile(`(?i)\b` + strings.Join(words, `\w*[ _-]`) + `\w*`).FindStringIndex(d.text)
	if m == nil || d.isUsed(m[0], m[1]) {
		return
	}
	d.set(p, strconv.FormatBool(!negated.MatchString(d.text[:m[0]])))
	d.use(m[0], m[1])
}

// fromQuotation gives required text the quotations, in order.
func (d *draft) fromQuotation(p schema.Property) {
	if p.Type != "string" || !p.Required || p.Enum != nil {
		return
	}
	for _, f := range d.found {
		if f.quoted && d.free(f) && d.set(p, f.value) {
			d.use(f.start, f.end)
			return
		}
	}
}
