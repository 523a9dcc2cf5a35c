package skill_test

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"helve/catalog"
	"helve/executor"
	"helve/sandbox"
	"helve/skill"
	"helve/tool"
)

// plain is no sandbox at all: the examples run a script of this package's own. A program
// takes a sandbox.Sandbox.
type plain struct{}

func (plain) Run(ctx context.Context, spec sandbox.Spec) (*sandbox.Result, error) {
	dir, err := os.MkdirTemp("", "plain")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, f := range spec.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, f.Data, 0o700); err != nil {
			return nil, err
		}
	}
	command := exec.CommandContext(ctx, spec.Args[0], spec.Args[1:]...)
	command.Dir = dir
	stdout, err := command.Output()
	if command.ProcessState == nil {
		return nil, err
	}
	return &sandbox.Result{ExitCode: command.ProcessState.ExitCode(), Stdout: stdout}, nil
}

// How does a model get skills?
func ExampleOpen() {
	library, problems := skill.Open(skill.Options{Folders: []string{"testdata/skills"}, Runner: plain{}})
	for _, p := range problems {
		fmt.Println(p.Error())
	}
	fmt.Println(library.Catalogue()) // the end of the instructions
	for _, t := range library.Tools() {
		fmt.Println(t.Definition().Name)
	}
	// Output:
	// Skills hold instructions for special tasks. When a task fits the description of one, open it with the tool skill before you begin, and follow it.
	//
	// <available_skills>
	// <skill><name>word-count</name><description>Counts the words, lines and characters of a text. Use it when somebody asks how long a text is.</description></skill>
	// </available_skills>
	// skill
	// skill_read
	// skill_run
	// word-count__top
}

// What does a model do with a skill?
func ExampleLibrary_Tools() {
	library, _ := skill.Open(skill.Options{Folders: []string{"testdata/skills"}, Runner: plain{}})
	registry, err := tool.NewRegistry(library.Tools()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range []tool.Call{
		{Name: "skill_read", Arguments: json.RawMessage(`{"skill":"word-count","path":"references/words.md"}`)},
		{Name: "skill_run", Arguments: json.RawMessage(`{"skill":"word-count","script":"scripts/count.sh","args":["in.txt"],"files":{"in.txt":"one two three"}}`)},
	} {
		t, _ := registry.Lookup(call.Name)
		result, err := tool.Invoke(context.Background(), t, call)
		fmt.Println(result.Text(), err)
	}
	// Output:
	// A word is what stands between two blanks: "well-known" is one word, "-" is one too.
	//  <nil>
	// {"exit_code":0,"stdout":"3 in.txt\n","stderr":""} <nil>
}

// How does an agent get one skill alone?
func ExampleLibrary_Tool() {
	library, _ := skill.Open(skill.Options{Folders: []string{"testdata/skills"}, Runner: plain{}})
	s, err := library.Skill("word-count")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := library.Tool(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := tool.Invoke(context.Background(), t, tool.Call{Name: "word-count", Arguments: json.RawMessage(`{"script":"scripts/count.sh","args":["SKILL.md"]}`)})
	fmt.Println(result.Text(), err)
	// Output: {"exit_code":0,"stdout":"69 SKILL.md\n","stderr":""} <nil>
}

// How does a program run a script?
func ExampleLibrary_Run() {
	library, _ := skill.Open(skill.Options{Folders: []string{"testdata/skills"}, Runner: plain{}})
	s, err := library.Skill("word-cuont")
	fmt.Println(err)
	if s, err = library.Skill("word-count"); err != nil {
		fmt.Println(err)
		return
	}
	result, err := library.Run(context.Background(), s, skill.Command{Script: "scripts/count.sh", Args: []string{"a.txt"}, Files: map[string]string{"a.txt": "one two"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d %s", result.ExitCode, result.Stdout)
	// Output:
	// not_found: Skill not found: word-cuont
	// 0 2 a.txt
}

// What is wrong with a skill?
func ExampleLint() {
	dir, err := os.MkdirTemp("", "skills")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("---\nname: Greet\ndescription: Greets people.\nauthor: Ada\n---\nSee [the guide](guide.md).\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range skill.Lint(dir) {
		if p.Line != 2 { // the name is not that of the temporary folder
			fmt.Println(filepath.Base(p.Place()), p.Message)
		}
	}
	_, problems := skill.Load(dir)
	fmt.Println(len(problems), "warnings, and it can be used")
	// Output:
	// SKILL.md:4:1 unknown key "author"
	// SKILL.md:6 guide.md is not there
	// 2 warnings, and it can be used
}

// How does a person get a skill that somebody sent?
func ExampleImport() {
	dir, err := os.MkdirTemp("", "import")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "greet.skill")
	f, err := os.Create(archive)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := zip.NewWriter(f)
	main, _ := w.Create("greet/SKILL.md")
	fmt.Fprint(main, "---\nname: greet\ndescription: Greets people.\n---\nSay hello.\n")
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	f.Close()

	s, _, err := skill.Import(archive, filepath.Join(dir, "skills"), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Name, filepath.Base(filepath.Dir(s.Dir)))
	_, _, err = skill.Import(archive, filepath.Join(dir, "skills"), false)
	fmt.Println(err != nil)
	// Output:
	// greet skills
	// true
}

// What may an agent do while a skill is in use?
func ExampleLibrary_Narrow() {
	library, _ := skill.Open(skill.Options{Folders: []string{"testdata/skills"}})
	config := executor.Config{Middleware: []executor.Middleware{library.Narrow()}}
	fmt.Println(len(config.Middleware))
	s, _ := library.Skill("word-count")
	fmt.Println(skill.Allows(s.AllowedTools, tool.Call{Name: "calculate"}), skill.Allows(s.AllowedTools, tool.Call{Name: "http_get"}))
	// Output:
	// 1
	// true false
}

// How does a workspace get its skills?
func ExampleSource() {
	c, err := catalog.Load(context.Background(), catalog.Options{
		Dir:     "testdata", // its skills are in skills
		Sources: []catalog.Source{skill.Source(skill.Options{Folders: skill.Folders(""), Runner: plain{}})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range c.Entries() {
		fmt.Println(e.Tool.Definition().Name, e.Place())
	}
	fmt.Println(len(catalog.Values[*skill.Library](c)), "library")
	// Output:
	// skill skills
	// skill_read skills
	// skill_run skills
	// word-count skills/word-count/SKILL.md
	// word-count__top skills/word-count/assets/tools.json
	// 1 library
}
