package skill

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/catalog"
	"helve/executor"
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
}

// A live workspace sees a change of any file of a skill, and of folders that come later.
func TestSource_Watched(t *testing.T) {
	t.Parallel()
	home := folderOf(t, map[string]string{"own/SKILL.md": skillMD("own", "")})
	dir := folderOf(t, map[string]string{"helve.yaml": "", "skills/group/x/SKILL.md": skillMD("x", ""), "skills/group/x/scripts/deep/run.sh": "one"})
	news := make(chan *catalog.Catalog, 100)
	live, err := catalog.Watch(t.Context(), catalog.Options{Dir: dir, Sources: []catalog.Source{Source(Options{Folders: []string{"skills", ".agents/skills", home}})}},
		slog.New(slog.DiscardHandler), func(c *catalog.Catalog) { news <- c })
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	for _, test := range []struct{ skill, path, text string }{
		{"x", filepath.Join(dir, "skills/group/x/scripts/deep/run.sh"), "two"},
		{"own", filepath.Join(home, "own/references/a.md"), "new"},
		{"own", filepath.Join(home, "own/references/a.md"), "newer"},
		{"late", filepath.Join(dir, ".agents/skills/late/SKILL.md"), skillMD("late", "")},
		{"late", filepath.Join(dir, ".agents/skills/late/assets/a.txt"), "new"},
	} {
		writeFile(t, test.path, test.text, 0o600)
		for c := range news {
			s, err := catalog.Values[*Library](c)[0].Skill(test.skill)
			if err != nil {
				continue
			}
			rel, _ := filepath.Rel(s.Dir, test.path)
			if data, err := s.Read(filepath.ToSlash(rel)); err == nil && string(data) == test.text {
				break
			}
		}
	}
}

// workspaceOf is a workspace with a tool that is built in, calculate.
func workspaceOf(t *testing.T, box *recorder, files map[string]string) *catalog.Catalog {
	t.Helper()
	calculate := tool.Must(tool.New("calculate", "Calculates.", func(context.Context, struct{}) (string, error) { return "built in", nil }))
	c, err := catalog.Load(t.Context(), catalog.Options{
		Dir: folderOf(t, files), Sources: []catalog.Source{Source(Options{Folders: []string{"skills"}, Runner: box})},
		Builtin: func(*catalog.Settings) ([]tool.Tool, error) { return []tool.Tool{calculate}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// A skill's name never takes the place of another tool, and the skill stays.
func TestSource_ASkillTakesNoToolsPlace(t *testing.T) {
	t.Parallel()
	c := workspaceOf(t, &recorder{}, map[string]string{"helve.yaml": "", "skills/calculate/SKILL.md": skillMD("calculate", "")})
	calculate, _ := c.Tool("calculate")
	if result, err := tool.Invoke(t.Context(), calculate, tool.Call{Name: "calculate"}); err != nil || result.Text() != "built in" {
		t.Errorf("%s, %v", result.Text(), err)
	}
	open, _ := c.Tool("skill")
	if result, err := tool.Invoke(t.Context(), open, tool.Call{Name: "skill", Arguments: []byte(`{"name":"calculate"}`)}); err != nil || !strings.Contains(result.Text(), "Do it.") {
		t.Errorf("%s, %v", result.Text(), err)
	}
	want := "warning: skills/calculate/SKILL.md: the skill calculate has no tool of its own name: that is the name of a tool already (built in), which counts: " +
		"the skill can be used all the same; rename it if agents are to name it\n"
	if diff := cmp.Diff(want, shown(c.Dir(), c.Problems())); diff != "" {
		t.Error(diff)
	}
}

// Who must be asked before scripts of skills run is asked for every way to run one.
func TestSource_ApprovalOfScripts(t *testing.T) {
	t.Parallel()
	box := &recorder{}
	files := map[string]string{
		"helve.yaml": "", "skills/count/SKILL.md": skillMD("count", ""), "skills/count/run.sh": "echo",
		"skills/count/assets/tools.json": `{"tools":[{"name":"top","description":"Top.","script":"run.sh"},{"name":"free","description":"Free.","script":"run.sh"}]}`,
		"agents/all.yaml":                "name: all\ntools: [\"*\"]\noverrides: {skill_run: {approval: always}}\n",
		"agents/named.yaml":              "name: named\ntools: [count, count__top, count__free]\noverrides: {skill_run: {approval: always}, count__free: {approval: never}}\n",
		"agents/pattern.yaml":            "name: pattern\ntools: [\"c?unt\"]\n",
		"agents/less.yaml":               "name: less\ntools: [count, \"-c*\", skill]\n",
	}
	c := workspaceOf(t, box, files)
	all, err := c.Agent("all")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"calculate", "count__free", "count__top", "skill", "skill_read", "skill_run"}, toolNames(all.Tools)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"count__free", "count__top", "skill_run"}, all.NeedApproval()); diff != "" {
		t.Error(diff)
	}
	if less, err := c.Agent("less"); err != nil || len(less.Tools) != 1 {
		t.Error(err)
	}
	if _, err := c.Agent("pattern"); err == nil || !strings.Contains(err.Error(), "name count") {
		t.Error(err)
	}
	named, err := c.Agent("named")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	config := named.Executor(func(context.Context, tool.Call, tool.Definition) (bool, error) { asked++; return false, nil })
	if config.Tools, err = tool.NewRegistry(named.Tools...); err != nil {
		t.Fatal(err)
	}
	config.Logger = slog.New(slog.DiscardHandler)
	e := executor.New(config)
	for _, test := range []struct {
		name, arguments string
		asked, runs     int
	}{
		{"count", `{}`, 0, 0},
		{"count", `{"path":"run.sh"}`, 0, 0},
		{"count", `{"script":"run.sh"}`, 1, 0},
		{"count", `{"Script":"run.sh"}`, 1, 0},
		{"count", `{"path":"","script":"run.sh"}`, 1, 0},
		{"count__top", `{}`, 1, 0},
		{"count__free", `{}`, 0, 1},
	} {
		asked, box.runs = 0, nil
		e.Execute(t.Context(), []tool.Call{{ID: "1", Name: test.name, Arguments: []byte(test.arguments)}})
		if asked != test.asked || len(box.runs) != test.runs {
			t.Errorf("%s %s: %d questions, %d runs", test.name, test.arguments, asked, len(box.runs))
		}
	}
}
