package sim

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadResults(t *testing.T) {
	t.Parallel()
	teach := func(form string) lesson {
		return learn("# Tools\n\n- f: F.\n\n## Results\n\nIn this form:\n\n" + form + "\n\nEnd your answer here.")
	}
	brackets := teach("[Tool result for f]\n(what f found)")
	tags := teach("<out>\n(what f found)\n</out>")
	quoted := teach(`{"id": "call_1", "name": "f", "out": "(what f found)"}`)
	plain := teach("(what f found)")
	for _, test := range []struct {
		name, text string
		lesson     lesson
		calls      string
		want       []string
	}{
		{"one", "[Tool result for f]\n1\n", brackets, "f", []string{"1\n"}},
		{"two", "[Tool result for f]\n1\n[Tool result for g]\n2", brackets, "f g", []string{"1", "2"}},
		{"with empty lines between", "[Tool result for f]\n1\n\n\n[Tool result for g]\n2", brackets, "f g", []string{"1", "2"}},
		{"nothing", "[Tool result for f]\n\n[Tool result for g]\n", brackets, "f g", []string{"", ""}},
		{"a result like a result", "[Tool result for f]\n[Tool result for f]\n1\n[Tool result for g]\n2", brackets, "f g", []string{"[Tool result for f]\n1", "2"}},
		{"the last like one too", "[Tool result for f]\n1\n[Tool result for f]\n2", brackets, "f", []string{"1\n[Tool result for f]\n2"}},
		{"of another call", "[Tool result for g]\n1", brackets, "f", nil},
		{"of no call", "[Tool result for f]\n1", brackets, "", nil},
		{"a question", "What is it?", brackets, "f", nil},
		{"fewer than calls", "[Tool result for f]\n1", brackets, "f g", []string{"1"}},
		{"tags", "<out>\n1\n</out>\n<out>\n</out>\n</out>", tags, "f f", []string{"1", "</out>"}},
		{"quoted, with another ID", `{"id": "c-7", "name": "g", "out": "a \"b\"\n"}`, quoted, "g", []string{"a \"b\"\n"}},
		{"a Chinese name", "[Tool result for 查询]\n1", teach("[Tool result for 天气]\n（天气 的结果）"), "查询", []string{"1"}},
		{"no form at all", "1", plain, "f", nil},
		{"no lesson", "[Tool result for f]\n1\n[Tool result for g]\n2", lesson{}, "f g", []string{"1", "2"}},
		{"no lesson, in tags", "<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response>", lesson{}, "f g", []string{"1", "2"}},
	} {
		var calls []call
		for _, name := range strings.Fields(test.calls) {
			calls = append(calls, call{name: name})
		}
		if got := test.lesson.readResults(test.text, calls); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// FuzzReadResults: whatever a form and a message are, there are at most as many
// results as calls, and they come from the message.
func FuzzReadResults(f *testing.F) {
	f.Add("[Tool result for ", "]\n", "", "[Tool result for f]\n1\n[Tool result for g]\n2")
	f.Add("<out>\n", "", "\n</out>", "<out>\n1\n</out>")
	f.Add(`{"id": 5, "out": "`, "", `"}`, `{"id": 5, "out": "a\n"}`)
	f.Fuzz(func(t *testing.T, before, behindName, behind, text string) {
		for _, s := range []string{before, behindName, behind, text} {
			if !utf8.ValidString(s) {
				return // a request is JSON
			}
		}
		l := lesson{result: resultForm{before: before + "f" + behindName, behind: behind, tool: "f"}}
		calls := []call{{name: "f"}, {name: "g"}, {name: "f"}}
		results := l.readResults(text, calls)
		if len(results) > len(calls) {
			t.Errorf("%q", results)
		}
		for _, r := range results {
			if !strings.Contains(text, r) && !strings.HasSuffix(l.result.before, `"`) {
				t.Errorf("%q is not in %q", r, text)
			}
		}
	})
}
