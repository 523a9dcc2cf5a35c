// Package skills_test runs the skill of this folder.
package skills_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"helve/agent"
	"helve/catalog"
	"helve/model/sim"
	"helve/sandbox"
	"helve/skill"
)

// box is the sandbox, or the end of a test where there is none.
func box(t *testing.T) *sandbox.Sandbox {
	t.Helper()
	b, err := sandbox.New(sandbox.Options{})
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func library(t *testing.T, runner sandbox.Runner) *skill.Library {
	t.Helper()
	options := skill.Options{Folders: []string{"skills"}, Runner: runner}
	c, err := catalog.Load(t.Context(), catalog.Options{Dir: ".", Sources: []catalog.Source{skill.Source(options)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Problems() {
		t.Error(p.Error())
	}
	return catalog.Values[*skill.Library](c)[0]
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
}

// The first command of README.md, without the program around it.
func TestTheOfflineModelRunsTheSkill(t *testing.T) {
	t.Parallel()
	needs(t, "python3")
	l := library(t, box(t))
	server, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Client: client, Instructions: l.Catalogue(), Tools: l.Tools()})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := a.Run(t.Context(), "run the word count skill on this text: the quick brown fox jumps over the lazy dog")
	if err != nil {
		t.Fatal(err)
	}
	if want := `word-count: {"words": 9, "lines": 1, "characters": 43}.`; reply.Text != want {
		t.Errorf("%s, want %s", reply.Text, want)
	}
}

func TestTheScriptsDoWhatTheySay(t *testing.T) {
	t.Parallel()
	b := box(t)
	l := library(t, b)
	s, err := l.Skill("word-count")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		needs   string
		command skill.Command
		want    string
	}{
		"Python":           {"python3", skill.Command{Script: "scripts/count.py", Stdin: "a b\nc\n"}, `{"words": 3, "lines": 2, "characters": 6}`},
		"Python, nothing":  {"python3", skill.Command{Script: "scripts/count.py"}, `{"words": 0, "lines": 0, "characters": 0}`},
		"Python, top":      {"python3", skill.Command{Script: "scripts/count.py", Args: []string{"--top", "1"}, Stdin: "To be, or not to be: - to"}, `{"words": 8, "lines": 1, "characters": 25, "top": {"to": 3}}`},
		"Python, its help": {"python3", skill.Command{Script: "scripts/count.py", Args: []string{"--help"}}, "--top N"},
		"Python, Chinese":  {"python3", skill.Command{Script: "scripts/count.py", Args: []string{"--top", "1"}, Stdin: "你好 你好"}, `{"words": 2, "lines": 1, "characters": 5, "top": {"你好": 2}}`},
		"shell":            {"wc", skill.Command{Script: "scripts/count.sh", Stdin: "a b\nc\n"}, "3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs(t, test.needs)
			r, err := l.Run(t.Context(), s, test.command)
			if err != nil {
				t.Fatal(err)
			}
			if r.ExitCode != 0 || !strings.Contains(string(r.Stdout), test.want) || len(r.Stderr) > 0 {
				t.Errorf("%d %s%s", r.ExitCode, r.Stdout, r.Stderr)
			}
		})
	}
}

func TestTheSkillIsOneForEveryProgram(t *testing.T) {
	t.Parallel()
	for _, p := range skill.Lint("skills/word-count") {
		t.Error(p.Error())
	}
}
