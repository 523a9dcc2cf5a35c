package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"helve/internal/excerpt"
)

// phrases are what the offline model says, in one language.
type phrases struct {
	identity string // what it is

	canDo, cannotDo string // with the tools, without any
	unread          string // with tools in a list that it can't read
	realModel       string

	willCall    string // tools
	unspeakable string // an answer that would be read as a call
	missing     string // tool, parameters
	unfit       string // tool, reason
	forbidden   string

	equals, isIn, is string // expression, result; result, zone; result
	moment           func(time.Time) string
	says             string // call, result
	returned         string // call, result of several lines
	nothing          string // call
	failed           string // tool, reason
	cut              string // how many characters there are in all
	end, space, list string // of a sentence; between sentences; between items
}

var english = phrases{
	identity:    "I am helve's offline demonstration model. I am not a language model: I match your words against the tools I am given, call them and tell you what they answered. For a real model run helve with --model openai/NAME and set OPENAI_API_KEY.",
	canDo:       "I am the offline demonstration model, not a language model, and I found no tool for that. The tools I can call are %s.",
	cannotDo:    "I am the offline demonstration model, not a language model. I can only call tools, and I was given none.",
	unread:      "I am the offline demonstration model, not a language model, and I can't read how this dialect lists its tools: those I read best are tag, decision, structured and hermes.",
	realModel:   "For a real model use --model openai/NAME and set OPENAI_API_KEY.",
	willCall:    "I will call %s.",
	unspeakable: "What came back looks like a tool call, so I do not repeat it.",
	missing:     "I would call %s for that, but I could not find out its %s. Try to write it as NAME=VALUE.",
	unfit:       "I would call %s for that, but what I found does not fit it: %s.",
	forbidden:   "I was told not to call a tool, and without tools the offline demonstration model can't answer that.",
	equals:      "%s = %s", isIn: "It is %s in %s", is: "It is %s",
	moment: func(t time.Time) string { return t.Format("15:04:05 on Monday, 2 January 2006") },
	says:   "%s: %s", returned: "%s returned:\n\n%s\n", nothing: "%s returned nothing",
	failed: "I could not use %s: %s", cut: "… (cut here; %d characters in all)",
	end: ".", space: " ", list: ", ",
}

var chinese = phrases{
	identity:    "我是 helve 的离线演示模型（offline demonstration model），不是语言模型：我只是把您的话与现有工具对应起来，调用工具，再告诉您结果。要使用真正的模型，请用 --model openai/模型名 并设置 OPENAI_API_KEY。",
	canDo:       "我是离线演示模型，不是语言模型，没有找到适合的工具。我可以调用的工具有：%s。",
	cannotDo:    "我是离线演示模型，不是语言模型。我只会调用工具，而现在没有任何工具。",
	unread:      "我是离线演示模型，不是语言模型，读不懂这种格式（dialect）的工具列表：我最熟悉的是 tag、decision、structured 和 hermes。",
	realModel:   "要使用真正的模型，请用 --model openai/模型名 并设置 OPENAI_API_KEY。",
	willCall:    "我来调用 %s。",
	unspeakable: "结果看起来像一个工具调用，因此我不重复它的内容。",
	missing:     "这需要调用 %s，但我没能找到它的参数 %s。请写成 名称=值 的形式。",
	unfit:       "这需要调用 %s，但找到的内容不符合它的要求：%s。",
	forbidden:   "这次不允许调用工具，而没有工具，离线演示模型无法回答。",
	equals:      "%s = %s", isIn: "%[2]s 现在是 %[1]s", is: "现在是 %s",
	moment: func(t time.Time) string {
		return t.Format("2006年1月2日") + "星期" + string([]rune("日一二三四五六")[t.Weekday()]) + t.Format(" 15:04:05")
	},
	says: "%s：%s", returned: "%s 返回：\n\n%s\n", nothing: "%s 没有返回内容",
	failed: "无法使用 %s：%s", cut: "……（此处截断，共 %d 个字符）",
	end: "。", space: "", list: "、",
}

func language(prompt string) *phrases {
	if strings.ContainsFunc(prompt, isHan) {
		return &chinese
	}
	return &english
}

func (s *phrases) help(tools []definition) string {
	if len(tools) == 0 {
		return s.cannotDo + s.space + s.realModel
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	return fmt.Sprintf(s.canDo, strings.Join(names, s.list)) + s.space + s.realModel
}

// announce says what is about to be called.
func (s *phrases) announce(calls []call) string {
	var names []string
	for _, c := range calls {
		if !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	return fmt.Sprintf(s.willCall, strings.Join(names, s.list))
}

func (s *phrases) couldNot(gaps []gap) string {
	var out []string
	for _, g := range gaps {
		if len(g.missing) > 0 {
			out = append(out, fmt.Sprintf(s.missing, g.tool, strings.Join(g.missing, s.list)))
		} else {
			out = append(out, fmt.Sprintf(s.unfit, g.tool, g.reason))
		}
	}
	return strings.Join(out, s.space)
}

func (s *phrases) withoutTools(p plan) string {
	if len(p.calls) == 0 && len(p.gaps) == 0 {
		return s.identity
	}
	return s.forbidden
}

// answer says what the tools answered, a sentence for each, their words kept as
// they are.
func (s *phrases) answer(answers []outcome, gaps []gap) string {
	var b strings.Builder
	for i, a := range answers {
		if i > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteString(s.space)
		}
		b.WriteString(s.sentence(a))
	}
	if len(gaps) > 0 {
		b.WriteString(s.space + s.couldNot(gaps))
	}
	return strings.TrimSpace(b.String())
}

// maxResult is how many characters of one result the answer repeats.
const maxResult = 4000

func (s *phrases) sentence(a outcome) string {
	result := strings.TrimSpace(a.result)
	var quoted string
	if json.Unmarshal([]byte(result), &quoted) == nil {
		result = quoted
	}
	if why, failed := failure(result); failed {
		return fmt.Sprintf(s.failed, a.call.name, why) + s.end
	}
	if out, why := printed(result); why != "" {
		return fmt.Sprintf(s.failed, a.call.name, why) + s.end
	} else if out != "" {
		result = out
	}
	if n := utf8.RuneCountInString(result); n > maxResult {
		result = string([]rune(result)[:maxResult]) + fmt.Sprintf(s.cut, n)
	}
	if t, written, zone, ok := readMoment(result); ok {
		return fmt.Sprintf(s.isIn, s.moment(t), zone) + " (" + written + ")" + s.end
	}
	subject, k := about(a.call)
	switch {
	case result == "":
		return fmt.Sprintf(s.nothing, named(a.call.name, subject)) + s.end
	case strings.Contains(result, "\n"):
		return fmt.Sprintf(s.returned, named(a.call.name, subject), result)
	case strings.HasPrefix(result, "{"), strings.HasPrefix(result, "["):
		return fmt.Sprintf(s.says, named(a.call.name, subject), result) + s.end
	case isSentence(result):
		return result
	case k == kindExpression && !strings.Contains(result, subject):
		return fmt.Sprintf(s.equals, subject, result) + s.end
	case k == kindExpression:
		return result + s.end
	case k == kindZone && !strings.Contains(result, subject):
		return fmt.Sprintf(s.isIn, result, subject) + s.end
	case k == kindZone:
		return fmt.Sprintf(s.is, result) + s.end
	}
	return fmt.Sprintf(s.says, named(a.call.name, subject), result) + s.end
}

// failure reads a result that says the tool failed, in the form of tool.Error or
// a plain {"error": "…"}.
func failure(result string) (why string, failed bool) {
	var e struct {
		Success *bool           `json:"success"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal([]byte(result), &e) != nil {
		return "", false
	}
	why = strings.TrimRight(literal(e.Error), ".。")
	if e.Success != nil && !*e.Success {
		if why == "" {
			why = result
		}
		return why, true
	}
	return why, e.Success == nil && why != "" && why != "null" && why != "false"
}

// printed reads a result that says how a program ended: what it printed or, where it failed,
// why.
func printed(result string) (out, why string) {
	var r struct {
		ExitCode       *int `json:"exit_code"`
		Stdout, Stderr *string
		Reason         string
	}
	if json.Unmarshal([]byte(result), &r) != nil || r.ExitCode == nil || r.Stdout == nil {
		return "", ""
	}
	if *r.ExitCode == 0 && r.Reason == "" {
		return strings.TrimSpace(*r.Stdout), ""
	}
	why = fmt.Sprintf("it ended with the exit code %d", *r.ExitCode)
	if r.Reason != "" {
		why = "it was stopped: " + r.Reason
	}
	if r.Stderr != nil && strings.TrimSpace(*r.Stderr) != "" {
		why += ": " + excerpt.Of(strings.TrimSpace(*r.Stderr), 500)
	}
	return "", why
}

// readMoment reads a result that is an object with a time of RFC 3339 and a time
// zone, such as clocks give.
func readMoment(result string) (t time.Time, written, zone string, ok bool) {
	var object map[string]string
	if json.Unmarshal([]byte(result), &object) != nil {
		return t, "", "", false
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		v := object[key]
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			t, written = at, v
		} else if m := zoneName.FindString(v); m == v {
			zone = v
		}
	}
	return t, written, zone, written != "" && zone != ""
}

// about is what a call was about: the value of its only argument, or all of them.
func about(c call) (subject string, k kind) {
	var args map[string]json.RawMessage
	if json.Unmarshal([]byte(c.arguments), &args) != nil || len(args) == 0 {
		return "", ""
	}
	if len(args) > 1 {
		return excerpt.Of(strings.Trim(c.arguments, "{}"), 80), ""
	}
	for _, v := range args {
		subject = excerpt.Of(literal(v), 80)
	}
	for _, f := range scan(subject) {
		if f.start == 0 && f.end == len(subject) {
			k = f.kind
		}
	}
	return subject, k
}

func named(tool, subject string) string {
	if subject == "" {
		return tool
	}
	return fmt.Sprintf("%s(%s)", tool, subject)
}

// isSentence reports whether a result can stand for itself.
func isSentence(s string) bool {
	return strings.ContainsAny(s, " 。") && (strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "。") || strings.HasSuffix(s, "！"))
}
