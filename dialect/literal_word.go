package dialect

import (
	"encoding/json"
	"strings"

	"helve/schema"
)

// wordValue reads a word that stands without quotes where a value should: a
// number, or one of the words for true, false and null. Where a parameter takes
// text and nothing of that kind, the word is text: 007 stays 007. ok is false
// where it is neither.
func wordValue(p schema.Property, known bool, word string) (value json.RawMessage, ok bool) {
	literal := jsonLiteral(word)
	if known && p.Allows("string") && (literal == "" || !p.Allows(jsonType(literal[0]))) {
		return jsonString(word), true
	}
	return json.RawMessage(literal), literal != ""
}

// jsonLiteral returns what word says in JSON, in Python's way of writing or
// JSON's own, or "".
func jsonLiteral(word string) string {
	switch word {
	case "true", "false", "null":
		return word
	case "True", "False", "None":
		return fromPython(word)
	}
	return jsonNumber(word)
}

// jsonNumber returns a number as JSON has it, or "". It keeps every digit but
// those that say nothing: 1_000 is 1000, 07 is 7, .5 is 0.5 and 5. is 5.0.
func jsonNumber(word string) string {
	digits, negative := strings.CutPrefix(word, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	digits = withoutUnderscores(digits)
	at := 0
	for at < len(digits) && isDigit(digits[at]) {
		at++
	}
	whole, rest := strings.TrimLeft(digits[:at], "0"), digits[at:]
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		if fraction != "" && isDigit(fraction[0]) {
			at++ // there are digits, if only behind the point
		} else {
			rest = ".0" + fraction
		}
	}
	if at == 0 {
		return ""
	}
	if whole == "" {
		whole = "0"
	}
	if negative {
		whole = "-" + whole
	}
	if number := whole + rest; json.Valid([]byte(number)) {
		return number
	}
	return ""
}

// withoutUnderscores takes away underscores that stand between digits.
func withoutUnderscores(s string) string {
	if strings.IndexByte(s, '_') < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '_' && i > 0 && i+1 < len(s) && isDigit(s[i-1]) && isDigit(s[i+1]) {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
