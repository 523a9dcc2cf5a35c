package skill

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/catalog"
	"helve/tool"
)

func toolNames(tools []tool.Tool) []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Definition().Name)
	}
	return names
}

// A workspace's skills are tools like any others, those of its user come after them, and
// what is wrong with one is a problem of the workspace.
func TestSource(t *testing.T) {
	t.Parallel()
	home := folderOf(t, map[string]string{".agents/skills/own/SKILL.md": skillMD("own", ""), ".claude/skills/greet/SKILL.md": skillMD("greet", "license: user\n")})
	dir := folderOf(t, map[string]string{
		"helve.yaml":                        "",
		"skills/greet/SKILL.md":             skillMD("greet", ""),
		"skills/greet/run.sh":               "echo",
		"skills/greet/assets/tools.json":    `{"tools":[{"name":"go","description":"Go.","script":"run.sh"}]}`,
		"skills/bad/SKILL.md":               "bad",
		"skills/Loud/SKILL.md":              skillMD("Loud", ""),
		".claude/skills/hidden/SKILL.md":    skillMD("hidden", "disable-model-invocation: true\n"),
		"agents/one.yaml":                   "name: one\ntools: [greet]\n",
		"agents/all.yaml":                   "name: all\ntools: [skill, \"skill_*\"]\n",
		"agents/wrong.yaml":                 "name: wrong\ntools: [hidden]\n",
		"tools/ignored/skills/not/SKILL.md": skillMD("not", ""),
	})
	c, err := catalog.Load(t.Context(), catalog.Options{Dir: dir, Sources: []catalog.Source{Source(Options{Folders: Folders(home), Runner: &recorder{}})}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if diff := cmp.Diff([]string{"greet", "greet__go", "own", "skill", "skill_read", "skill_run"}, toolNames(c.Tools())); diff != "" {
		t.Error(diff)
	}
	for agent, want := range map[string][]string{"one": {"greet"}, "all": {"skill", "skill_read", "skill_run"}} {
		a, err := c.Agent(agent)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, toolNames(a.Tools)); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := c.Agent("wrong"); err == nil {
		t.Error("an agent has a hidden skill")
	}
	libraries := catalog.Values[*Library](c)
	if len(libraries) != 1 || !strings.Contains(libraries[0].Catalogue(), "<name>own</name>") {
		t.Errorf("%v", libraries)
	}
	want := "error: agents/wrong.yaml:2:9: unknown tool \"hidden\": there are greet, greet__go, own, skill, skill_read, skill_run; skills/bad/SKILL.md has an error of its own and may define it\n" +
		"warning: " + filepath.ToSlash(home) + "/.claude/skills/greet/SKILL.md: the skill greet is defined in skills/greet/SKILL.md already, which counts: rename one of them if that is not meant\n" +
		"warning: skills/Loud/SKILL.md:2:7: the name must be in small letters\n" +
		"warning: skills/Loud/SKILL.md: no agent can name the skill as a tool: the name must be in small letters, it can't be the name of a tool: open it with the tool skill\n" +
		"error: skills/bad/SKILL.md: it begins with no frontmatter: write a line ---, then name: and description:, then a line ---\n"
	got := strings.SplitAfter(shown(dir, c.Problems()), "\n")
	slices.Sort(got)
	wanted := strings.SplitAfter(want, "\n")
	slices.Sort(wanted)
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Error(diff)
	}
	for _, e := range c.Entries() {
		if e.Tool.Definition().Name == "greet__go" && e.Place() != "skills/greet/assets/tools.json" {
			t.Error(e.Place())
		}
	}
}

// The last skill of a workspace goes, and its tools with it.
func TestSource_NoSkills(t *testing.T) {
	t.Parallel()
	found, err := Source(Options{Folders: Folders("")}).Load(t.Context(), &catalog.File{Path: ".", Dir: t.TempDir()})
	if err != nil || len(found) != 1 || found[0].Tool != nil {
		t.Errorf("%v, %v", found, err)
	}
	found, err = Source(Options{Folders: Folders("")}).Load(t.Context(), &catalog.File{Path: "skills/x/SKILL.md", Dir: t.TempDir()})
	if err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestSource_Patterns(t *testing.T) {
	t.Parallel()
	got := Source(Options{Folders: []string{"skills", "/home/ada/.agents/skills"}}).Patterns()
	if diff := cmp.Diff([]string{".", "skills/*/SKILL.md", "skills/*/skill.md"}, got); diff != "" {
		t.Error(diff)
	}
}
