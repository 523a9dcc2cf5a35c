package sim

import (
	"regexp"
	"strings"

	"helve/schema"
)

// chineseNames are what people call common parameters.
var chineseNames = map[string]string{
	"subject": "主题|标题", "title": "标题|题目", "body": "正文|内容", "content": "内容", "message": "消息|内容", "name": "名字|姓名|名称", "text": "文字|文本|内容",
}

// fromNamed reads text that follows the parameter's name: subject Hello. It ends
// where the next parameter is named.
func (d *draft) fromNamed(p schema.Property) {
	if p.Type != "string" || len(d.tool.schema.Properties()) < 2 || fillers[strings.ToLower(p.Name)] && p.Name != "text" && p.Name != "name" {
		return
	}
	var m []int
	if words := nameWords(p.Name); len(words) > 0 && containsFold(d.text, words[0]) {
		m = nameFollowedBy(p.Name, `(?:\s+(?:is|of|named|called|saying|that says|reading))?\s+`).FindStringIndex(d.text)
	}
	if zh := chineseNames[p.Name]; m == nil && zh != "" {
		m = regexp.MustCompile(`(?:` + zh + `)(?:为|是|写)?\s*`).FindStringIndex(d.text)
	}
	if m == nil {
		return
	}
	end := d.nextName(p, m[1])
	for _, f := range d.found {
		if f.start >= m[1] && f.start <= m[1]+1 && f.quoted && d.set(p, f.value) {
			d.use(m[0], f.end)
			return
		}
		if f.quoted && f.start >= m[1] && f.start < end {
			return // the name says where a quotation further on belongs, or nothing
		}
	}
	value := strings.Trim(connective.ReplaceAllString(d.text[m[1]:end], ""), " .,;，。；")
	if value == "" || d.isUsed(m[1], m[1]+1) || fillers[strings.ToLower(value)] {
		return
	}
	if d.set(p, value) {
		d.use(m[0], end)
	}
}

var connective = regexp.MustCompile(`(?i)[\s,，]*\b(?:and|with|and with|and the|with the)?\s*$`)

// nextName is where the next other parameter is named after from, or the end.
func (d *draft) nextName(p schema.Property, from int) int {
	end := from + indexAny(d.text[from:], "\n;；。")
	for _, other := range d.tool.schema.Properties() {
		if other.Name == p.Name || fillers[strings.ToLower(other.Name)] {
			continue
		}
		if m := nameFollowedBy(other.Name, `[\s:=]`).FindStringIndex(d.text[from:]); m != nil {
			end = min(end, from+m[0])
		}
		if zh := chineseNames[other.Name]; zh != "" {
			if m := regexp.MustCompile(zh).FindStringIndex(d.text[from:]); m != nil {
				end = min(end, from+m[0])
			}
		}
	}
	return end
}

// nameFollowedBy matches a parameter's name, its words apart or together, and
// then what more says.
func nameFollowedBy(name, more string) *regexp.Regexp {
	words := nameWords(name)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	names := regexp.QuoteMeta(name)
	if len(words) > 0 {
		names += `|` + strings.Join(words, `[ _-]?`)
	}
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{N}_])(?:` + names + `)` + more)
}
