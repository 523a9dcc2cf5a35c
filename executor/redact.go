package executor

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"helve/internal/excerpt"
)

const (
	redacted  = "[redacted]"
	tooLong   = "[too long to show]"
	mostShown = 1 << 10  // bytes of arguments in a log line
	behind    = 64 << 10 // bytes that are looked through behind what is shown of a text
)

// secretNames are in the names under which secrets travel, as [isSecret] spells
// them.
var secretNames = []string{
	"passw", "passphrase", "passcode", "pwd", "secret", "token", "jwt", "credential", "authorization", "cookie", "bearer",
	"apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "sessionkey", "sessionid",
}

// isSecret reports whether what goes by this name is a secret, in any letter case
// and however the words are joined.
func isSecret(name string) bool {
	lower := strings.ToLower(name)
	joined := strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. ", r) {
			return -1
		}
		return r
	}, lower)
	return containsAny(joined, secretNames) || strings.Contains(lower, "auth") && authWord.MatchString(lower) // and not author
}

var authWord = regexp.MustCompile(`(?:^|[^a-z])auth(?:[^a-z]|$)`)

// secretValue matches a secret in text: by what it looks like, or by the name
// before it.
var secretValue = regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+[a-z0-9._~+/=-]{8,}` +
	`|\bsk-[a-z0-9_-]{16,}|\bgh[pousr]_[a-z0-9]{20,}|\beyJ[a-z0-9_-]{10,}\.[a-z0-9_-]+\.[a-z0-9_-]*` +
	`|://[^/\s:@]*:[^/\s@]+@` +
	`|(?:passw|passphrase|passcode|pwd|secret|token|jwt|credential|authorization|cookie` +
	`|(?:api|access|private|signing|encryption)[_.\s-]?key|session[_.\s-]?(?:key|id))[a-z0-9_-]*\\*["']?\s*[=:]\s*` + namedValue)

// namedValue is what stands behind the name of a secret: a whole string in quotation
// marks, which may be escaped; a list or an object up to its first end; or a word.
const namedValue = `(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\[[^\]]*\]?|\{[^}]*\}?|\\+["'][^"'\\]*` +
	`|(?:(?:bearer|basic|digest|token)\s+)?[^\s"'&,;]+)`

// hints are in every match of secretValue, in lower case: to look for them is
// much faster than to match, and most text has none.
var hints = []string{
	"bearer", "basic", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "eyj", "://", "key", "session",
	"passw", "passphrase", "passcode", "pwd", "secret", "token", "jwt", "credential", "authorization", "cookie",
}

// Redact returns arguments for a log: fields that look like secrets hidden, and
// cut to 1 KiB. Arguments that are not JSON are not shown at all.
func Redact(arguments json.RawMessage) string {
	if len(arguments) > 16*mostShown {
		return tooLong
	}
	v, err := decode(arguments)
	if err != nil {
		return "[not JSON]"
	}
	return excerpt.Of(encode(redact(v)), mostShown)
}

func redact(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if isSecret(k) {
				v[k] = redacted
			} else {
				v[k] = redact(inner)
			}
		}
	case []any:
		for i, inner := range v {
			v[i] = redact(inner)
		}
	case string:
		return RedactText(v) // it may be JSON again, as models like to write it
	}
	return v
}

// RedactText returns text for a log or a trace: what looks like a secret hidden, and
// in text that is JSON all that goes by the name of one. It does not cut the text: see
// [RedactExcerpt].
func RedactText(s string) string {
	if text, ok := redactJSON(s); ok {
		return text
	}
	if !containsAny(strings.ToLower(s), hints) {
		return s
	}
	return secretValue.ReplaceAllString(s, redacted)
}

// RedactExcerpt is RedactText with the result cut to most bytes. Text is redacted
// first: half a secret does not look like one. Of very long text only the beginning
// is looked at; where that would not do, as with JSON, none of it is shown.
func RedactExcerpt(s string, most int) string {
	head := excerpt.Head(s, most+behind)
	text := RedactText(head)
	if len(head) < len(s) && (looksLikeJSON(s) || len(text) <= most) {
		return tooLong
	}
	return excerpt.Of(text, most)
}

// redactJSON redacts an object or an array. One without secrets stays as it is
// written.
func redactJSON(s string) (text string, ok bool) {
	if !looksLikeJSON(s) {
		return "", false
	}
	v, err := decode([]byte(s))
	if err != nil {
		return "", false
	}
	before := encode(v)
	if after := encode(redact(v)); after != before {
		return after, true
	}
	return s, true
}

func looksLikeJSON(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	return strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// decode reads one JSON value and keeps its numbers as they are written.
func decode(data []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("more follows the JSON value")
	}
	return v, nil
}

func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "[not JSON]"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
