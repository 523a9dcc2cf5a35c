package sim

import (
	"encoding/json"
	"regexp"
	"strings"

	"helve/schema"
)

// chineseChoices are words for values that lists of choices often hold.
var chineseChoices = map[string]string{
	"celsius": "摄氏", "fahrenheit": "华氏", "asc": "升序", "desc": "降序", "high": "高", "low": "低", "true": "是", "false": "否",
}

// fromChoices looks for the words that p allows. The first in the text counts.
func (d *draft) fromChoices(p schema.Property) {
	if p.Type == "boolean" {
		return
	}
	var best json.RawMessage
	at := span{len(d.text) + 1, 0}
	for _, raw := range p.Enum {
		word := literal(raw)
		if len(word) < 2 && p.Type == "string" {
			continue // a letter is in every text; say name=a
		}
		start, end := findWord(d.text, word)
		if start < 0 || start > at.start || start == at.start && end < at.end || d.isUsed(start, end) {
			continue
		}
		best, at = raw, span{start, end}
	}
	if best != nil {
		d.args[p.Name] = best
		d.use(at.start, at.end)
	}
}

// findWord is where a choice stands in text as a word, in any letter case and with
// any of _, - and space between its parts, or where the Chinese for it stands.
// start is -1 where it does not.
func findWord(text, word string) (start, end int) {
	if zh := chineseChoices[strings.ToLower(word)]; zh != "" {
		if i := strings.Index(text, zh); i >= 0 {
			return i, i + len(zh)
		}
	}
	if strings.ContainsFunc(word, isHan) {
		i := strings.Index(text, word)
		return i, i + len(word)
	}
	pattern := strings.NewReplacer("_", "[ _-]", "-", "[ _-]", " ", "[ _-]").Replace(regexp.QuoteMeta(word))
	m := regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(` + pattern + `)(?:$|[^a-z0-9])`).FindStringSubmatchIndex(text)
	if m == nil {
		return -1, -1
	}
	return m[2], m[3]
}
