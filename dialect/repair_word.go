package dialect

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bareKey reads a key without quotes: letters, digits, _ - . $.
func (r *repairer) bareKey() error {
	start := r.at
	r.run(isKeyRune)
	if r.at == start {
		return r.unexpected()
	}
	r.mend(Unquoted, start)
	r.quote(r.in[start:r.at])
	return nil
}

// word reads a literal, a number or one word without quotes. The value around it
// goes on behind it, or it is cut off.
func (r *repairer) word() error {
	start := r.at
	commentSeen := false
	r.run(func(c rune) bool {
		if (c == '/' || c == '#') && !commentSeen {
			commentSeen = true // a second look at each slash of a long path would be quadratic
			if isScalar(r.in[start:r.at]) {
				return false
			}
		}
		return isKeyRune(c) || strings.ContainsRune("/#@+%~", c)
	})
	if r.at == start {
		return r.unexpected()
	}
	c, err := r.peek()
	if err != nil {
		return err
	}
	if !strings.ContainsRune(" \t\r\n,}]/#", rune(c)) {
		return r.unexpected()
	}
	return r.scalar(r.in[start:r.at], start)
}

// run goes over the characters that belong by in's judgement.
func (r *repairer) run(belongs func(rune) bool) {
	for r.at < len(r.in) {
		c, size := utf8.DecodeRune(r.in[r.at:])
		r.looks += size
		if c == utf8.RuneError && size == 1 || !belongs(c) {
			return
		}
		r.at += size
	}
}

func isKeyRune(c rune) bool {
	if c < utf8.RuneSelf {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == '$'
	}
	return unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c)
}

// quote writes a word as a string. No character of a word needs an escape.
func (r *repairer) quote(word []byte) {
	r.out = append(r.out, '"')
	r.out = append(r.out, word...)
	r.out = append(r.out, '"')
}

var pythonLiterals = map[string]string{"True": "true", "False": "false", "None": "null"}

func (r *repairer) scalar(word []byte, start int) error {
	if isJSONScalar(word) {
		r.out = append(r.out, word...)
		return nil
	}
	if literal, ok := pythonLiterals[string(word)]; ok {
		r.mend(PythonLiteral, start)
		r.out = append(r.out, literal...)
		return nil
	}
	switch c := word[0]; {
	case '0' <= c && c <= '9', c == '+', c == '-', c == '.':
		number := mendedNumber(word)
		if !isNumber(number) {
			return fmt.Errorf("dialect: not JSON: no number at byte %d", start)
		}
		r.mend(Number, start)
		r.out = append(r.out, number...)
		return nil
	case strings.IndexByte("/#@%~", c) >= 0, isNearLiteral(word):
		return fmt.Errorf("dialect: not JSON: no value at byte %d", start)
	}
	r.mend(Unquoted, start)
	r.quote(word)
	return nil
}

// isNearLiteral finds the words that mean something other than themselves, but
// not the same thing everywhere.
func isNearLiteral(word []byte) bool {
	if len(word) > len("undefined") {
		return false
	}
	switch strings.ToLower(string(word)) {
	case "true", "false", "null", "none", "nil", "nan", "inf", "infinity", "undefined":
		return true
	}
	return false
}

// mendedNumber gives +5, .5 and 5. the form of JSON. What it returns for anything
// else is no number.
func mendedNumber(word []byte) []byte {
	sign := ""
	if word[0] == '+' || word[0] == '-' {
		sign = strings.TrimPrefix(string(word[:1]), "+")
		word = word[1:]
	}
	number := sign
	if len(word) > 1 && word[0] == '.' {
		number += "0"
	}
	number += string(word)
	if len(word) > 1 && word[len(word)-1] == '.' {
		number += "0"
	}
	return []byte(number)
}

// isScalar reports whether a comment may follow right behind word.
func isScalar(word []byte) bool {
	_, python := pythonLiterals[string(word)]
	return python || isJSONScalar(word)
}

func isJSONScalar(word []byte) bool {
	switch string(word) {
	case "true", "false", "null":
		return true
	}
	return isNumber(word)
}

// isNumber checks the grammar of RFC 8259, section 6.
func isNumber(s []byte) bool {
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if len(s) > 0 && s[0] == '.' {
		n := digits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if len(s) > 0 && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digits(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return len(s) == 0
}

func digits(s []byte) int {
	for i, c := range s {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(s)
}
