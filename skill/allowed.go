package skill

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"helve/tool"
)

// patternsOf takes the text of allowed-tools apart: names with spaces, or commas, between
// them. What stands in parentheses belongs to its name. It is never nil: text that names
// nothing allows nothing.
func patternsOf(text string) []string {
	depth := 0
	patterns := strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		}
		return depth == 0 && (unicode.IsSpace(r) || r == ',')
	})
	if patterns == nil {
		return []string{}
	}
	return patterns
}

// elsewhere are the names that other programs give to tools like helve's.
var elsewhere = map[string][]string{
	"read": {"read_file"}, "ls": {"list_files"}, "glob": {"list_files"}, "webfetch": {"http_get"},
}

// Allows reports whether one of the patterns of an allowed-tools allows the call. No
// patterns at all, not even an empty list of them, allow every call.
//
// A pattern is a tool's name, in which * stands for any letters, without regard to case:
// sql_*, Read. In parentheses stands what the tool's argument must be, where it has a
// single one that is text: fetch(https://example.org/) is that address alone, and
// bash(git diff:*) is git diff with or without something behind a space, but nothing that a
// shell takes for more than one command. What else stands in parentheses allows nothing.
func Allows(patterns []string, call tool.Call) bool {
	if patterns == nil {
		return true
	}
	for _, p := range patterns {
		name, argument, restricted := strings.Cut(p, "(")
		if !matchesName(name, call.Name) {
			continue
		}
		if !restricted {
			return true
		}
		if argument, closed := strings.CutSuffix(argument, ")"); closed && matchesArgument(argument, call.Arguments) {
			return true
		}
	}
	return false
}

func matchesName(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	for _, p := range append([]string{pattern}, elsewhere[pattern]...) {
		if ok, err := path.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

func matchesArgument(pattern string, arguments json.RawMessage) bool {
	value, ok := onlyText(arguments)
	if !ok || pattern == "" {
		return false
	}
	prefix, open := strings.CutSuffix(pattern, ":*")
	if !open {
		return value == pattern && !strings.Contains(pattern, "*")
	}
	if prefix == "" || strings.Contains(prefix, "*") || strings.ContainsAny(value, ";&|<>$`\\\"'(){}\n\r\x00") {
		return false
	}
	return value == prefix || strings.HasPrefix(value, prefix+" ")
}

// onlyText returns the value of an object that has one, which is text.
func onlyText(arguments json.RawMessage) (string, bool) {
	var values map[string]json.RawMessage
	if json.Unmarshal(arguments, &values) != nil || len(values) != 1 {
		return "", false
	}
	for _, v := range values {
		var text *string
		if json.Unmarshal(v, &text) != nil || text == nil {
			return "", false
		}
		return *text, true
	}
	return "", false
}

// foreign are names that other programs give to tools of which helve has none.
var foreign = []string{"agent", "bash", "edit", "grep", "multiedit", "notebookedit", "powershell", "shell", "task", "todowrite", "websearch", "write"}

// meaningless says why a pattern of allowed-tools does not do what its author may think;
// it is empty for one that does.
func meaningless(pattern string) string {
	name, argument, restricted := strings.Cut(pattern, "(")
	if _, err := path.Match(name, ""); err != nil || name == "" {
		return "is no pattern of a tool's name: it allows nothing"
	}
	if restricted {
		argument, closed := strings.CutSuffix(argument, ")")
		prefix := strings.TrimSuffix(argument, ":*")
		switch {
		case !closed:
			return "has no closing parenthesis: it allows nothing"
		case prefix == "" || strings.Contains(prefix, "*"):
			return "allows nothing: in the parentheses, * can stand at the end alone, as in git:*"
		}
	}
	if slices.Contains(foreign, strings.ToLower(name)) {
		return "means a tool that helve has not: it allows one of that name alone"
	}
	return ""
}
