package sim

import (
	"regexp"
	"strings"

	"helve/schema"
)

// sizeWords stand beside a number that limits how many.
var sizeWords = setOf("limit top first max maximum most up result results item items entry entries hits rows lines 前 条 个 项")

// fromNumber takes the number that stands beside the parameter's name: limit 5,
// and for a limit, top 5 and 5 results.
func (d *draft) fromNumber(p schema.Property) {
	if wants(d.tool, p) != kindNumber || p.Enum != nil {
		return
	}
	names := setOf(strings.Join(nameWords(p.Name), " "))
	size := names["limit"] || names["max"] || names["count"] || names["top"] || names["size"] || names["num"] || names["n"]
	near := func(word string) bool {
		return names[word] || names[strings.TrimSuffix(word, "s")] || size && sizeWords[word]
	}
	for _, f := range d.found {
		if f.kind != kindNumber || !d.free(f) {
			continue
		}
		before, start := lastWord(d.text[:f.start])
		after, length := firstWord(d.text[f.end:])
		if near(before) && d.set(p, f.value) {
			d.use(start, f.end)
			return
		}
		if near(after) && d.set(p, f.value) {
			d.use(f.start, f.end+length)
			return
		}
	}
}

var (
	headWord = regexp.MustCompile(`^\s*(\p{Han}|[\p{L}]+)`)
	tailWord = regexp.MustCompile(`(\p{Han}|[\p{L}]+)(?:\s+(?:is|of|to))?\s*$`)
)

// firstWord is the word that s begins with, in lower case, and its end.
func firstWord(s string) (word string, end int) {
	if m := headWord.FindStringSubmatchIndex(s); m != nil {
		return strings.ToLower(s[m[2]:m[3]]), m[3]
	}
	return "", 0
}

// lastWord is the word that s ends with, in lower case, and its start.
func lastWord(s string) (word string, start int) {
	from := max(0, len(s)-64) // far more than a word: the pattern looks from the left
	if m := tailWord.FindStringSubmatchIndex(s[from:]); m != nil {
		return strings.ToLower(s[from+m[2] : from+m[3]]), from + m[2]
	}
	return "", len(s)
}

// numbers are the numbers of the text, those of arithmetic too, unless the tool
// takes arithmetic.
func (d *draft) numbers() []finding {
	var out []finding
	for _, f := range d.found {
		switch f.kind {
		case kindNumber:
			out = append(out, f)
		case kindExpression:
			inner := scanner{prompt: d.text[f.start:f.end]}
			inner.matches(kindNumber, operand, nil)
			for _, n := range inner.found {
				n.start, n.end = n.start+f.start, n.end+f.start
				out = append(out, n)
			}
		}
	}
	return out
}

var operand = regexp.MustCompile(`\d+(?:\.\d+)?`)
