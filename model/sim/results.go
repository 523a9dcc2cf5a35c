package sim

import (
	"encoding/json"
	"regexp"
	"strings"
)

// resultForm is how the result of a call comes back, as a prompt shows it with a
// sample: what stands before and behind the result of a call of tool.
type resultForm struct {
	before, behind string
	tool           string
}

var (
	resultSection = regexp.MustCompile(`(?s)## (?:Results|工具结果)\n.*?[:：]\n\n(.*?)\n\n(?:End your answer|写完最后)`)
	sampleResult  = regexp.MustCompile(`\(what (\S+) found\)|（(\S+) 的结果）`)
)

// maxForm is the longest form, and maxName the longest name of a tool, in bytes.
const (
	maxForm = 4 << 10
	maxName = 256
)

func readResultForm(section string) resultForm {
	m := resultSection.FindStringSubmatch(section)
	if m == nil || len(m[1]) > maxForm {
		return resultForm{}
	}
	at := sampleResult.FindStringSubmatchIndex(m[1])
	if at == nil {
		return resultForm{}
	}
	tool := sampleResult.FindStringSubmatch(m[1])
	return resultForm{before: m[1][:at[0]], behind: m[1][at[1]:], tool: tool[1] + tool[2]}
}

var sampleID = regexp.MustCompile(`call_1|\d+`)

// opener matches what stands before the result of a call of tool.
func (f *resultForm) opener(tool string) string {
	parts := regexp.MustCompile(`\b`+regexp.QuoteMeta(f.tool)+`\b`).Split(f.before, -1)
	if len(parts) == 1 { // a name such as 查询, which Go knows no border of
		parts = strings.Split(f.before, f.tool)
	}
	for i, p := range parts {
		parts[i] = sampleID.ReplaceAllLiteralString(regexp.QuoteMeta(p), `[\w-]+`)
	}
	return strings.Join(parts, regexp.QuoteMeta(tool))
}

// usualResults are the forms that are read where no prompt shows one, because no
// tools are offered any more.
var usualResults = []resultForm{
	{before: "[Tool result for NAME]\n", tool: "NAME"},
	{before: "<tool_response>\n", behind: "\n</tool_response>", tool: "NAME"},
}

// read takes the message apart in which the results of calls come back, in their
// order. Any other message has none.
func (l *lesson) readResults(text string, calls []call) []string {
	if l.result.before != "" {
		return l.result.read(text, calls)
	}
	for _, f := range usualResults {
		if results := f.read(text, calls); results != nil {
			return results
		}
	}
	return nil
}

func (f *resultForm) read(text string, calls []call) []string {
	var results []string
	for i, c := range calls {
		if len(c.name) > maxName {
			break
		}
		head := regexp.MustCompile(`^\s*` + f.opener(c.name)).FindString(text)
		if head == "" {
			break
		}
		text = text[len(head):]
		end := len(strings.TrimSuffix(text, f.behind))
		if i+1 < len(calls) && len(calls[i+1].name) <= maxName {
			// What a tool says may look like a result too: only that of the next call counts.
			next := regexp.MustCompile(regexp.QuoteMeta(f.behind) + `\n+` + f.opener(calls[i+1].name)).FindStringIndex(text)
			if next != nil {
				end = next[0]
			}
		}
		results = append(results, f.unquote(text[:end]))
		text = strings.TrimPrefix(text[end:], f.behind)
	}
	return results
}

// unquote reads a result that stands in a JSON string.
func (f *resultForm) unquote(result string) string {
	var s string
	if strings.HasSuffix(f.before, `"`) && json.Unmarshal([]byte(`"`+result+`"`), &s) == nil {
		return s
	}
	return result
}
