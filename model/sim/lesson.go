package sim

import "regexp"

// lesson is what a system prompt teaches a model without function calling.
type lesson struct {
	tools  []definition
	unread bool // there are tools, in a list that can't be read
	choice choice
	single bool       // one call an answer
	result resultForm // how results come back
	reply  string     // an answer without a call, as a sample; "": in plain text
}

var (
	toolsTitle = regexp.MustCompile(`(?m)^# (?:Tools|工具)[ \t]*$`)
	nextTitle  = regexp.MustCompile(`(?m)^## `)
	onlyOne    = regexp.MustCompile(`(?m)^(?:Make one call in an answer|每次回答只写一个调用)`)
	replyForm  = regexp.MustCompile(`(?m)^\{.*"reply": *"[^"]*"\}$`)
	mustCall   = regexp.MustCompile(`(?m)^(?:In this answer you must call|本次回答必须调用)(?: a tool|工具。| ?(?:the tool|工具) (\S+?)[.。]$)`)
)

// learn reads the section about tools, which is the last of a system prompt: what
// comes before it may look as it likes.
func learn(prompt string) lesson {
	var l lesson
	titles := toolsTitle.FindAllStringIndex(prompt, -1)
	if titles == nil {
		return l
	}
	section := prompt[titles[len(titles)-1][1]:]
	listing := section
	next := nextTitle.FindStringIndex(section)
	if next != nil {
		listing, section = section[:next[0]], section[next[0]:]
	}
	l.tools = readListing(listing)
	l.unread = next != nil && len(l.tools) == 0 // without tools there is no more to say
	l.result = readResultForm(section)
	l.single = onlyOne.MatchString(section)
	l.reply = replyForm.FindString(section)
	if m := mustCall.FindStringSubmatch(section); m != nil {
		l.choice = choice{required: true, name: m[1]}
	}
	return l
}

var sampleReply = regexp.MustCompile(`"reply": *"[^"]*"`)

// answer is text in the form that an answer without a call must have.
func (l *lesson) answer(text string) string {
	return sampleReply.ReplaceAllLiteralString(l.reply, `"reply": `+string(encode(text)))
}
