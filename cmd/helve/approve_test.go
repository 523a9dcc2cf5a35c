package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/catalog"
	"helve/skill"
	"helve/tool"
)

// TestTheWholeCallIsShown: nothing of what a person approves can be hidden.
func TestTheWholeCallIsShown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ arguments, want string }{
		{`{"password":"hunter2","sql":"DROP TABLE users"}`, "  {\n    \"password\": \"hunter2\",\n    \"sql\": \"DROP TABLE users\"\n  }"},
		{`{"a":"` + strings.Repeat("x", 5000) + `; rm -rf /"}`, "; rm -rf /"},
		{"{\"a\":\"safe \u202egnihton\u202c\u200b\"}", `safe \u{202E}gnihton\u{202C}\u{200B}`},
		{"not JSON \x1b[2J\x07", `not JSON \u{1B}[2J\u{7}`},
		{"{\"a\":\"中文 é\u00a0!\"}", "中文 é\\u{A0}!"},
	} {
		if got := wholly([]byte(test.arguments)); !strings.Contains(got, test.want) {
			t.Errorf("%.60s: got %s", test.arguments, got)
		}
	}
}

// What --approve says of skill_run holds for all that runs scripts of skills, and for
// nothing else that such a tool does.
func TestApproveOfWhatDoesAnothersWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"helve.yaml": "", "skills/count/SKILL.md": "---\nname: count\ndescription: Counts.\n---\nCount.\n",
		"agents/a.yaml": "name: a\ntools: [count]\noverrides: {count: {approval: always}}\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o750), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := catalog.Load(t.Context(), catalog.Options{Dir: dir, Sources: []catalog.Source{skill.Source(skill.Options{Folders: []string{"skills"}})}})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := c.Agent("a")
	if err != nil {
		t.Fatal(err)
	}
	a := &app{approve: []string{"skill_run"}}
	ask := a.unlessInstead(spec, func(context.Context, tool.Call, tool.Definition) (bool, error) { return false, nil })
	for arguments, want := range map[string]bool{`{"script":"a.sh"}`: true, `{}`: false} {
		if yes, err := ask(t.Context(), tool.Call{Name: "count", Arguments: []byte(arguments)}, tool.Definition{}); yes != want || err != nil {
			t.Errorf("%s: %t, %v", arguments, yes, err)
		}
	}
}
