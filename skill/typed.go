package skill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"helve/catalog"
	"helve/schema"
	"helve/tool"
)

// typedFile makes tools with parameters of a skill's scripts.
const typedFile = "assets/tools.json"

const maxTyped = 50 // tools of one skill

// typedFileForm is the file:
//
//	{"tools": [{
//	  "name": "count", "description": "Count words.",
//	  "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
//	  "script": "scripts/count.py", "args": ["--json", "--text={{text}}"]
//	}]}
type typedFileForm struct {
	Tools []typedTool `json:"tools"`
}

// typedTool is a script as a tool.
type typedTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Script      string          `json:"script"`
	Args        template        `json:"args"`
	Stdin       string          `json:"stdin"` // "json": the parameters as they are; or empty

	definition tool.Definition
}

// readTyped reads the skill's tools. One that is wrong hides no other.
func (d *draft) readTyped(data []byte, shown string) {
	report := func(message, hint string) {
		d.findings = append(d.findings, finding{wrong, catalog.Problem{File: shown, Message: message, Hint: hint}})
	}
	var form typedFileForm
	if err := decodeStrictly(data, &form); err != nil {
		report(err.Error(), "")
		return
	}
	if len(form.Tools) > maxTyped {
		report(fmt.Sprintf("it has %d tools, and at most %d are used", len(form.Tools), maxTyped), "")
		form.Tools = form.Tools[:maxTyped]
	}
	names := map[string]bool{}
	for i, t := range form.Tools {
		err := t.complete(d.skill)
		if err == nil && names[t.Name] {
			err = fmt.Errorf("the name %s is there already", t.Name)
		}
		if err != nil {
			report(fmt.Sprintf("tools[%d]: %v", i, err), "")
			continue
		}
		names[t.Name] = true
		d.skill.typed = append(d.skill.typed, &t)
	}
}

// decodeStrictly decodes one JSON value and nothing behind it.
func decodeStrictly(data []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(v)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("the file goes on behind its end")
		}
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return fmt.Errorf("line %d: this is not JSON: %w", line, err)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// complete checks t and makes its definition.
func (t *typedTool) complete(s *Skill) error {
	if _, found := s.file(t.Script); !found {
		return fmt.Errorf("the skill has no file %.100q: script names one", t.Script)
	}
	if t.Stdin != "" && t.Stdin != "json" {
		return fmt.Errorf("stdin is %.20q: write json, or leave it out", t.Stdin)
	}
	if len(t.Parameters) == 0 {
		t.Parameters = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	}
	parameters, err := schema.Compile(t.Parameters)
	if err != nil {
		return fmt.Errorf("parameters: %w", err)
	}
	if err := t.Args.check(t.Parameters); err != nil {
		return fmt.Errorf("args: %w", err)
	}
	if t.Name == "" {
		return errors.New("name is missing")
	}
	// With the skill's name in front it can't take the place of another tool.
	t.definition = tool.Definition{Name: s.Name + "__" + t.Name, Description: t.Description, Parameters: parameters, Timeout: runTime}
	return t.definition.Check()
}

// typed is a [tool.Tool].
type typed struct {
	library *Library
	skill   *Skill
	*typedTool
}

func (t *typed) Definition() tool.Definition { return t.definition }

func (t *typed) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	args, err := t.Args.fill(call.Arguments)
	if err != nil {
		return tool.Result{}, invalid("Invalid parameters for %s: %v", t.definition.Name, err)
	}
	c := Command{Script: t.Script, Args: args}
	if t.Stdin == "json" {
		c.Stdin = string(call.Arguments)
	}
	return t.library.run(ctx, t.skill, c)
}
