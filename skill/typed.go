package skill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"helve/schema"
	"helve/tool"
)

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

// complete checks t and makes its definition. With an error it says which key is at fault.
func (t *typedTool) complete(s *Skill) (key string, err error) {
	if _, found := s.file(t.Script); !found {
		return "script", fmt.Errorf("the skill has no file %.100q: script names one", t.Script)
	}
	if t.Stdin != "" && t.Stdin != "json" {
		return "stdin", fmt.Errorf("stdin is %.20q: write json, or leave it out", t.Stdin)
	}
	if len(t.Parameters) == 0 {
		t.Parameters = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	}
	parameters, err := schema.Compile(t.Parameters)
	if err != nil {
		return "parameters", fmt.Errorf("parameters: %w", err)
	}
	if err := t.Args.check(t.Parameters); err != nil {
		return "args", fmt.Errorf("args: %w", err)
	}
	if t.Name == "" {
		return "name", errors.New("name is missing")
	}
	// With the skill's name in front it can't take the place of another tool.
	t.definition = tool.Definition{Name: s.Name + "__" + t.Name, Description: t.Description, Parameters: parameters, Timeout: runTime}
	return "", t.definition.Check()
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
