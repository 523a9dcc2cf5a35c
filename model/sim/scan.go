package sim

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finding is a value that stands in a prompt.
type finding struct {
	start, end int // in bytes
	kind       kind
	value      string // what a tool would be given
	zone       string // of a place
	quoted     bool
}

// maxPrompt is how much of a prompt the offline model reads, in bytes.
const maxPrompt = 8 << 10

// scan finds the values in a prompt, in the order they stand. They do not
// overlap: what is found first, from the most certain kind to the least, has the
// place.
func scan(prompt string) []finding {
	s := scanner{prompt: prompt}
	s.quotes()
	s.objects()
	s.matches(kindURL, webAddress, trimSentence)
	s.matches(kindEmail, emailAddress, nil)
	s.statements()
	s.dates()
	s.zones()
	s.matches(kindPattern, glob, nil)
	s.paths()
	s.expressions()
	s.places()
	s.matches(kindLanguage, languages, nil)
	s.matches(kindCurrency, currencyCode, nil)
	s.matches(kindNumber, number, func(v string) string { return strings.ReplaceAll(v, ",", "") })
	slices.SortFunc(s.found, func(a, b finding) int { return a.start - b.start })
	return s.found
}

type scanner struct {
	prompt string
	found  []finding
}

// add takes f unless its place is taken.
func (s *scanner) add(f finding) {
	if f.start >= f.end || f.value == "" {
		return
	}
	for _, g := range s.found {
		if f.start < g.end && g.start < f.end {
			return
		}
	}
	s.found = append(s.found, f)
}

// matches adds what a pattern finds: its first group, or all of it. clean, which
// may be nil, makes the value of it; where the value is a head of the match, only
// that is taken.
func (s *scanner) matches(k kind, pattern *regexp.Regexp, clean func(string) string) {
	for _, m := range pattern.FindAllStringSubmatchIndex(s.prompt, -1) {
		start, end := m[0], m[1]
		if len(m) > 2 && m[2] >= 0 {
			start, end = m[2], m[3]
		}
		value := s.prompt[start:end]
		if clean != nil {
			whole := value
			value = clean(value)
			if strings.HasPrefix(whole, value) {
				end = start + len(value)
			}
		}
		s.add(finding{start: start, end: end, kind: k, value: value})
	}
}

var (
	webAddress   = regexp.MustCompile(`(?i)\bhttps?://[^\s<>"'\x60，。；！？、（）“”]+`)
	emailAddress = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)
	glob         = regexp.MustCompile(`(?:^|[\s=:])((?:\*\*/|[\w.-]+/)*\*\.?[A-Za-z]\w*|[\w./-]+/\*+)`)
	currencyCode = regexp.MustCompile(`\b(?:USD|EUR|GBP|JPY|CNY|CHF|AUD|CAD|NZD|HKD|SGD|INR|KRW|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|RUB|TRY|THB)\b`)
	languages    = regexp.MustCompile(`\b(?:English|French|German|Spanish|Italian|Portuguese|Dutch|Russian|Chinese|Japanese|Korean|Arabic|Hindi|Turkish|Polish|Swedish)\b|英语|英文|法语|德语|西班牙语|中文|日语|韩语|俄语`)
	number       = regexp.MustCompile(`(?:^|[^\w.])([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\b`)
)

// trimSentence takes the marks off that end the sentence, not the address.
func trimSentence(v string) string { return strings.TrimRight(v, ".,;:!?)]}") }

var quotePairs = []struct{ open, close string }{
	{"```", "```"}, {"`", "`"}, {`"`, `"`}, {"“", "”"}, {"「", "」"}, {"『", "』"}, {"‘", "’"}, {"'", "'"},
}

// quotes finds what stands in quotation marks. Its kind is that of its content.
func (s *scanner) quotes() {
	for i := 0; i < len(s.prompt); {
		end := s.quoteAt(i)
		if end == 0 {
			_, size := utf8.DecodeRuneInString(s.prompt[i:])
			end = i + size
		}
		i = end
	}
}

// quoteAt adds the quotation that begins at i and returns its end, or 0.
func (s *scanner) quoteAt(i int) int {
	for _, q := range quotePairs {
		if !strings.HasPrefix(s.prompt[i:], q.open) {
			continue
		}
		if q.open == "'" && endsInLetter(s.prompt[:i]) {
			return 0 // an apostrophe
		}
		from := i + len(q.open)
		n := strings.Index(s.prompt[from:], q.close)
		for q.close == "'" && n >= 0 && startsWithLetter(s.prompt[from+n+1:]) {
			more := strings.Index(s.prompt[from+n+1:], q.close)
			if more < 0 {
				return 0
			}
			n += 1 + more
		}
		if n < 0 {
			continue
		}
		end := from + n + len(q.close)
		value := s.prompt[from : from+n]
		if q.open == "```" {
			value = withoutLanguage(value)
		}
		s.add(finding{start: i, end: end, kind: kindOfQuoted(value), value: value, quoted: true})
		return end
	}
	return 0
}

// withoutLanguage takes the first line off a fenced block, and the space around.
func withoutLanguage(block string) string {
	if first, rest, ok := strings.Cut(block, "\n"); ok && !strings.ContainsAny(strings.TrimSpace(first), " \t") {
		block = rest
	}
	return strings.TrimSpace(block)
}

// kindOfQuoted is the kind of a quotation that is one value and nothing else.
func kindOfQuoted(value string) kind {
	inner := scanner{prompt: value}
	inner.objects()
	inner.matches(kindURL, webAddress, trimSentence)
	inner.matches(kindEmail, emailAddress, nil)
	inner.statements()
	inner.dates()
	inner.zones()
	inner.paths()
	inner.expressions()
	inner.matches(kindNumber, number, nil)
	if len(inner.found) == 1 && inner.found[0].start == 0 && inner.found[0].end == len(value) {
		return inner.found[0].kind
	}
	return kindText
}

// maxObjects bounds the tries at reading JSON: each may run to the end.
const maxObjects = 100

// objects finds JSON objects.
func (s *scanner) objects() {
	i := 0
	for range maxObjects {
		n := strings.IndexByte(s.prompt[i:], '{')
		if n < 0 {
			return
		}
		i += n
		dec := json.NewDecoder(strings.NewReader(s.prompt[i:]))
		var object map[string]json.RawMessage
		if dec.Decode(&object) != nil {
			i++
			continue
		}
		end := i + int(dec.InputOffset())
		s.found = slices.DeleteFunc(s.found, func(f finding) bool { return f.start >= i && f.end <= end }) // its strings are not quotations
		s.add(finding{start: i, end: end, kind: kindObject, value: s.prompt[i:end]})
		i = end
	}
}

// statement is SQL: how it begins, and what follows. A quotation may hold anything,
// and it goes on in the next line after a comma or an opening bracket, where that line
// is indented, and before a word that only SQL goes on with.
var statement = regexp.MustCompile(`(?is)\b(?:` + statementStart + `)` + statementRest)

const (
	statementStart = `select\b.{1,900}?\bfrom\b|select\s+[\d'(*]|insert\s+into\b|update\s+\w+\s+set\b|delete\s+from\b|` +
		`with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(|create\s+table\b|drop\s+table\b|alter\s+table\b|show\s+tables\b|explain\s+select\b`
	statementRest = `(?:'[^']*'|[,(]\s*\n|\n[ \t]+|\n\s*(?:` + statementGoesOn + `)|[^;\n。？！])*;?`

	statementGoesOn = `[,()]|(?:from|where|group\s+by|having|order\s+by|limit|join|union(?:\s+all)?\s+select|` +
		`(?:left|right|full|inner|cross|natural)(?:\s+outer)?\s+join)\b`
)

// statements finds SQL, which may hold quotations and paths of its own.
func (s *scanner) statements() {
	for _, m := range statement.FindAllStringIndex(s.prompt, -1) {
		value := strings.TrimRight(s.prompt[m[0]:m[1]], " \t.?!")
		end := m[0] + len(value)
		if slices.ContainsFunc(s.found, func(f finding) bool { return f.start < m[0] && f.end > m[0] }) {
			continue // inside a quotation
		}
		s.found = slices.DeleteFunc(s.found, func(f finding) bool { return f.start >= m[0] && f.start < end })
		s.add(finding{start: m[0], end: end, kind: kindSQL, value: value})
	}
}

var (
	isoDate     = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?\b`)
	chineseDate = regexp.MustCompile(`(\d{4})年(\d{1,2})月(\d{1,2})[日号]`)
	dayFirst    = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)? (january|february|march|april|may|june|july|august|september|october|november|december),? (\d{4})\b`)
	monthFirst  = regexp.MustCompile(`(?i)\b(january|february|march|april|may|june|july|august|september|october|november|december) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`)
	months      = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)

// dates finds calendar dates and gives them the form of RFC 3339. Words such as
// tomorrow are not read: the offline model has no clock.
func (s *scanner) dates() {
	for _, m := range isoDate.FindAllStringIndex(s.prompt, -1) {
		k := kindDate
		if m[1]-m[0] > len("2026-11-20") {
			k = kindTimestamp
		}
		s.add(finding{start: m[0], end: m[1], kind: k, value: s.prompt[m[0]:m[1]]})
	}
	for _, form := range []struct {
		pattern          *regexp.Regexp
		year, month, day int // which group
	}{{chineseDate, 1, 2, 3}, {dayFirst, 3, 2, 1}, {monthFirst, 3, 1, 2}} {
		for _, m := range form.pattern.FindAllStringSubmatchIndex(s.prompt, -1) {
			group := func(i int) string { return s.prompt[m[2*i]:m[2*i+1]] }
			month := group(form.month)
			if i := slices.Index(months, strings.ToLower(month)); i >= 0 {
				month = fmt.Sprint(i + 1)
			}
			value := fmt.Sprintf("%s-%02s-%02s", group(form.year), month, group(form.day))
			s.add(finding{start: m[0], end: m[1], kind: kindDate, value: value})
		}
	}
}

var (
	pathLike  = regexp.MustCompile(`(?:~|\.{1,2})?/?[\w][\w.\-]*(?:/[\w.\-]+)*/?|(?:~|\.{1,2})?/[\w.\-/]*`)
	extension = regexp.MustCompile(`\.[A-Za-z][A-Za-z0-9]{0,7}$`)
	notFile   = regexp.MustCompile(`(?i)^(?:e\.g|i\.e)$|\.(?:com|org|net)$`)
	known     = regexp.MustCompile(`^(?:README|LICENSE|Makefile|Dockerfile|CHANGELOG)$`)
	folder    = regexp.MustCompile(`(?i)\b(?:folder|directory|dir)\s+(?:named\s+|called\s+)?([\w.\-/]+)|\b([\w.\-/]+)\s+(?:folder|directory|dir)\b|目录\s*([\w.\-/]+)|([\w.\-/]+)\s*目录`)
)

// paths finds names of files and folders: what has a slash or an extension, and
// what is called a folder.
func (s *scanner) paths() {
	for _, m := range pathLike.FindAllStringIndex(s.prompt, -1) {
		if endsInLetter(s.prompt[:m[0]]) || m[0] > 0 && strings.ContainsRune("@:", rune(s.prompt[m[0]-1])) {
			continue
		}
		value := strings.TrimRight(s.prompt[m[0]:m[1]], ".")
		slash := strings.Contains(value, "/") && strings.ContainsFunc(value, unicode.IsLetter)
		if notFile.MatchString(value) {
			continue
		}
		if slash || extension.MatchString(value) || known.MatchString(value) {
			s.add(finding{start: m[0], end: m[0] + len(value), kind: kindPath, value: value})
		}
	}
	for _, m := range folder.FindAllStringSubmatchIndex(s.prompt, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 || fillers[strings.ToLower(s.prompt[m[g]:m[g+1]])] {
				continue
			}
			if value := strings.TrimRight(s.prompt[m[g]:m[g+1]], "."); strings.ContainsFunc(value, unicode.IsLetter) {
				s.add(finding{start: m[g], end: m[g] + len(value), kind: kindPath, value: value})
			}
		}
	}
}

// isFile reports whether a path looks like one of a file, not of a folder.
func (f finding) isFile() bool { return extension.MatchString(f.value) || known.MatchString(f.value) }

func endsInLetter(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return isWordRune(r)
}

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWordRune(r)
}

// isWordRune is a letter or digit of a script that puts spaces between words.
func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r) && r != utf8.RuneError
}
