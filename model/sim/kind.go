package sim

import (
	"regexp"
	"slices"
	"strings"

	"helve/schema"
)

// kind is what a value in a prompt is, and what a parameter wants.
type kind string

const (
	kindText       kind = "text" // anything; in a prompt, what stands in quotes
	kindNumber     kind = "number"
	kindExpression kind = "expression" // arithmetic
	kindZone       kind = "time zone"  // in a prompt, an IANA name
	kindPlace      kind = "place"      // in a prompt, a city with a known zone
	kindSQL        kind = "SQL statement"
	kindPath       kind = "path"
	kindPattern    kind = "file name pattern"
	kindURL        kind = "URL"
	kindEmail      kind = "e-mail address"
	kindDate       kind = "date"
	kindTimestamp  kind = "date and time"
	kindCurrency   kind = "currency"
	kindLanguage   kind = "language"
	kindObject     kind = "JSON"
)

// weight is how much a value of the kind says about which tool is meant. An
// expression or a statement stands for itself; a place may be in any sentence.
func (k kind) weight() float64 {
	switch k {
	case kindSQL:
		return 5
	case kindExpression:
		return 4
	case kindURL, kindPath:
		return 3
	case kindEmail, kindPattern:
		return 2
	case kindZone, kindPlace, kindCurrency, kindLanguage, kindDate, kindTimestamp:
		return 0.7
	}
	return 0
}

// separable reports whether two values of the kind, where a tool takes one, mean
// two calls.
func (k kind) separable() bool {
	switch k {
	case kindExpression, kindZone, kindPlace, kindPath, kindURL, kindEmail:
		return true
	}
	return false
}

// words in a parameter's name that say its kind, tried in this order.
var kindNames = []struct {
	kind  kind
	names []string
}{
	{kindExpression, []string{"expression", "expr", "formula", "equation", "calculation", "arithmetic", "math"}},
	{kindZone, []string{"timezone", "tz", "zone"}},
	{kindSQL, []string{"sql"}},
	{kindURL, []string{"url", "uri", "link", "href", "website", "webpage", "endpoint"}},
	{kindEmail, []string{"email", "mail", "recipient"}},
	{kindPattern, []string{"pattern", "glob"}},
	{kindPath, []string{"path", "file", "filename", "filepath", "dir", "directory", "folder"}},
	{kindDate, []string{"date", "day"}},
	{kindCurrency, []string{"currency"}},
	{kindLanguage, []string{"language", "lang"}},
	{kindPlace, []string{"city", "place", "location", "town", "country", "region", "destination", "origin"}},
}

// phrases in a parameter's description that say its kind, tried in this order.
var kindPhrases = []struct {
	kind  kind
	match *regexp.Regexp
}{
	{kindExpression, regexp.MustCompile(`(?i)\b(arithmetic|mathematical|math) |算式|算术|数学`)},
	{kindZone, regexp.MustCompile(`(?i)\b(time ?zone|IANA)\b|时区`)},
	{kindSQL, regexp.MustCompile(`(?i)\bSQL\b`)},
	{kindURL, regexp.MustCompile(`\b(URL|URI)\b|网址|链接`)},
	{kindEmail, regexp.MustCompile(`(?i)\be-?mail address|邮箱|邮件地址`)},
	{kindPath, regexp.MustCompile(`(?i)\b(path|file ?name|name of the (file|folder|directory))\b|路径|文件名|目录`)},
	{kindCurrency, regexp.MustCompile(`(?i)\b(currency|ISO 4217)\b|货币`)},
	{kindLanguage, regexp.MustCompile(`(?i)\bISO 639|语言`)},
	{kindPlace, regexp.MustCompile(`(?i)\b(city|town|place)\b|城市|地点`)},
}

// wants is the kind of value that parameter p of tool t takes. Nothing here
// knows a tool by name: it is the schema that speaks.
func wants(t definition, p schema.Property) kind {
	switch p.Type {
	case "number", "integer":
		return kindNumber
	case "object":
		return kindObject
	case "", "string":
	default:
		return kindText
	}
	switch p.Format {
	case "uri", "uri-reference", "iri":
		return kindURL
	case "email", "idn-email":
		return kindEmail
	case "date":
		return kindDate
	case "date-time":
		return kindTimestamp
	}
	tokens := nameWords(p.Name)
	if slices.Contains(tokens, "regular") || slices.Contains(tokens, "cron") {
		return kindText
	}
	for _, k := range kindNames {
		if slices.ContainsFunc(k.names, func(n string) bool { return slices.Contains(tokens, n) }) {
			return k.kind
		}
	}
	if k := kindInContext(t, tokens); k != "" {
		return k
	}
	for _, k := range kindPhrases {
		if k.match.MatchString(p.Description) {
			return k.kind
		}
	}
	return kindOfExamples(p)
}

// kindInContext reads names that mean something only together with the tool:
// the query of a database tool, the receiver of a mail.
func kindInContext(t definition, tokens []string) kind {
	about := strings.ToLower(t.name + " " + t.description)
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(tokens, n) })
	}
	switch {
	case has("query", "statement") && (strings.Contains(about, "sql") || strings.Contains(about, "database") || strings.Contains(about, "数据库")):
		return kindSQL
	case has("to", "cc", "bcc") && (strings.Contains(about, "mail") || strings.Contains(about, "邮件")):
		return kindEmail
	}
	return ""
}

// kindOfExamples is the kind of the parameter's first example.
func kindOfExamples(p schema.Property) kind {
	if len(p.Examples) == 0 {
		return kindText
	}
	example := literal(p.Examples[0])
	for _, f := range scan(example) {
		if f.start == 0 && f.end == len(example) && f.kind.weight() > 0 {
			return f.kind
		}
	}
	return kindText
}

// fits gives the value that found value f has for a parameter of kind k.
func (f finding) fits(k kind) (string, bool) {
	switch {
	case (f.kind == kindTimestamp || f.kind == kindDate) && k == kindTimestamp:
		return timestamp(f.value), true
	case f.kind == k || k == kindText && f.quoted:
		return f.value, true
	case f.kind == kindPlace && k == kindZone:
		return f.zone, true
	case f.kind == kindZone && k == kindPlace:
		_, city, ok := strings.Cut(f.value, "/")
		return strings.ReplaceAll(city, "_", " "), ok
	case f.kind == kindTimestamp && k == kindDate:
		return f.value[:len("2026-11-20")], true
	case f.quoted && (k == kindPlace || k == kindPattern), f.quoted && k == kindPath && f.kind == kindText:
		return f.value, true
	}
	return "", false
}

// timestamp completes a date, or a time without seconds or zone, to the form of
// RFC 3339. What is not said is zero and UTC.
func timestamp(v string) string {
	const form = "2026-11-20T00:00:00Z"
	switch len(v) {
	case len("2026-11-20"), len("2026-11-20T10:00"), len("2026-11-20T10:00:00"):
		return v + form[len(v):]
	}
	return v
}
