package script

import (
	"regexp"
	"strings"
	"unicode"
)

// escapes are what terminals take for colours, cursor movements and titles (ECMA-48).
var escapes = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-Z\\\\^_])")

// clean is what a program printed as text: UTF-8, without what only a terminal
// understands, with LF at the ends of lines and no blanks at its own.
func clean(printed []byte) string {
	text := strings.ToValidUTF8(string(printed), "\uFFFD")
	text = escapes.ReplaceAllString(text, "")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
	return strings.TrimRight(text, " \t\n")
}
