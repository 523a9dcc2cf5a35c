package skill

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"helve/catalog"
	"helve/tool"
)

// Whatever a SKILL.md holds: it is a skill that keeps its promises, or there is an error
// that says why not; and what Lint has nothing against is loaded without a word.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		skillMD("x", "license: MIT\nmetadata: {a: b}\nallowed-tools: Read Bash(git:*)\n"),
		"---\nname: x\ndescription: a: b\n---\n", "---\r\n---", "---\nname: &a [*a]\n---\n", "", "---\nname: \xff\n---\n\xff",
	} {
		f.Add([]byte(seed), "x")
	}
	f.Fuzz(func(t *testing.T, data []byte, folder string) {
		d := &draft{file: "SKILL.md", skill: &Skill{Path: "SKILL.md"}}
		usable := d.read(data, folder)
		told := lenient(d.findings)
		errors := slices.ContainsFunc(d.findings, func(f finding) bool { return f.level == fatal })
		if usable == errors {
			t.Fatalf("usable: %t, %v", usable, told)
		}
		for _, p := range told {
			if p.Message == "" || p.Line < 0 || p.Line > strings.Count(string(data), "\n")+2 {
				t.Fatalf("%+v", p)
			}
		}
		if !usable {
			return
		}
		s := d.skill
		if strings.TrimSpace(s.Description) == "" || !utf8.ValidString(s.Body) || utf8.RuneCountInString(s.Name) > 2*maxName && s.Name != normal(folder) {
			t.Fatalf("%+v", s)
		}
		s.lintBody()
		clean := !slices.ContainsFunc(linted(d.findings), func(p catalog.Problem) bool { return !p.Warning })
		if clean && (len(told) > 0 || len(nameFaults(s.Name)) > 0 || s.Name != normal(folder) || utf8.RuneCountInString(s.Description) > maxDescription) {
			t.Fatalf("%+v: %v", s, told)
		}
	})
}

// Values never make more arguments than the template has, nor reach another one.
func FuzzTemplate(f *testing.F) {
	f.Add("--a={{a}}", "{{b}}", `{"a":"{{b}}","b":"x y"}`)
	f.Add("{{a}}{{b}}", "}}", `{"a":1,"b":null}`)
	f.Fuzz(func(t *testing.T, first, second, values string) {
		both := template{first, second}
		args, err := both.fill(json.RawMessage(values))
		if err != nil {
			return
		}
		var alone []string
		for _, one := range both {
			a, err := template{one}.fill(json.RawMessage(values))
			if err != nil || len(a) > 1 {
				t.Fatalf("%q: %q, %v", one, a, err)
			}
			alone = append(alone, a...)
			if !placeholder.MatchString(one) && (len(a) != 1 || a[0] != one) {
				t.Fatalf("%q became %q", one, a)
			}
		}
		if !slices.Equal(alone, args) {
			t.Fatalf("%q, %q", alone, args)
		}
	})
}

// A restriction in parentheses never allows what the name alone would not.
func FuzzAllows(f *testing.F) {
	f.Add("bash(git:*) Read", "bash", `{"c":"git x"}`)
	f.Fuzz(func(t *testing.T, text, name, arguments string) {
		call := tool.Call{Name: name, Arguments: json.RawMessage(arguments)}
		patterns := patternsOf(text)
		var bare []string
		for _, p := range patterns {
			n, _, _ := strings.Cut(p, "(")
			bare = append(bare, n)
		}
		if bare == nil {
			bare = []string{}
		}
		if Allows(patterns, call) && !Allows(bare, call) {
			t.Fatalf("%q allows %s, and %q does not", patterns, name, bare)
		}
		if strings.Join(patterns, "") == "" && Allows(patterns, call) {
			t.Fatal("nothing allows something")
		}
	})
}

func FuzzMentions(f *testing.F) {
	f.Add("[a](b/c.md#x) `scripts/a.py`.")
	f.Fuzz(func(t *testing.T, line string) {
		for _, name := range mentions(line) {
			if filepath.IsAbs(name) {
				t.Fatal(name)
			}
		}
	})
}
