package sim

import (
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A skill is instructions for a task that lie outside of the conversation until a model
// opens them. The offline model does of them what can be done without understanding: where
// the prompt names a skill, it opens it, runs the script that its instructions speak of
// first, and tells what that printed. It knows of skills what it is told: a list in the
// system prompt, which says what opens one, or a tool that says it is one; and the opened
// skill says how its scripts are run.

// skillUse is a skill that a prompt names.
type skillUse struct {
	name   string
	opener definition // the tool that opens it
	own    bool       // which is the skill's alone
	prompt string
	at     span // of the name in the prompt
	tools  []definition
}

var (
	skillList   = regexp.MustCompile(`(?s)<available_skills>(.*?)</available_skills>`)
	skillListed = regexp.MustCompile(`<skill><name>([^<]{1,256})</name>`)
	skillOpener = regexp.MustCompile(`\bopen it with the tool (\S+)`)
	skillOwn    = regexp.MustCompile(`\bThis is a skill: call it without parameters\b`)
)

// skillNamed is the skill that the prompt names; nil where it names none that can be
// opened.
func (req *request) skillNamed(prompt string) *skillUse {
	for _, m := range req.messages {
		if m.role != "system" && m.role != "developer" {
			break
		}
		list, how := skillList.FindStringSubmatch(m.text), skillOpener.FindStringSubmatch(m.text)
		if list == nil || how == nil {
			continue
		}
		opener, offered := req.tool(strings.TrimRight(how[1], ".,"))
		if !offered {
			continue
		}
		for _, one := range skillListed.FindAllStringSubmatch(list[1], -1) {
			name := html.UnescapeString(one[1])
			if at, named := namesSkill(prompt, name); named {
				return &skillUse{name, opener, false, prompt, at, req.tools}
			}
		}
	}
	for _, t := range req.tools {
		if at, named := namesSkill(prompt, t.name); named && skillOwn.MatchString(t.description) {
			return &skillUse{t.name, t, true, prompt, at, req.tools}
		}
	}
	return nil
}

// namesSkill finds the name of a skill, its words apart or together. A name of one word is
// one only beside the word skill: pdf may stand in any sentence.
func namesSkill(prompt, name string) (at span, named bool) {
	words := nameWords(name)
	if len(words) == 0 {
		return span{}, false
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	pattern := strings.Join(words, `[ _-]?`)
	const border, skill = `[^\p{L}\p{N}_-]`, `\s*(?:skill|技能)`
	patterns := []string{`(?:^|` + border + `)(` + pattern + skill + `)`, `(?:skill|技能)\s+["'“「]?(` + pattern + `)(?:$|` + border + `)`}
	if len(words) > 1 {
		patterns = append(patterns, `(?:^|`+border+`)(`+pattern+`)(?:$|`+border+`)`)
	}
	for _, p := range patterns {
		if m := regexp.MustCompile(`(?i)` + p).FindStringSubmatchIndex(prompt); m != nil {
			return span{m[2], m[3]}, true
		}
	}
	return span{}, false
}

// reply is what to do with the skill after what was answered so far; nil where that is
// nothing to do with it.
func (u *skillUse) reply(answers []outcome, says *phrases) *reply {
	if len(answers) == 0 {
		return u.open()
	}
	if answers[0].call.name != u.opener.name {
		return nil
	}
	if len(answers) > 1 { // the instructions were for the model, and its words for the tool are no news
		ran := outcome{call{name: u.name}, answers[1].result}
		return &reply{text: says.answer([]outcome{ran}, nil)}
	}
	if r := u.run(answers[0].result); r != nil {
		return r
	}
	return &reply{text: says.answer(answers, nil)}
}

// open calls the tool that opens the skill.
func (u *skillUse) open() *reply {
	values := map[string]any{}
	if !u.own {
		for _, p := range u.opener.schema.Properties() {
			if p.Required {
				values[p.Name] = u.name
			}
		}
	}
	return callOf(u.opener, values)
}

var (
	runsScripts = regexp.MustCompile(`\brun scripts with ([\w-]+)`)
	skillFile   = regexp.MustCompile(`(?m)^- (\S.*) \(\d+ bytes\)$`)
	codeSpan    = regexp.MustCompile("`([^`\n]+)`|(?m)^(?: {4}|\t)(.+)$|(?ms)^```[^\n]*\n(.*?)^```")
	placeholder = regexp.MustCompile(`^["']?(?:<[^>]+>|\{[^}]+\}|\[[^\]]+\]|[A-Z][A-Z_]+|\.\.\.|…)["']?$`)
)

// run calls the script that the opened skill speaks of first, with the text of the prompt;
// nil where it speaks of none.
func (u *skillUse) run(opened string) *reply {
	how := runsScripts.FindStringSubmatch(opened)
	if how == nil {
		return nil
	}
	script, args, placed := u.script(opened)
	if script == "" {
		return nil
	}
	values := map[string]any{"script": script, "skill": u.name}
	if len(args) > 0 {
		values["args"] = args
	}
	if text := u.text(); text != "" && !placed {
		values["stdin"] = text
	}
	runner, isTool := u.opener, false
	for _, t := range u.tools {
		if t.name == how[1] {
			runner, isTool = t, true
		}
	}
	if !isTool && !u.own {
		return nil
	}
	if !isTool { // it is a parameter of the same tool
		values[how[1]] = script
	}
	return callOf(runner, values)
}

// script is the one that the prompt names, else the first of the files that the
// instructions name as code, with the arguments that stand behind it. placed says that the
// prompt's text is among them.
func (u *skillUse) script(opened string) (script string, args []string, placed bool) {
	instructions := opened
	var scripts []string
	for i, m := range skillFile.FindAllStringSubmatchIndex(opened, -1) {
		if i == 0 {
			instructions = opened[:m[0]]
		}
		if name := opened[m[2]:m[3]]; isProgram(name) {
			scripts = append(scripts, name)
		}
	}
	meant := slices.IndexFunc(scripts, func(s string) bool { return containsFold(u.prompt, path.Base(s)) })
	if meant >= 0 {
		scripts = scripts[meant : meant+1]
	}
	for _, m := range codeSpan.FindAllStringSubmatch(instructions, -1) {
		for line := range strings.Lines(m[1] + m[2] + m[3]) {
			words := strings.Fields(line)
			for i, w := range words {
				name := strings.TrimPrefix(w, "./")
				if slices.Contains(scripts, name) {
					args, placed = u.arguments(words[i+1:])
					return name, args, placed
				}
			}
		}
	}
	if len(scripts) == 1 {
		return scripts[0], nil, false
	}
	return "", nil, false
}

// isProgram tells scripts from what is read.
func isProgram(name string) bool {
	switch path.Ext(name) {
	case ".md", ".txt", ".json", ".yaml", ".yml", ".csv", ".html", ".pdf", ".png", ".svg":
		return false
	}
	return true
}

// arguments are those of a command line, with the prompt's text where one stands for it.
// What only a shell understands ends them.
func (u *skillUse) arguments(words []string) (args []string, placed bool) {
	for _, w := range words {
		switch {
		case strings.ContainsAny(w, "|<>&;$") && !placeholder.MatchString(w):
			return args, placed
		case placeholder.MatchString(w):
			text := u.text()
			if text == "" || placed {
				return args, placed
			}
			args, placed = append(args, text), true
		default:
			args = append(args, strings.Trim(w, `"'`))
		}
	}
	return args, placed
}

// announced is a colon behind which a text stands.
var announced = regexp.MustCompile(`:\s+|：\s*`)

// beforeText stands between a skill's name and the text that it is for.
var beforeText = regexp.MustCompile(`(?i)^["'”」]?(?:\s*skill\b|\s*技能)?(?:\s*\b(?:on|to|for|with|over|of)\b)?(?:\s*\b(?:this|these|the following|the)\s+(?:text|sentence|string|input|words|lines?)\b)?\s*`)

// text is what the prompt gives the skill to work on: what stands behind a colon, else a
// quotation, else what stands behind the name.
func (u *skillUse) text() string {
	behind := u.prompt[u.at.end:]
	found := slices.DeleteFunc(scan(u.prompt), func(f finding) bool { return !f.quoted || f.start < u.at.end && f.end > u.at.start })
	if m := announced.FindStringIndex(behind); m != nil {
		at := u.at.end + m[0]
		if !slices.ContainsFunc(found, func(f finding) bool { return f.start < at && at < f.end }) {
			return unquoted(strings.TrimSpace(behind[m[1]:]))
		}
	}
	if len(found) > 0 {
		return found[0].value
	}
	return strings.TrimRight(strings.TrimSpace(behind[len(beforeText.FindString(behind)):]), ".!?。！？")
}

// unquoted is text without the quotation marks around the whole of it.
func unquoted(text string) string {
	for _, f := range scan(text) {
		if f.quoted && f.start <= 1 && f.end >= len(text)-1 {
			return f.value
		}
	}
	return text
}

// callOf calls a tool with those of values that it has parameters for; nil where that is no
// call that its schema allows.
func callOf(t definition, values map[string]any) *reply {
	c := filled{tool: t}
	for _, p := range t.schema.Properties() {
		if v, given := values[p.Name]; given {
			c.args = append(c.args, argument{property: p, value: encode(v)})
		}
	}
	if t.schema.Validate(c.json()) != nil {
		return nil
	}
	return &reply{calls: []call{c.wire()}}
}
