package sim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

// The tools of skills as package skill has them, and a stranger's.
var skillTools = []definition{
	{"skill", "Open a skill.", schema.MustCompile(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`)},
	{"skill_run", "Run a script of a skill.", schema.MustCompile(`{"type":"object","properties":{"skill":{"type":"string"},"script":{"type":"string"},"args":{"type":"array","items":{"type":"string"}},"stdin":{"type":"string"}},"required":["skill","script"],"additionalProperties":false}`)},
	{"calculate", "Evaluate an arithmetic expression.", schema.MustCompile(`{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}`)},
}

var ownTool = definition{"tea-maker", "Makes tea. This is a skill: call it without parameters first, for its instructions.",
	schema.MustCompile(`{"type":"object","properties":{"path":{"type":"string"},"script":{"type":"string"},"stdin":{"type":"string"}},"additionalProperties":false}`)}

const skillCatalogue = `Be kind.

Skills hold instructions. Open it with the tool nothing. When a task fits the description of one, open it with the tool skill before you begin.

<available_skills>
<skill><name>word-count</name><description>Counts words.</description></skill>
<skill><name>pdf</name><description>Reads PDF &amp; more.</description></skill>
</available_skills>`

// files is the end of what a skill's opener says.
func files(names ...string) string {
	var b strings.Builder
	b.WriteString("</skill>\n\nFiles of the skill: read them with skill_read, run scripts with skill_run. Their paths are relative.\n")
	for _, n := range names {
		b.WriteString("- " + n + " (12 bytes)\n")
	}
	return b.String()
}

func TestSkill(t *testing.T) {
	t.Parallel()
	const count = "run the word count skill on this text: a b c"
	counting := "<skill>\nRun `scripts/count.py` with the text.\n" + files("scripts/count.py", "references/words.md", "scripts/count.sh")
	for _, test := range []struct {
		name, prompt string
		results      []string // of the calls so far
		want         string   // NAME{ARGUMENTS}, or what the answer holds
	}{
		{"its name", count, nil, `skill{"name":"word-count"}`},
		{"its name, apart by a hyphen", "word-count: a b c", nil, `skill{"name":"word-count"}`},
		{"in Chinese", "用 word-count 技能处理：你好", nil, `skill{"name":"word-count"}`},
		{"one word, and skill", "use the PDF skill", nil, `skill{"name":"pdf"}`},
		{"one word behind skill", "use skill 'pdf'", nil, `skill{"name":"pdf"}`},
		{"one word alone is any word", "the pdf says 2+2", nil, `calculate{"expression":"2+2"}`},
		{"a part of its name", "count 2+2", nil, `calculate{"expression":"2+2"}`},
		{"a longer name", "word-counter 2+2", nil, `calculate{"expression":"2+2"}`},
		{"a skill of its own tool", "run the tea maker skill: green", nil, `tea-maker{}`},

		{"the script that is named first", count, []string{counting}, `skill_run{"skill":"word-count","script":"scripts/count.py","stdin":"a b c"}`},
		{"the script that is asked for", "run the word count skill, with count.sh, on: a b c", []string{counting}, `skill_run{"skill":"word-count","script":"scripts/count.sh","stdin":"a b c"}`},
		{"the only script", count, []string{"<skill>\nNothing.\n" + files("a.sh", "b.md")}, `skill_run{"skill":"word-count","script":"a.sh","stdin":"a b c"}`},
		{"arguments", count, []string{"<skill>\n    python3 ./a.py --json | head\n" + files("a.py", "b.py")}, `skill_run{"skill":"word-count","script":"a.py","args":["--json"],"stdin":"a b c"}`},
		{"a place for the text", count, []string{"<skill>\n```sh\na.py --text \"<text>\"\n```\n" + files("a.py", "b.py")}, `skill_run{"skill":"word-count","script":"a.py","args":["--text","a b c"]}`},
		{"a quotation", "use the word-count skill on “x: y”, please", []string{counting}, `skill_run{"skill":"word-count","script":"scripts/count.py","stdin":"x: y"}`},
		{"a quotation before it", "Take 'x y' and run the word count skill", []string{counting}, `skill_run{"skill":"word-count","script":"scripts/count.py","stdin":"x y"}`},
		{"a quotation behind a colon", `word count: "x y"`, []string{counting}, `skill_run{"skill":"word-count","script":"scripts/count.py","stdin":"x y"}`},
		{"no colon", "run the word count skill on the quick fox.", []string{counting}, `skill_run{"skill":"word-count","script":"scripts/count.py","stdin":"the quick fox"}`},
		{"no text", "run the word count skill", []string{counting}, `skill_run{"skill":"word-count","script":"scripts/count.py"}`},
		{"a parameter of its own tool", "run the tea maker skill: green", []string{"run scripts with script. Their\n- a.sh (1 bytes)\n"}, `tea-maker{"script":"a.sh","stdin":"green"}`},

		{"no scripts", count, []string{"<skill>\nThink.\n</skill>\n"}, "Think."},
		{"several scripts, none named", count, []string{"<skill>\nThink.\n" + files("a.py", "b.py")}, "Think."},
		{"a script that is not there", count, []string{"<skill>\nRun `c.py`.\n" + files("a.py", "b.py")}, "Run `c.py`."},
		{"not to be opened", count, []string{`{"success":false,"error":"Skill not found: word-count","code":"not_found"}`}, "I could not use skill: Skill not found: word-count."},
		{"what it printed", count, []string{counting, `{"exit_code":0,"stdout":"3 words\n","stderr":"hm"}`}, "word-count: 3 words."},
		{"that it failed", count, []string{counting, `{"exit_code":2,"stdout":"","stderr":"no text\n"}`}, "I could not use word-count: it ended with the exit code 2: no text."},
		{"that it was stopped", count, []string{counting, `{"exit_code":-1,"signal":"SIGKILL","reason":"timeout","stdout":"","stderr":""}`}, "I could not use word-count: it was stopped: timeout."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			req := &request{parallel: true, tools: append(skillTools[:len(skillTools):len(skillTools)], ownTool),
				messages: []turnMessage{{role: "system", text: skillCatalogue}, {role: "user", text: test.prompt}}}
			for _, result := range test.results {
				r := respond(req)
				if len(r.calls) != 1 {
					t.Fatalf("instead of a call: %s", r.text)
				}
				r.calls[0].id = result
				req.messages = append(req.messages, turnMessage{role: "assistant", calls: r.calls}, turnMessage{role: "tool", callID: result, text: result})
			}
			r := respond(req)
			var got string
			for _, c := range r.calls {
				got += c.name + c.arguments
			}
			if len(r.calls) == 0 && strings.Contains(r.text, test.want) {
				return
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n%s", r.text, diff)
			}
		})
	}
}

// What opens skills must be offered, and what runs them too.
func TestSkill_WithoutTheTools(t *testing.T) {
	t.Parallel()
	req := &request{parallel: true, tools: skillTools[1:], messages: []turnMessage{{role: "system", text: skillCatalogue}, {role: "user", text: "use the word-count skill: a b"}}}
	if u := req.skillNamed("use the word-count skill: a b"); u != nil {
		t.Errorf("%+v", u)
	}
	req.tools = skillTools[:1]
	u := req.skillNamed("use the word-count skill: a b")
	if u == nil || u.run("Run `a.py`.\n"+files("a.py")) != nil {
		t.Errorf("%+v runs without a tool for it", u)
	}
	req.choice.none = true
	if r := respond(req); len(r.calls) > 0 {
		t.Errorf("it calls %v where it must not", r.calls)
	}
}
