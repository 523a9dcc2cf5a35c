package gen

import (
	"go/ast"
	"go/doc/comment"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// docComment is what a doc comment says of a function.
type docComment struct {
	description string
	parameters  map[string]described
}

// described is what is said of one parameter.
type described struct {
	pos  token.Pos
	text string
}

// docLine is a line of a comment without its marks.
type docLine struct {
	pos  token.Pos
	text string
}

func (l docLine) blank() bool { return strings.TrimSpace(l.text) == "" }

// indent counts white space; a tab, which gofmt writes, is deeper than any number
// of spaces that people do.
func (l docLine) indent() int {
	n := 0
	for _, c := range l.text {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return n
}

// Sections begin with one of these lines at the margin. That of the parameters is
// read, and the others are not for the model.
var (
	parameterSection = regexp.MustCompile(`^(Args|Arguments|Parameters):\s*$`)
	otherSection     = regexp.MustCompile(`^(Returns|Yields|Raises|Errors|Example|Examples):`)
)

// readDoc takes a function's doc comment apart (document 002, section 1.2). names
// are its parameters.
func readDoc(doc *ast.CommentGroup, function string, names []string) docComment {
	d := docComment{parameters: map[string]described{}}
	var text []string
	lines := docLines(doc)
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case parameterSection.MatchString(line.text):
			end := sectionEnd(lines, i)
			d.readParameters(lines[i+1 : end])
			i = end
		case otherSection.MatchString(line.text):
			i = sectionEnd(lines, i)
		default:
			text = append(text, line.text)
			i++
		}
	}
	start := token.NoPos
	if len(lines) > 0 {
		start = lines[0].pos
	}
	d.description = d.readSentences(dropName(plainText(strings.Join(text, "\n")), function), names, start)
	return d
}

// sectionEnd returns the line behind the section that begins at i: the first at the
// margin after an empty one, or another section's.
func sectionEnd(lines []docLine, i int) int {
	margin := lines[i].indent()
	for j := i + 1; j < len(lines); j++ {
		atMargin := !lines[j].blank() && lines[j].indent() <= margin && !isItem(lines[j].text)
		section := parameterSection.MatchString(lines[j].text) || otherSection.MatchString(lines[j].text)
		if atMargin && (section || lines[j-1].blank()) {
			return j
		}
	}
	return len(lines)
}

var (
	// An entry is query: text, query (string): text, or either as an item of a list.
	entry    = regexp.MustCompile(`^\*{0,2}([\pL_][\pL\pN_]*)\s*(\([^)]*\))?\s*:(?:\s+(.*))?$`)
	listItem = regexp.MustCompile(`^\s*[-*•] +`)
)

func isItem(text string) bool { return listItem.MatchString(text) }

// readParameters reads a section of parameters. The first line says how deep its
// entries are; what is deeper goes on with the entry above, as does what is no
// entry.
func (d *docComment) readParameters(lines []docLine) {
	base, last := -1, ""
	for _, line := range lines {
		if line.blank() {
			continue
		}
		if base < 0 {
			base = line.indent()
		}
		text := strings.TrimSpace(listItem.ReplaceAllString(line.text, ""))
		if line.indent() <= base {
			if m := entry.FindStringSubmatch(text); m != nil {
				last = m[1]
				rest := m[3]
				if strings.HasPrefix(m[2], "(default ") { // any other is a type, which the code says better
					rest += " " + m[2]
				}
				d.parameters[last] = described{line.pos, strings.TrimSpace(rest)}
				continue
			}
		}
		if last != "" {
			was := d.parameters[last]
			was.text = strings.TrimSpace(was.text + " " + text)
			d.parameters[last] = was
		}
	}
}

var (
	sentenceEnd = regexp.MustCompile(`[.;](\s+|$)`)
	isSentence  = regexp.MustCompile(`(?s)^([\pL_][\pL\pN_]*(?:(?:, and |, | and )[\pL_][\pL\pN_]*)*) (?:is|are) (.+)$`)
)

// readSentences takes the sentences that describe parameters, such as "limit is how
// many to return.", out of text and returns the rest.
func (d *docComment) readSentences(text string, names []string, pos token.Pos) string {
	var kept []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var rest strings.Builder
		for _, sentence := range sentences(paragraph) {
			m := isSentence.FindStringSubmatch(strings.TrimSpace(sentence))
			about := []string{}
			if m != nil {
				about = strings.FieldsFunc(strings.ReplaceAll(m[1], " and ", ","), func(r rune) bool { return r == ',' || r == ' ' })
			}
			if len(about) == 0 || slices.ContainsFunc(about, func(name string) bool { return !contains(names, name) }) {
				rest.WriteString(sentence)
				continue
			}
			said := capital(strings.TrimSuffix(m[2], ";"))
			if strings.HasSuffix(m[2], ";") {
				said += "."
			}
			for _, name := range about {
				if _, known := d.parameters[name]; !known { // the section says it better
					d.parameters[name] = described{pos, said}
				}
			}
		}
		if p := strings.TrimSpace(rest.String()); p != "" {
			kept = append(kept, strings.TrimSuffix(p, ";"))
		}
	}
	return strings.Join(kept, "\n\n")
}

// sentences cuts a paragraph behind its full stops and semicolons; joined, the
// parts are the paragraph.
func sentences(paragraph string) []string {
	var parts []string
	from := 0
	for _, end := range sentenceEnd.FindAllStringIndex(paragraph, -1) {
		parts = append(parts, paragraph[from:end[1]])
		from = end[1]
	}
	return append(parts, paragraph[from:])
}

// plainText is a doc comment's text with each paragraph in one line, and without
// the marks that only godoc reads.
func plainText(text string) string {
	var parser comment.Parser
	printer := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(printer.Text(parser.Parse(text))))
}

// dropName makes "Looks in the handbook." of "Search looks in the handbook.": Go
// begins with the name of the function, and a model knows the tool by another.
func dropName(text, name string) string {
	rest, ok := strings.CutPrefix(text, name+" ")
	if !ok {
		return text
	}
	for _, verb := range []string{"is ", "are "} {
		if noun, ok := strings.CutPrefix(rest, verb); ok {
			return capital(noun)
		}
	}
	return capital(rest)
}

// capital writes the first letter of a sentence large, unless its first word is a
// name with letters of both sizes.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	word := text
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		word = text[:end]
	}
	if text == "" || strings.IndexFunc(word, unicode.IsUpper) >= 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

var defaultNote = regexp.MustCompile(`(?s)^(.*?)\s*\(default:? (.+?)\)(\.?)$`)

// cutDefault takes "(default 10)" off the end of a description.
func cutDefault(text string) (description, value string, ok bool) {
	m := defaultNote.FindStringSubmatch(text)
	if m == nil {
		return text, "", false
	}
	return m[1] + m[3], m[2], true
}

// docLines returns the lines of a comment without directives.
func docLines(doc *ast.CommentGroup) []docLine {
	if doc == nil {
		return nil
	}
	var lines []docLine
	for _, c := range doc.List {
		if text, ok := strings.CutPrefix(c.Text, "//"); ok {
			if !isDirective(text) {
				lines = append(lines, docLine{c.Slash, strings.TrimRightFunc(strings.TrimPrefix(text, " "), unicode.IsSpace)})
			}
			continue
		}
		at := c.Slash
		for line := range strings.SplitSeq(strings.TrimSuffix(c.Text, "*/"), "\n") {
			text := strings.TrimPrefix(line, "/*")
			text = strings.TrimPrefix(strings.TrimPrefix(text, " * "), " *")
			lines = append(lines, docLine{at, strings.TrimRightFunc(text, unicode.IsSpace)})
			at += token.Pos(len(line) + 1)
		}
	}
	return lines
}

var directiveLine = regexp.MustCompile(`^([a-z0-9]+:[a-z0-9]|line |extern |export )`)

// isDirective reports that a line comment is for a tool, as gofmt sees it.
func isDirective(text string) bool { return directiveLine.MatchString(text) }
