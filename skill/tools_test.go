package skill

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/tool"
	"helve/tool/tooltest"
)

func TestTools_Open(t *testing.T) {
	t.Parallel()
	l, _ := libraryOf(t, nil, map[string]string{
		"x/SKILL.md": skillMD("x", ""), "x/scripts/a.py": "print(1)",
		"alone/SKILL.md":  skillMD("alone", ""),
		"hidden/SKILL.md": skillMD("hidden", "disable-model-invocation: true\n"),
	})
	for name, want := range map[string]string{
		"alone": "<skill name=\"alone\">\nDo it.\n</skill>\n",
		"x": "<skill name=\"x\">\nDo it.\n</skill>\n\nFiles of the skill: read them with skill_read, run scripts with skill_run. " +
			"Their paths are relative to the skill's folder, which scripts run in.\n- scripts/a.py (8 bytes)\n",
	} {
		result, err := callTool(t, l, "skill", `{"name":"`+name+`"}`)
		if diff := cmp.Diff(want, result.Text()); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	for _, name := range []string{"hidden", "allone"} {
		_, err := callTool(t, l, "skill", `{"name":"`+name+`"}`)
		if kind(err) != tool.KindNotFound {
			t.Errorf("%s: %v", name, err)
		}
		if near, _ := tool.AsError(err).Detail["available"].([]string); name == "allone" && (len(near) != 1 || near[0] != "alone") {
			t.Errorf("%q", near)
		}
	}
	if n := len(l.Tools()); n != 2 {
		t.Errorf("%d tools without anything that runs scripts", n)
	}
}

func TestTools_Read(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("é", 499) + "\n"
	l, _ := libraryOf(t, nil, map[string]string{
		"x/SKILL.md": skillMD("x", ""), "x/a.md": "one\ntwo\n", "x/bin": "a\x00b", "x/long.md": strings.Repeat(line, 100), "x/wide.md": strings.Repeat("é", maxPart),
		"x/empty": "",
	})
	for arguments, want := range map[string]string{
		`{"skill":"x","path":"a.md"}`:              "one\ntwo\n",
		`{"skill":"x","path":"./a.md","offset":4}`: "two\n\n[bytes 4 to 8: the end of the file]",
		`{"skill":"x","path":"empty"}`:             "",
		`{"skill":"x","path":"bin"}`:               "bin is not text: 3 bytes of application/octet-stream.",
		`{"skill":"x","path":"long.md"}`:           strings.Repeat(line, 65) + "\n[bytes 0 to 64935 of 99900: read on with offset 64935]",
		`{"skill":"x","path":"wide.md"}`:           strings.Repeat("é", maxPart/2) + "\n[bytes 0 to 65536 of 131072: read on with offset 65536]",
	} {
		result, err := callTool(t, l, "skill_read", arguments)
		if diff := cmp.Diff(want, result.Text()); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", arguments, err, diff)
		}
	}
	for arguments, want := range map[string]tool.Kind{
		`{"skill":"x","path":"../x/a.md"}`:       tool.KindNotFound,
		`{"skill":"x","path":"/etc/passwd"}`:     tool.KindNotFound,
		`{"skill":"x","path":"b.md"}`:            tool.KindNotFound,
		`{"skill":"x","path":"a.md","offset":9}`: tool.KindInvalidParameters,
		`{"skill":"y","path":"a.md"}`:            tool.KindNotFound,
	} {
		if _, err := callTool(t, l, "skill_read", arguments); kind(err) != want {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

// Document 001: a call by a skill's own name.
func TestTool_OfTheSkillsName(t *testing.T) {
	t.Parallel()
	box := &recorder{}
	l, _ := libraryOf(t, box, map[string]string{"x/SKILL.md": skillMD("x", ""), "x/a.sh": "echo"})
	s, err := l.Skill("x")
	if err != nil {
		t.Fatal(err)
	}
	own, err := l.Tool(s)
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{}`:                                  "read them with path, run scripts with script.",
		`{"path":"a.sh"}`:                     "echo",
		`{"script":"a.sh","args":["1"]}`:      `"exit_code":0`,
		`{"script":"a.sh","path":"a.sh"}`:     "invalid_parameters: give a path to read or a script to run, not both.",
		`{"stdin":"x"}`:                       "invalid_parameters: args, stdin and files are for a script: name it.",
		`{"script":"b.sh"}`:                   "not_found: ",
		`{"path":"b.sh"}`:                     "not_found: ",
		`{"script":"a.sh","args":["\u0000"]}`: "invalid_parameters: ",
	} {
		result, err := tool.Invoke(t.Context(), own, tool.Call{Name: "x", Arguments: []byte(arguments)})
		got := result.Text()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s", arguments, got)
		}
	}
	if len(box.runs) != 1 {
		t.Errorf("%d runs", len(box.runs))
	}
	for _, s := range []*Skill{{Name: "x", Description: "d", Hidden: true}, {Name: "skill", Description: "d"}, {Name: "Über", Description: "d"}, {Name: "世", Description: "d"}} {
		if _, err := l.Tool(s); err == nil {
			t.Errorf("%s has a tool of its name", s.Name)
		}
	}
}

func TestTools_KeepTheRules(t *testing.T) {
	t.Parallel()
	l, _ := Open(Options{Folders: []string{"testdata/skills"}, Runner: &recorder{}})
	s, err := l.Skill("word-count")
	if err != nil {
		t.Fatal(err)
	}
	own, err := l.Tool(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, arguments := range map[string]string{
		"skill": `{"name":"word-count"}`, "skill_read": `{"skill":"word-count","path":"references/words.md"}`,
		"skill_run": `{"skill":"word-count","script":"scripts/count.py"}`, "word-count__top": `{"text":"a b"}`, "word-count": `{}`,
	} {
		found := false
		for _, each := range append(l.Tools(), own) {
			if each.Definition().Name == name {
				found = true
				tooltest.Run(t, func(*testing.T) tool.Tool { return each }, arguments)
			}
		}
		if !found {
			t.Errorf("no tool %s", name)
		}
	}
}

// A script as a tool with parameters.
func TestTypedTool(t *testing.T) {
	t.Parallel()
	box := &recorder{}
	l, _ := Open(Options{Folders: []string{"testdata/skills"}, Runner: box})
	if _, err := callTool(t, l, "word-count__top", `{"text":"a b a","most":1}`); err != nil {
		t.Fatal(err)
	}
	got := box.last(t)
	if diff := cmp.Diff([]string{"python3", "./scripts/count.py", "--top=1"}, got.Args); diff != "" || string(got.Stdin) != `{"text":"a b a","most":1}` {
		t.Errorf("%s%s", diff, got.Stdin)
	}
	if _, err := callTool(t, l, "word-count__top", `{"text":"a","most":0}`); kind(err) != tool.KindInvalidParameters {
		t.Error(err)
	}
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		template template
		values   string
		want     []string
	}{
		{template{"--json", "{{path}}"}, `{"path":"a b; rm"}`, []string{"--json", "a b; rm"}},
		{template{"{{a}}", "x", "{{b}}"}, `{"b":""}`, []string{"x", ""}},
		{template{"--a={{ a }}"}, `{"a":null}`, []string{}},
		{template{"{{a}}-{{b}}"}, `{"a":"1"}`, []string{}},
		{template{"{{a}}-{{b}}"}, `{"a":"{{b}}","b":2.50}`, []string{"{{b}}-2.50"}},
		{template{"{{a}}"}, `{"a":["x",{"y":true}]}`, []string{`["x",{"y":true}]`}},
		{template{"{a}", "{{}}", "{{ }}"}, `{"a":"1"}`, []string{"{a}", "{{}}", "{{ }}"}},
		{nil, ``, []string{}},
	} {
		got, err := test.template.fill([]byte(test.values))
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%q %s: %v\n%s", test.template, test.values, err, diff)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Counts words": "Counts words.", "Counts. ": "Counts.", "数词。": "数词。", "": ""} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
