package mend

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/url"
	"strings"
)

// standardBase64 returns a JSON string in the base64 that the SDK decodes: that of RFC
// 4648, section 4, with padding. It also reads that of section 5, which URLs hold, base64
// without padding or with blanks, a list of bytes, and a data: URL, whose media type it
// returns.
func standardBase64(value []byte) (mended []byte, mediaType string, ok bool) {
	if isNull(value) || first(value) == '"' && isStandard(value[1:len(value)-1]) {
		return value, "", true
	}
	data, mediaType, ok := decode(value)
	if !ok {
		return value, "", false
	}
	return quote([]byte(base64.StdEncoding.EncodeToString(data))), mediaType, true
}

func decode(value []byte) (data []byte, mediaType string, ok bool) {
	if first(value) != '"' {
		return data, "", json.Unmarshal(value, &data) == nil && first(value) == '['
	}
	text := unquote(value)
	if data, mediaType, ok = dataURL(text); ok {
		return data, mediaType, true
	}
	data, ok = decodeAny(text)
	return data, "", ok
}

// isStandard says whether s, the inside of a JSON string, is standard base64 as it
// stands.
func isStandard(s []byte) bool {
	if len(s)%4 != 0 {
		return false
	}
	for range 2 {
		s = bytes.TrimSuffix(s, []byte{'='})
	}
	for _, c := range s {
		if !standard[c] {
			return false
		}
	}
	return true
}

// standard holds the characters of standard base64.
var standard = func() (set [256]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		set[c] = true
	}
	return set
}()

var otherForms = strings.NewReplacer("-", "+", "_", "/", "=", "", " ", "", "\t", "", "\r", "", "\n", "")

func decodeAny(text string) ([]byte, bool) {
	data, err := base64.RawStdEncoding.DecodeString(otherForms.Replace(text))
	return data, err == nil
}

// dataURL reads a URL such as data:image/png;base64,iVBORw0KGgo= (RFC 2397).
func dataURL(text string) (data []byte, mediaType string, ok bool) {
	rest, ok := cutPrefixFold(strings.TrimSpace(text), "data:")
	if !ok {
		return nil, "", false
	}
	head, body, ok := strings.Cut(rest, ",")
	if !ok {
		return nil, "", false
	}
	if body, err := url.PathUnescape(body); err == nil {
		data = []byte(body)
	} else {
		return nil, "", false
	}
	if declared, isBase64 := cutSuffixFold(head, ";base64"); isBase64 {
		head = declared
		if data, ok = decodeAny(string(data)); !ok {
			return nil, "", false
		}
	}
	if mediaType, _, err := mime.ParseMediaType(head); err == nil {
		return data, mediaType, true
	}
	return data, "", true
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func cutSuffixFold(s, suffix string) (string, bool) {
	at := len(s) - len(suffix)
	if at < 0 || !strings.EqualFold(s[at:], suffix) {
		return s, false
	}
	return s[:at], true
}
