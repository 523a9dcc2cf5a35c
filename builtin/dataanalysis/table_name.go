package dataanalysis

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// identifier makes a name that SQL takes without quotes out of any text: letters,
// digits and _ stay, whatever else is between them becomes one _. fallback is for
// text without any.
func identifier(s, fallback string) string {
	const longest = 60
	var b strings.Builder
	gap := false
	for _, r := range strings.ToValidUTF8(s, " ") {
		if b.Len() > longest*utf8.UTFMax {
			break
		}
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	name := b.String()
	switch {
	case name == "":
		return fallback
	case name[0] >= '0' && name[0] <= '9':
		name = "_" + name
	}
	if r := []rune(name); len(r) > longest {
		name = string(r[:longest])
	}
	switch {
	case reserved[strings.ToUpper(name)]:
		name += "_"
	case strings.HasPrefix(strings.ToLower(name), "sqlite_"): // SQLite's own
		name = "_" + name
	}
	return name
}

// columnNames makes column names of a header: identifiers, each its own. A blank
// one is named after its place; the second of two gets _2.
func columnNames(header []string) []string {
	names := make([]string, len(header))
	taken := map[string]int{}
	for i, h := range header {
		names[i] = unique(identifier(h, fmt.Sprintf("column_%d", i+1)), taken)
	}
	return names
}

// unique returns name, or name with the first number that makes it new, and
// takes it. Letter case counts for nothing, as in SQL. taken is how far the
// numbers of each name have come.
func unique(name string, taken map[string]int) string {
	n := max(taken[fold(name)], 1)
	try := name
	for taken[fold(try)] > 0 {
		n++
		try = fmt.Sprintf("%s_%d", name, n)
	}
	taken[fold(name)] = n
	taken[fold(try)] = max(taken[fold(try)], 1)
	return try
}

// fold is a name as SQLite compares it: by ASCII letters without case.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// quote writes a name so that SQL takes it, whatever it is.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// plain writes a name as a model has to: without quotes where they are not
// needed.
func plain(name string) string {
	if identifier(name, "") == name {
		return name
	}
	return quote(name)
}

// reserved are the words that SQLite does not take as a name. It has more
// keywords, which may also be names.
var reserved = words(`ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE
	CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DEFAULT DEFERRABLE DELETE DISTINCT DROP ELSE ESCAPE EXISTS FOREIGN
	FROM GROUP HAVING IN INDEX INSERT INTO IS ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY
	REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE
	TRUE FALSE LEFT RIGHT INNER OUTER CROSS NATURAL FULL INDEXED EXCEPT INTERSECT WITH RAISE CAST`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
