package skill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"helve/internal/excerpt"
	"helve/tool"
)

// The tools for all skills.
const (
	nameOpen = "skill"
	nameRead = "skill_read"
	nameRun  = "skill_run"
)

// Tools returns the tools skill and skill_read for the skills that are not hidden, with
// skill_run where there is something that runs scripts, and behind them the typed tools of
// their assets/tools.json. Without skills there are none.
func (l *Library) Tools() []tool.Tool { return append([]tool.Tool(nil), l.tools...) }

func (l *Library) makeTools() []tool.Tool {
	skills := l.visible()
	if len(skills) == 0 {
		return nil
	}
	tools := []tool.Tool{l.openTool(skills), l.readTool(skills)}
	if !l.canRun() {
		return tools
	}
	tools = append(tools, l.runTool(skills))
	for _, s := range skills {
		for _, t := range s.typed {
			l.typed[t.definition.Name] = s
			tools = append(tools, &typed{l, s, t})
		}
	}
	return tools
}

func (l *Library) canRun() bool { return l.options.Runner != nil || l.options.WASM != nil }

type oneInput struct {
	Path    string            `json:"path,omitempty" jsonschema_description:"A file of the skill to read."`
	Offset  int64             `json:"offset,omitempty" jsonschema:"minimum=0,default=0" jsonschema_description:"Where to start reading, in bytes."`
	Script  string            `json:"script,omitempty" jsonschema_description:"A script of the skill to run."`
	Args    []string          `json:"args,omitempty" jsonschema_description:"The script's arguments, each by itself."`
	Stdin   string            `json:"stdin,omitempty" jsonschema_description:"What the script reads from standard input."`
	Files   map[string]string `json:"files,omitempty" jsonschema_description:"More files for the script: their texts, by paths."`
	Timeout int               `json:"timeout,omitempty" jsonschema:"minimum=1,maximum=300" jsonschema_description:"How many seconds the script may take."`
}

// Tool returns the tool of the skill's own name, for an agent that names the skill among
// its tools: without parameters it opens the skill, with path it reads a file, with script
// it runs one. The error is for a hidden skill, and for a name that is against the format or
// that no provider allows.
func (l *Library) Tool(s *Skill) (tool.Tool, error) {
	if s.Hidden {
		return nil, errors.New("the skill " + s.Name + " is not for models: it says " + keyHidden)
	}
	if faults := nameFaults(s.Name); len(faults) > 0 || s.Name == nameOpen {
		return nil, errors.New(strings.Join(append(faults, "it can't be the name of a tool"), ", "))
	}
	what := " This is a skill: call it without parameters first, for its instructions."
	return tool.New(s.Name, sentence(excerpt.Of(s.Description, 4*maxDescription))+what,
		func(ctx context.Context, in oneInput) (tool.Result, error) {
			switch {
			case in.Path != "" && in.Script != "":
				return tool.Result{}, invalid("give a path to read or a script to run, not both")
			case in.Script != "":
				return l.run(ctx, s, runInput{"", in.Script, in.Args, in.Stdin, in.Files, in.Timeout}.command())
			case len(in.Args) > 0 || in.Stdin != "" || len(in.Files) > 0:
				return tool.Result{}, invalid("args, stdin and files are for a script: name it")
			case in.Path != "":
				text, err := s.part(in.Path, in.Offset)
				return tool.Text(text), err
			}
			return tool.Text(s.text("path", "script")), nil
		}, tool.Timeout(runTime))
}

// sentence is text with an end, so that another may stand behind it.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(text); text == "" || strings.ContainsRune(".!?…:;。！？", last) {
		return text
	}
	return text + "."
}

// mayRun reports whether a call of a skill's own tool may run a script: any may but those
// that say no more than what to read.
func mayRun(call tool.Call) bool {
	if len(bytes.TrimSpace(call.Arguments)) == 0 {
		return false
	}
	var arguments map[string]json.RawMessage
	if json.Unmarshal(call.Arguments, &arguments) != nil {
		return true
	}
	for name := range arguments {
		if name != "path" && name != "offset" {
			return true
		}
	}
	return false
}
