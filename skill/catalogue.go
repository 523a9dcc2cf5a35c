package skill

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// maxCatalogue is how long a catalogue may be, in bytes: a model reads it with every
// question.
const maxCatalogue = 24 << 10

// Catalogue is what a model is told of the skills at the end of its instructions: a name
// and a description of each. It is empty where there is none. Many skills are described in
// fewer words, and in the end by their names alone.
func (l *Library) Catalogue() string {
	skills := l.visible()
	if len(skills) == 0 {
		return ""
	}
	var text string
	for _, most := range []int{maxDescription, 300, 100, 0} {
		if text = catalogueOf(skills, most); len(text) <= maxCatalogue {
			return text
		}
	}
	n := len(skills)
	for len(text) > maxCatalogue {
		n = min(n-1, n*maxCatalogue/len(text))
		text = catalogueOf(skills[:n], 0) + fmt.Sprintf("\n%d more skills are not listed.", len(skills)-n)
	}
	return text
}

// catalogueOf describes each skill in at most most characters.
func catalogueOf(skills []*Skill, most int) string {
	var b strings.Builder
	b.WriteString("Skills hold instructions for special tasks. When a task fits the description of one, open it with the tool skill before you begin, and follow it.\n\n<available_skills>\n")
	for _, s := range skills {
		b.WriteString("<skill><name>" + html.EscapeString(s.Name) + "</name>")
		if most > 0 {
			b.WriteString("<description>" + html.EscapeString(brief(s.Description, most)) + "</description>")
		}
		b.WriteString("</skill>\n")
	}
	b.WriteString("</available_skills>")
	return b.String()
}

// brief is text in one line of at most most characters.
func brief(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
