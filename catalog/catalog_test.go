package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"helve/tool"
)

// plain is a kind of tools that only tests know: what a file says, the tool answers.
type plain struct{}

type plainFile struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description,omitempty"`
	Answer      string `yaml:"answer"`
}

func (plain) Kind() string       { return "plain" }
func (plain) Patterns() []string { return []string{"tools/plain/*.yaml"} }
func (plain) File() any          { return plainFile{} }

func (plain) Load(_ context.Context, f *File) ([]Found, error) {
	var p plainFile
	if err := f.Decode(&p); err != nil {
		return nil, err
	}
	if p.Description == "" {
		p.Description = "Answers."
	}
	t, err := tool.New(p.Name, p.Description, func(context.Context, struct{}) (string, error) { return p.Answer, nil })
	if err != nil {
		return nil, f.Errorf("/name", "%v", err)
	}
	return []Found{{Tool: t, Line: f.Line("/name")}}, nil
}

// write makes a workspace of a txtar archive.
func write(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, archive)
	return dir
}

func put(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func options(dir string) Options {
	return Options{
		Dir:     dir,
		Sources: []Source{plain{}},
		Env:     func(string) (string, bool) { return "", false },
		Builtin: func(*Settings) ([]tool.Tool, error) {
			return []tool.Tool{tool.Must(tool.New("calculate", "Calculates.", func(context.Context, struct{}) (string, error) { return "built in", nil }))}, nil
		},
	}
}

func mustLoad(t *testing.T, o Options) *Catalog {
	t.Helper()
	c, err := Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func problems(c *Catalog) (lines []string) {
	for _, p := range c.Problems() {
		line := p.Error()
		if p.Warning {
			line = "warning: " + line
		}
		lines = append(lines, line)
	}
	return lines
}

func toolNames(tools []tool.Tool) string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Definition().Name)
	}
	return strings.Join(names, " ")
}

const sqlTools = `
-- tools/plain/a.yaml --
name: sql_tool
answer: a
-- tools/plain/b.yaml --
name: sql_drop
answer: b
-- tools/plain/c.yaml --
name: excel_tool
answer: c
-- tools/plain/d.yaml --
name: plot_tool
answer: d
-- tools/plain/e.yaml --
name: search_tool
answer: e
-- tool_sets/data.yaml --
name: data_analysis_set
description: 数据分析工具集
tools:
  - sql_tool
  - excel_tool
  - plot_tool
`

// TestDoc004_ToolManager: load_tools, get_tool and get_tool_set over a workspace.
func TestDoc004_ToolManager(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, options(write(t, sqlTools)))
	if p := problems(c); p != nil {
		t.Fatal(p)
	}
	if got, want := toolNames(c.Tools()), "calculate excel_tool plot_tool search_tool sql_drop sql_tool"; got != want {
		t.Errorf("got %s", got)
	}
	if x, ok := c.Tool("excel_tool"); !ok || x.Definition().Name != "excel_tool" {
		t.Error("excel_tool is not there")
	}
	if _, ok := c.Tool("exel_tool"); ok {
		t.Error("a tool that is not there was found")
	}
	set, err := c.Set("data_analysis_set")
	if err != nil || toolNames(set.Tools) != "excel_tool plot_tool sql_tool" || set.Description != "数据分析工具集" || set.File != "tool_sets/data.yaml" {
		t.Errorf("got %+v, %v", set, err)
	}
	if _, err := c.Set("data_analisys_set"); err == nil || err.Error() != `unknown tool set "data_analisys_set": did you mean data_analysis_set?` {
		t.Error(err)
	}
	for _, e := range c.Entries() {
		name, place := e.Tool.Definition().Name, e.Place()
		if name == "sql_tool" && (place != "tools/plain/a.yaml:1" || e.Kind != "plain") || name == "calculate" && place != "built in" {
			t.Errorf("%s is from %s, %s", name, e.Kind, place)
		}
	}
}

// TestDoc004_ToolSets: sets of tools, sets of sets, patterns, exclusions, and both
// places of the files.
func TestDoc004_ToolSets(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, options(write(t, sqlTools+`
-- configs/tool_sets/sql.yaml --
name: sql
tools: [-sql_drop, "sql_*"]
-- tool_sets/more.yml --
name: more
tools: [search_tool, sql_tool]
tool_sets: [sql, data_analysis_set]
-- tool_sets/all.yaml --
name: all
tools: ["*", "-*_tool"]
-- configs/agents/analyst.yaml --
name: analyst
tools: [sql_drop, -plot_tool]
tool_sets: [data_analysis_set]
overrides:
  sql_tool: {timeout: 5s, approval: always}
  excel_tool: {enabled: false}
`)))
	if p := problems(c); p != nil {
		t.Fatal(p)
	}
	got := map[string]string{}
	for _, s := range c.Sets() {
		got[s.Name] = toolNames(s.Tools)
	}
	a, err := c.Agent("analyst")
	if err != nil {
		t.Fatal(err)
	}
	got["analyst"] = toolNames(a.Tools)
	want := map[string]string{
		"data_analysis_set": "excel_tool plot_tool sql_tool",
		"sql":               "sql_tool",
		"more":              "excel_tool plot_tool search_tool sql_tool",
		"all":               "calculate sql_drop",
		"analyst":           "sql_drop sql_tool",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d := a.Tools[1].Definition(); d.Timeout.String() != "5s" {
		t.Errorf("sql_tool stops after %v", d.Timeout)
	}
}

// TestDoc004_Duplicates: the earlier counts, a warning names both, the later is listed.
func TestDoc004_Duplicates(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, options(write(t, `
-- tools/plain/a.yaml --
name: one
answer: first
-- tools/plain/b.yaml --
# the same
name: one
answer: second
-- tools/plain/c.yaml --
name: calculate
answer: mine
-- tool_sets/a.yaml --
name: s
tools: [one]
-- tool_sets/b.yaml --
name: s
tools: [calculate]
-- agents/a.yaml --
name: s
-- configs/agents/a.yaml --
name: s
`)))
	want := []string{
		"warning: configs/agents/a.yaml:1: the agent s is defined in agents/a.yaml already, which counts: rename one of them",
		"warning: tool_sets/b.yaml:1: the tool set s is defined in tool_sets/a.yaml already, which counts: rename one of them",
		"warning: tools/plain/b.yaml:2: the tool one is defined in tools/plain/a.yaml:1 already, which counts: rename one of them if that is not meant",
		"warning: tools/plain/c.yaml:1: the tool calculate takes the place of the one that is built in: rename one of them if that is not meant",
	}
	if diff := cmp.Diff(want, problems(c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{"one": "first", "calculate": "mine"} {
		x, _ := c.Tool(name)
		r, err := tool.Invoke(t.Context(), x, tool.Call{Name: name, Arguments: json.RawMessage("{}")})
		if err != nil || r.Text() != want {
			t.Errorf("%s answers %q, %v", name, r.Text(), err)
		}
	}
	var listed []string
	for _, e := range c.Entries() {
		listed = append(listed, fmt.Sprintf("%s %s %q", e.Tool.Definition().Name, e.Place(), e.ShadowedBy))
	}
	if diff := cmp.Diff([]string{
		`calculate tools/plain/c.yaml:1 ""`, `calculate built in "tools/plain/c.yaml:1"`,
		`one tools/plain/a.yaml:1 ""`, `one tools/plain/b.yaml:2 "tools/plain/a.yaml:1"`,
	}, listed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestProblems: one bad file takes nothing else down, and is named with its place and a
// remedy.
func TestProblems(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, text, want string }{
		{"unknown key", "tools/plain/x.yaml", "name: x\nanswr: y\nanswer: z\n", `tools/plain/x.yaml:2:1: unknown key "answr": did you mean answer?`},
		{"not a name", "tools/plain/x.yaml", "name: a b\nanswer: z\n", `tools/plain/x.yaml:1:7: tool "a b": providers want a name of 1 to 64 letters, digits, _ or -`},
		{"tab", "agents/x.yaml", "name: x\ntools:\n\t- one\n", "agents/x.yaml:3:1: this is not YAML: the line is indented with a tab: indent with spaces"},
		{"unset variable", "agents/x.yaml", "name: x\ninstructions: ${NOPE}\n", "agents/x.yaml:2:15: the environment variable NOPE is not set: set it, or give a default: ${NOPE:-…}"},
		{"unknown tool", "tool_sets/x.yaml", "name: x\ntools: [good, serch_tool]\n", `tool_sets/x.yaml:2:15: unknown tool "serch_tool": did you mean search_tool?`},
		{"unknown tool left out", "tool_sets/x.yaml", "name: x\ntools: [good, -serch_tool]\n", `tool_sets/x.yaml:2:15: unknown tool "serch_tool": did you mean search_tool?`},
		{"no match", "agents/x.yaml", "name: x\ntools: [\"sqll_*\"]\n", `agents/x.yaml:2:9: no tool matches "sqll_*": "helve tools list" shows the tools`},
		{"bad pattern", "agents/x.yaml", "name: x\ntools: [\"[\"]\n", `agents/x.yaml:2:9: "[" is no pattern: * stands for any letters, ? for one, [ab] for one of them`},
		{"set among tools", "agents/x.yaml", "name: x\ntools: [fine]\n", `agents/x.yaml:2:9: fine is a tool set: name it under tool_sets`},
		{"tool among sets", "agents/x.yaml", "name: x\ntool_sets: [good]\n", `agents/x.yaml:2:13: good is a tool: name it under tools`},
		{"unknown set", "agents/x.yaml", "name: x\ntool_sets: [fin]\n", `agents/x.yaml:2:13: unknown tool set "fin": did you mean fine?`},
		{"own cycle", "tool_sets/x.yaml", "name: x\ntool_sets: [x]\n", `tool_sets/x.yaml:2:13: tool sets that hold each other: x → x: take one of them out`},
		{"override of nothing", "agents/x.yaml", "name: x\ntools: [good]\noverrides:\n  goood: {enabled: false}\n", "agents/x.yaml:4:10: goood is not among this agent's tools: did you mean good?"},
		{"approval", "agents/x.yaml", "name: x\ntools: [good]\noverrides:\n  good: {approval: ask}\n", `agents/x.yaml:4:20: unknown approval "ask": write never or always`},
		{"no way to call", "agents/x.yaml", "name: x\noutput_strategy:\n  function_calling: false\n  fallback_to_structured_output: false\n", "agents/x.yaml:3:3: without function_calling and fallback_to_structured_output there is no way to call a tool: allow one of them"},
		{"dialect", "agents/x.yaml", "name: x\noutput_strategy: {dialect: hermez}\n", `agents/x.yaml:2:28: no dialect is called "hermez": did you mean "hermes"?`},
		{"iterations", "agents/x.yaml", "name: x\nmax_iterations: -1\n", "agents/x.yaml:2:17: max_iterations is -1: write 1 or more, or leave it out"},
		{"settings", "helve.yaml", "modle: x\n", `helve.yaml:1:1: unknown key "modle": did you mean model?`},
		{"default agent", "helve.yaml", "agent: fin\n", `helve.yaml:1:8: unknown agent "fin": did you mean fine?`},
		{"host", "helve.yaml", "network: {allow_hosts: [\"https://example.org\"]}\n", `helve.yaml:1:24: "https://example.org" is not a host: write example.com, *.example.com or *, without scheme, port and path`},
		{"server", "helve.yaml", "base_url: localhost:8000\n", "helve.yaml:1:11: base_url is not the URL of a server: write it in full, such as http://localhost:8000/v1"},
		{"database", "helve.yaml", "database: mysql://u:hunter2@h/x\n", "helve.yaml:1:11: a database of the kind mysql is not known: write postgres://…, or the path of a SQLite file"},
		{"level of the sandbox", "helve.yaml", "sandbox: {level: none}\n", `helve.yaml:1:18: unknown level "none": there are strict, strict-noproc and reduced`},
		{"too many sandboxes", "helve.yaml", "sandbox: {warm: 65}\n", "helve.yaml:1:17: warm is 65: write 0 to 64"},
		{"duplicate key", "helve.yaml", "model: x\nmodel: y\n", "helve.yaml:2:1: the key model is there already, in line 1: keep one of them"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, `
-- tools/plain/good.yaml --
name: good
answer: yes indeed
-- tools/plain/search.yaml --
name: search_tool
answer: found
-- tool_sets/fine.yaml --
name: fine
tools: [good]
-- agents/fine.yaml --
name: fine
tool_sets: [fine]
`)
			put(t, dir, "-- "+test.file+" --\n"+test.text)
			c := mustLoad(t, options(dir))
			got := problems(c)
			if len(got) != 1 || !strings.HasPrefix(got[0], test.want) {
				t.Errorf("got  %q\nwant %s", got, test.want)
			}
			if a, err := c.Agent("fine"); err != nil || toolNames(a.Tools) != "good" {
				t.Errorf("the good agent suffers: %v", err)
			}
			if test.file == "agents/x.yaml" {
				if _, err := c.Agent("x"); err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("the bad agent is given out: %v", err)
				}
			}
		})
	}
}

func TestSetCycle(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, options(write(t, `
-- tool_sets/a.yaml --
name: a
tool_sets: [b]
tools: [calculate]
-- tool_sets/b.yaml --
name: b
tool_sets: [c]
-- tool_sets/c.yaml --
name: c
tool_sets: [a]
-- tool_sets/d.yaml --
name: d
tools: [calculate]
`)))
	want := []string{
		"tool_sets/a.yaml:2:13: the tool set b has errors of its own, see tool_sets/b.yaml",
		"tool_sets/b.yaml:2:13: the tool set c has errors of its own, see tool_sets/c.yaml",
		"tool_sets/c.yaml:2:13: tool sets that hold each other: a → b → c → a: take one of them out",
	}
	if diff := cmp.Diff(want, problems(c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s, err := c.Set("d"); err != nil || toolNames(s.Tools) != "calculate" {
		t.Error(err)
	}
}

func TestPrecedenceOfSettings(t *testing.T) {
	t.Parallel()
	user := write(t, "-- helve.yaml --\nmodel: openai/mine\nbase_url: https://mine.example\napi_key: ${KEY}\nmax_iterations: 9\ntimeout: 9s\nnetwork: {allow_hosts: [\"*\"]}\n")
	env := func(name string) (string, bool) { return "the key", name == "KEY" }
	for _, test := range []struct {
		name, project string
		want          Settings
	}{
		{"no helve.yaml", "-- x --\n", Settings{Model: "openai/mine", BaseURL: "https://mine.example", APIKey: "the key", MaxIterations: 9, Timeout: 9e9}},
		{"another server gets no key", "-- helve.yaml --\nbase_url: https://theirs.example\ntimeout: 1s\n", Settings{BaseURL: "https://theirs.example", MaxIterations: 9, Timeout: 1e9}},
		{"another model", "-- helve.yaml --\nmodel: sim/offline\nmax_iterations: 2\n", Settings{Model: "sim/offline", MaxIterations: 2, Timeout: 9e9}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := mustLoad(t, Options{Dir: write(t, test.project), User: user, Env: env})
			if p := problems(c); p != nil {
				t.Fatal(p)
			}
			got, err := c.Settings()
			if err != nil {
				t.Fatal(err)
			}
			if got.APIKey.Reveal() != test.want.APIKey.Reveal() {
				t.Error("the key is not as it should be")
			}
			got.APIKey, test.want.APIKey = "", ""
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	c := mustLoad(t, Options{User: write(t, "-- helve.yaml --\nmodle: x\n")})
	if got := problems(c); len(got) != 1 || !strings.Contains(got[0], `unknown key "modle"`) {
		t.Errorf("got %q", got)
	}
	if _, err := c.Settings(); err == nil || !strings.Contains(err.Error(), `unknown key "modle"`) {
		t.Errorf("settings that can't be read are given out: %v", err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	dir := write(t, "-- a/helve.yaml --\n-- a/b/c/x --\n-- d/x --\n")
	for from, want := range map[string]string{"a": "a", "a/b/c": "a", "d": ""} {
		got, ok, err := Find(filepath.Join(dir, from))
		if err != nil {
			t.Error(err)
		}
		if want == "" && ok && strings.HasPrefix(got, dir) || want != "" && got != filepath.Join(dir, want) {
			t.Errorf("from %s: got %s", from, got)
		}
	}
}

// TestFindTrustsNobodyElse: who only stands below a folder has not chosen it.
func TestFindTrustsNobodyElse(t *testing.T) {
	t.Parallel()
	dir := write(t, "-- a/helve.yaml --\n-- a/b/x --\n")
	if err := os.Chmod(filepath.Join(dir, "a/helve.yaml"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := Find(filepath.Join(dir, "a/b")); ok || err == nil || !strings.Contains(err.Error(), "may be written by everybody") {
		t.Errorf("got %s, %v, %v", got, ok, err)
	}
	if os.Getuid() != 0 {
		return // only root can give a file away
	}
	if err := errors.Join(os.Chmod(filepath.Join(dir, "a/helve.yaml"), 0o644), os.Chown(filepath.Join(dir, "a/helve.yaml"), 65534, 65534)); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := Find(filepath.Join(dir, "a/b")); ok || err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("got %s, %v, %v", got, ok, err)
	}
}

func TestSchemasAreValid(t *testing.T) {
	t.Parallel()
	schemas, err := Schemas(plain{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(keys(schemas), " "); got != "agent helve plain tool_set" {
		t.Errorf("got %s", got)
	}
	for name, s := range schemas {
		if !json.Valid(s) || !strings.Contains(string(s), `"additionalProperties": false`) {
			t.Errorf("%s: %s", name, s)
		}
	}
}

func TestErrorOfAMissingFolder(t *testing.T) {
	t.Parallel()
	if _, err := Load(t.Context(), Options{Dir: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
