package script

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"helve/catalog"
	"helve/internal/nearest"
	"helve/internal/parameters"
	"helve/internal/secret"
	"helve/internal/yamlfile"
	"helve/sandbox"
	"helve/schema"
	"helve/tool"
)

// problems collects what is wrong with a tool.yaml, each with its place, so that its
// author reads all of it at once.
type problems struct {
	file *catalog.File
	all  []error

	warnings []error // with them the tool can be had
}

func (p *problems) add(pointer, format string, args ...any) {
	if pointer != "" {
		format = strings.ReplaceAll(pointer[1:], "%", "%%") + ": " + format
	}
	p.all = append(p.all, p.file.Errorf(pointer, format, args...))
}

func (p *problems) warn(pointer, format string, args ...any) {
	var placed *yamlfile.Error
	if errors.As(p.file.Errorf(pointer, pointer[1:]+": "+format, args...), &placed) {
		p.warnings = append(p.warnings, &catalog.Problem{File: placed.File, Line: placed.Line, Column: placed.Column, Message: placed.Message, Warning: true})
	}
}

func (p *problems) err() error { return errors.Join(p.all...) }

func checkNames(c *Config, wrong *problems) {
	if err := (tool.Definition{Name: c.Name, Description: "x"}).Check(); err != nil {
		wrong.add("/name", "%q: providers want 1 to 64 letters, digits, _ or -", c.Name)
	}
	if err := (tool.Definition{Name: "x", Description: c.Description}).Check(); err != nil {
		wrong.add("/description", "say what the tool is for: the model chooses by it")
	}
	checkWord("/input", c.Input, []string{inputJSON, inputArguments}, wrong)
	checkWord("/output", c.Output, []string{outputText, outputJSON}, wrong)
}

func checkWord(pointer, word string, known []string, wrong *problems) {
	if word == "" || slices.Contains(known, word) {
		return
	}
	help := "there are " + strings.Join(known, " and ")
	if near := nearest.Name(word, known); near != "" {
		help = "did you mean " + near + "?"
	}
	wrong.add(pointer, "%q is not known: %s", word, help)
}

func compileParameters(c *Config, wrong *problems) *schema.Schema {
	s, found := parameters.Compile(json.RawMessage(c.Parameters))
	for _, p := range found {
		wrong.add(p.Pointer, "%s", p.Message)
	}
	return s
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func checkEnv(c *Config, wrong *problems) {
	for name, value := range c.Env {
		at := "/env/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		if !variableName.MatchString(name) {
			wrong.add(at, "a variable's name is of letters, digits and _")
		} else if strings.ContainsRune(value.Reveal(), 0) {
			wrong.add(at, "a variable can't hold the character NUL")
		}
	}
}

// checkSecrets keeps secrets out of the command: the record of each run shows it.
func checkSecrets(c *Config, secrets []string, wrong *problems) {
	for i, arg := range c.Command {
		if slices.ContainsFunc(secrets, func(s string) bool { return len(s) >= secret.Shortest && strings.Contains(arg, s) }) {
			wrong.add(fmt.Sprintf("/command/%d", i), "a secret in the command would stand in the log of each run: give it by env")
		}
	}
}

// limitsOf reads the limits of a run. What tool.yaml leaves out stays 0, so that what the
// operator says of all runs holds; time and output are always known.
func limitsOf(c *Config, settings *catalog.Settings, f *folder, wrong *problems) sandbox.Limits {
	var usual time.Duration
	if settings != nil {
		usual = settings.Timeout
	}
	l := sandbox.Limits{Time: cmp.Or(c.Timeout, usual, defaultTimeout), Processes: c.Limits.Processes}
	l.CPU = cmp.Or(c.Limits.CPU, l.Time)
	memory, processes := int64(leastMemory), leastProcesses
	if c.WASM != "" { // a module has no launcher
		memory, processes = 1<<20, 1
	}
	l.Memory = size("/limits/memory", c.Limits.Memory, memory, 1<<40, wrong)
	l.Work = size("/limits/work", c.Limits.Work, f.room(), 1<<40, wrong)
	l.Output = int(cmp.Or(size("/limits/output", c.Limits.Output, 1, maxOutput, wrong), defaultOutput))
	if l.Processes != 0 && l.Processes < processes {
		wrong.add("/limits/processes", "write %d or more: nothing starts with less", processes)
	}
	return l
}

// The least that the sandbox starts a program with.
const (
	leastMemory    = 8 << 20
	leastProcesses = 8
	leastWork      = 4 << 10 // also what each file takes of it besides its own bytes
)

// maxOutput leaves room below what the sandbox lets a program print at all.
const maxOutput = 4 << 20

func size(pointer, text string, least, most int64, wrong *problems) int64 {
	if text == "" {
		return 0
	}
	n, err := parseSize(text)
	switch {
	case err != nil:
		wrong.add(pointer, "%v", err)
	case n < least && pointer == "/limits/work":
		wrong.add(pointer, "%s is less than the files of the folder need, %s", text, sizeText((least+1023)>>10<<10))
	case n < least, n > most:
		wrong.add(pointer, "write %s to %s", sizeText(least), sizeText(most))
	}
	return n
}

// problemf is what is wrong with a file that is not read as YAML.
func problemf(file, hint, format string, args ...any) *catalog.Problem {
	return &catalog.Problem{File: file, Message: fmt.Sprintf(format, args...), Hint: hint}
}
