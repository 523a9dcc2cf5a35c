package dialect

import "unicode/utf8"

// string copies a string in either kind of quotes: a value, or a key. Escapes that
// JSON has are kept as they were written, lone surrogates too.
func (r *repairer) string(value bool) error {
	start := r.at
	quote := r.in[start]
	if quote == '\'' {
		r.mend(SingleQuotes, r.at)
	}
	r.at++
	r.out = append(r.out, '"')
	var seen mends
	quoting := false // an inner quote is open
	for {
		r.plain(quote)
		c, err := r.peek()
		if err != nil {
			return err
		}
		switch {
		case c == '"' && quote == '"' && value && r.isInner(start, quoting):
			r.mendOnce(InnerQuote, &seen.quote)
			quoting = !quoting
			r.out = append(r.out, `\"`...)
			r.at++
		case c == quote && quoting: // one quote too many or too few: which?
			return r.unexpected()
		case c == quote:
			r.out = append(r.out, '"')
			r.at++
			return nil
		case c == '\\':
			if err := r.escape(&seen); err != nil {
				return err
			}
		case c == '"': // inside single quotes
			r.out = append(r.out, `\"`...)
			r.at++
		case c < ' ':
			r.mendOnce(ControlCharacter, &seen.control)
			r.out = appendControl(r.out, c)
			r.at++
		default: // not UTF-8, or plain would have passed it
			r.mendOnce(InvalidUTF8, &seen.utf8)
			r.out = utf8.AppendRune(r.out, utf8.RuneError)
			r.at++
		}
	}
}

// mends are the kinds that were found in a string before. One entry a string is
// enough, and a file with a thousand raw newlines makes no thousand entries.
type mends struct{ escape, control, utf8, quote bool }

func (r *repairer) mendOnce(kind RepairKind, seen *bool) {
	if !*seen {
		r.mend(kind, r.at)
		*seen = true
	}
}

// plain copies what needs no attention.
func (r *repairer) plain(quote byte) {
	start := r.at
	for r.at < len(r.in) {
		c := r.in[r.at]
		if c < ' ' || c == '"' || c == '\\' || c == quote {
			break
		}
		if c < utf8.RuneSelf {
			r.at++
			continue
		}
		_, size := utf8.DecodeRune(r.in[r.at:])
		if size == 1 {
			break
		}
		r.at += size
	}
	r.looks += r.at - start + 1
	r.out = append(r.out, r.in[start:r.at]...)
}

// escape reads a backslash and, where the two belong together, what follows.
func (r *repairer) escape(seen *mends) error {
	backslash := r.at
	if backslash+1 >= len(r.in) {
		return ErrTruncated
	}
	switch c := r.in[backslash+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		r.out = append(r.out, '\\', c)
		r.at += 2
		return nil
	case 'u':
		if hex(r.in[backslash+2:]) {
			r.out = append(r.out, r.in[backslash:backslash+6]...)
			r.at += 6
			return nil
		}
	case '\'', '`', '$', '_': // of JavaScript, Python and Markdown, where they mean the character
		r.mendOnce(InvalidEscape, &seen.escape)
		r.out = append(r.out, c)
		r.at += 2
		return nil
	case '\n', '\r', '\t': // the model escaped the character itself
		r.mendOnce(InvalidEscape, &seen.escape)
		r.out = appendControl(r.out, c)
		r.at += 2
		return nil
	}
	// A backslash that means itself, as in C:\Users or \d+.
	r.mendOnce(InvalidEscape, &seen.escape)
	r.out = append(r.out, `\\`...)
	r.at++
	return nil
}

func hex(s []byte) bool {
	if len(s) < 4 {
		return false
	}
	for _, c := range s[:4] {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}

func appendControl(out []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(out, `\n`...)
	case '\r':
		return append(out, `\r`...)
	case '\t':
		return append(out, `\t`...)
	}
	const digits = "0123456789abcdef"
	return append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
