package serve

import "helve/internal/jsontext"

// mostDepth is far below the depth at which the SDK refuses a message.
const mostDepth = 200

// plainRequest reports whether line, which is JSON, is a request or a notification that
// the SDK is sure to take: to have the SDK decode each line twice would cost more than
// all else of a call. What is anything more than plain is looked at by the SDK.
func plainRequest(line []byte) bool {
	seen := map[string]bool{}
	i := 1
	for i < len(line) {
		i = space(line, i)
		if line[i] == '}' {
			return seen["jsonrpc"] && seen["method"]
		}
		if line[i] == ',' {
			i = space(line, i+1)
		}
		end := text(line, i)
		if end < 0 {
			return false
		}
		key := string(line[i+1 : end-1])
		i = space(line, end)
		i = space(line, i+1) // behind the colon
		end = value(line, i)
		if end < 0 || seen[key] || !plainMember(key, line[i:end]) {
			return false
		}
		seen[key] = true
		i = end
	}
	return false
}

func plainMember(key string, v []byte) bool {
	switch key {
	case "jsonrpc":
		return string(v) == `"2.0"`
	case "method":
		return v[0] == '"' && len(v) > len(`""`)
	case "params":
		return v[0] == '{'
	case "id":
		if v[0] == '"' {
			return true
		}
		for _, digit := range v {
			if digit < '0' || digit > '9' {
				return false
			}
		}
		return len(v) < len("1000000000000000") // no float holds more
	}
	return false
}

func space(s []byte, i int) int {
	for i < len(s)-1 && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n') {
		i++
	}
	return i
}

// text returns the end of a string without escapes that begins at i, and -1 for others.
func text(s []byte, i int) int {
	if s[i] != '"' {
		return -1
	}
	end := jsontext.SkipPlain(s, i+1)
	if end >= len(s) || s[end] != '"' {
		return -1
	}
	return end + 1
}

// value returns the end of the value that begins at i, and -1 for one that is very deep.
// A string may have escapes where it is inside of another value.
func value(s []byte, i int) int {
	if s[i] == '"' {
		return text(s, i)
	}
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > mostDepth {
				return -1
			}
		case '}', ']':
			if depth == 0 {
				return i // of the object around a number
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}
