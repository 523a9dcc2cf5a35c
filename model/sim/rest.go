package sim

import (
	"regexp"
	"slices"
	"strings"

	"helve/schema"
)

// fromPlace gives a required place the one that the text speaks of, though it is
// in no list. Where an optional time zone is open such a place is in doubt: to
// leave it out would answer another question.
func (d *draft) fromPlace() {
	for _, p := range d.open() {
		if wants(d.tool, p) != kindPlace {
			continue
		}
		for _, part := range d.parts() {
			if place := unknownPlace(part); place != "" && d.set(p, place) {
				at := strings.Index(d.text, place)
				d.use(at, at+len(place))
				break
			}
		}
	}
	for _, p := range d.tool.schema.Properties() {
		_, done := d.args[p.Name]
		if !done && !p.Required && wants(d.tool, p) == kindZone && properPlace.MatchString(d.text) {
			d.doubt = append(d.doubt, p.Name)
		}
	}
}

// open are the required parameters that want text and have none. Of a tool with
// one parameter it is that one, required or not.
func (d *draft) open() []schema.Property {
	all := d.tool.schema.Properties()
	return slices.DeleteFunc(slices.Clone(all), func(p schema.Property) bool {
		_, done := d.args[p.Name]
		return done || p.Type != "string" && p.Type != "" || p.Enum != nil || !p.Required && len(all) > 1
	})
}

// parts are the stretches of the text that are not spoken for.
func (d *draft) parts() []string {
	used := slices.Clone(d.used)
	slices.SortFunc(used, func(a, b span) int { return a.start - b.start })
	var out []string
	from := 0
	for _, u := range used {
		if u.start > from {
			out = append(out, d.text[from:u.start])
		}
		from = max(from, u.end)
	}
	return append(out, d.text[from:])
}

// fromRest gives the one text that is still open what the prompt says besides.
// With two open there is no telling which is which.
func (d *draft) fromRest() {
	open := d.open()
	if len(open) != 1 || wants(d.tool, open[0]) != kindText {
		return
	}
	if wholeSentence[strings.ToLower(open[0].Name)] {
		d.set(open[0], strings.TrimSpace(d.text))
		return
	}
	var longest string
	for _, part := range d.parts() {
		if t := d.topic(part); len(t) > len(longest) {
			longest = t
		}
	}
	if longest != "" {
		d.set(open[0], longest)
	}
}

// wholeSentence are names of parameters that want the prompt as it is.
var wholeSentence = setOf("question prompt instruction instructions task request")

var (
	sentenceEnd = regexp.MustCompile(`[.?!。？！]+(?:\s|$)|[。？！]`)
	leadingWord = regexp.MustCompile(`^[\s,:;，：；]*([\p{L}\p{N}'’-]+)`)
	tail        = regexp.MustCompile(`(?i)(?:[\s,，]+(?:please|now|thanks|thank you|for me|and|with|in|into|to|as|the|from))*[\s,.;:!?，。；：！？]*$`)
)

// topic is what a stretch of text is about: without the words in front that ask
// for the tool, and without politeness behind.
func (d *draft) topic(part string) string {
	name := meanings(strings.Join(nameWords(d.tool.name), " "))
	known := meanings(strings.Join(nameWords(d.tool.name), " ") + " " + d.tool.description)
	if t := strip(part, known); t != "" {
		return t
	}
	return strip(part, name)
}

func strip(part string, known map[string]bool) string {
	for {
		m := leadingWord.FindStringSubmatchIndex(part)
		if m == nil {
			break
		}
		word := strings.ToLower(part[m[2]:m[3]])
		if strings.ContainsFunc(word, isHan) {
			rest := stripChinese(part[m[2]:], known)
			if rest == part[m[2]:] {
				break
			}
			part = rest
			continue
		}
		if !fillers[word] && !known[meaning(word)] {
			break
		}
		part = part[m[3]:]
	}
	part = strings.TrimLeft(part, " \t\n,:;.?!，：；。？！")
	if m := sentenceEnd.FindStringIndex(part); m != nil {
		part = part[:m[0]]
	}
	return strings.TrimSpace(tail.ReplaceAllString(part, ""))
}

// stripChinese takes one word off the front that carries no meaning here.
func stripChinese(s string, known map[string]bool) string {
	for _, f := range chineseFillers {
		if rest, ok := strings.CutPrefix(s, f); ok {
			return rest
		}
	}
	r := []rune(s[:min(len(s), 12)])
	for n := min(3, len(r)); n > 0; n-- {
		if word := string(r[:n]); known[concepts[word]] && strings.HasPrefix(s, word) {
			return s[len(word):]
		}
	}
	return s
}
